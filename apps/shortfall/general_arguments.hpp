#pragma once

#include <cstdint>

#include "shortfall/risk/any_loss.hpp"

namespace shortfall::app {

class Grammar;

/// Options of every command.
struct GeneralOptions {
  bool json = false;
  std::uint64_t seed = 1;
  int threads = 0;
};

/// Whether a command draws random numbers.
enum class Randomness { none, seeded };

/// --json, --seed and --threads. Every command accepts --seed, but only those that draw random
/// numbers list it in their help.
void add_general_options(const Grammar& grammar, GeneralOptions& options, Randomness randomness);

/// --loss, which is required.
void add_loss(const Grammar& grammar, AnyLoss& loss);

}  // namespace shortfall::app
