#include "apps/shortfall/general_arguments.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <string>
#include <system_error>

#include "apps/shortfall/grammar.hpp"

namespace shortfall::app {
namespace {

/// CLI11 itself clamps seeds that do not fit into 64 bits.
CLI::Validator valid_seed() {
  return {[](std::string& text) {
            std::uint64_t seed = 0;
            const char* const end = text.data() + text.size();
            const auto [rest, error] = std::from_chars(text.data(), end, seed);
            if (error == std::errc() && rest == end) return std::string();
            return fmt::format("Value {} not in range 0 to {}", text,
                               std::numeric_limits<std::uint64_t>::max());
          },
          ""};
}

}  // namespace

void add_general_options(const Grammar& grammar, GeneralOptions& options, Randomness randomness) {
  grammar->add_flag("--json", options.json, "Print one JSON document instead of text");
  CLI::Option* seed = grammar->add_option("--seed", options.seed, "Seed of the random numbers")
                          ->check(valid_seed())
                          ->capture_default_str();
  if (randomness == Randomness::none) seed->group("");  // accepted, but not listed in the help
  grammar->add_option("--threads", options.threads, "Number of threads, at most 1024; 0: all cores")
      ->check(CLI::Range(0, 1024).description(""))
      ->capture_default_str();
  grammar.add_check([&options, &processes = grammar.processes()] {
    if (options.threads == 0) options.threads = processes.threads();
  });
}

void add_loss(const Grammar& grammar, AnyLoss& loss) {
  add_parsed(
      grammar, "--loss", [&loss](const std::string& text) { loss = AnyLoss::parse(text); },
      "Loss function, such as expectile:0.9")
      ->required();
}

}  // namespace shortfall::app
