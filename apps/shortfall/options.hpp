#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/dp/tolerance.hpp"
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
/// The names of losses, for an option --loss that has been added.
void offer_losses(const Grammar& grammar);
/// The keys of a plan in these tables, or in all, for an option that assigns to one.
void offer_keys(const Grammar& grammar, const std::string& option,
                const std::vector<std::string_view>& tables = {});

// Checks that several commands make. Each throws InvalidInput that names the option and what is
// accepted.

void require_gamma(bool condition, double gamma, const char* accepted,
                   std::string_view option = "--gamma");

/// For a percentage where a number from 0 to 1 is expected: ", did you mean 0.9?".
std::string percent_hint(double value);

/// --tolerance.
void add_tolerance(const Grammar& grammar, Tolerance& tolerance);

/// --tolerance and --max-iterations.
void check_stopping(const Tolerance& tolerance, int max_iterations);

/// Standard output is for the results.
void check_is_file(std::string_view option, const std::string& path);
void check_is_directory(std::string_view option, const std::string& path);

/// A directory for results. It is made before the work with its parents, so that it fails then if
/// it cannot be. At the end, those that are new and empty are removed again.
class NewDirectory {
 public:
  /// Throws OutputError, and then leaves nothing behind.
  explicit NewDirectory(const std::string& path);
  ~NewDirectory();
  NewDirectory(const NewDirectory&) = delete;
  NewDirectory& operator=(const NewDirectory&) = delete;

 private:
  void remove_empty() const;

  std::vector<std::filesystem::path> made_;  ///< those that were missing, the innermost first
};

}  // namespace shortfall::app
