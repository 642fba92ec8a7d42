#include "apps/shortfall/option_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "shortfall/error.hpp"
#include "shortfall/inventory/train.hpp"

namespace shortfall::app {

void refuse(const std::string& what, const std::string& accepted) {
  throw InvalidInput(fmt::format("{}; accepted: {}", what, accepted));
}

std::size_t InventoryTrainOptions::scenarios() const {
  const std::optional<std::size_t> count = inventory::parse_improvement(improvement);
  if (!count) {
    refuse(fmt::format("--improvement is '{}'", improvement),
           fmt::format("exact, or sampled:S with S from 1 to {}", inventory::max_scenarios));
  }
  return *count;
}

namespace {

void check_loss(const std::string& text) {
  try {
    (void)AnyLoss::parse(text);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("--loss: {}", error.what()));
  }
}

/// For a percentage where a number from 0 to 1 is expected.
std::string percent_hint(double value) {
  return value >= 2.0 && value < 100.0 ? fmt::format(", did you mean {}?", value / 100.0) : "";
}

[[noreturn]] void refuse_gamma(double gamma, const char* accepted) {
  refuse(fmt::format("--gamma is {}{}", gamma, percent_hint(gamma)), accepted);
}

void check_stopping(double tolerance, int max_iterations) {
  if (!(tolerance > 0.0 && std::isfinite(tolerance))) {
    refuse(fmt::format("--tolerance is {}", tolerance), "a number above 0");
  }
  if (max_iterations < 1)
    refuse(fmt::format("--max-iterations is {}", max_iterations), "at least 1");
}

/// Standard output is for the results.
void check_is_file(std::string_view option, const std::string& path) {
  if (path != "-" && path != "/dev/stdout") return;
  refuse(fmt::format("{} is {}, which is for the results", option, path), "a file");
}

void check_inventory(const InventoryOptions& options) {
  check_stopping(options.tolerance, options.max_iterations);
  if (options.sweep.size() > 2) {
    refuse(fmt::format("--sweep is given {} times", options.sweep.size()), "at most twice");
  }
}

/// An output file must differ from inputs and other outputs.
void check_different(const std::string& name, const std::string& path,
                     const std::string& other_name, const std::string& other) {
  if (path.empty() || other.empty() || other == "-") return;
  std::error_code ignored;
  const auto full = [&](const std::string& file) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, ignored), ignored);
  };
  if (full(path) != full(other)) return;
  refuse(fmt::format("{} and {} are the same file", name, other_name), "two files");
}

void check_policy_out(const InventoryOptions& options, const std::string& policy_out) {
  check_is_file("--policy-out", policy_out);
  check_different("--policy-out", policy_out, "the configuration", options.config);
  if (!policy_out.empty() && !options.sweep.empty()) {
    refuse("--policy-out with --sweep", "one of them: a file holds one policy");
  }
}

void check_solver(const SolverCommandOptions& options) {
  check_loss(options.loss);
  const bool finite = options.horizon > 0;
  if (!(options.gamma > 0.0 && (options.gamma < 1.0 || (finite && options.gamma == 1.0)))) {
    refuse_gamma(options.gamma, finite ? "a number above 0, at most 1"
                                       : "a number strictly between 0 and 1 (1 with --horizon)");
  }
  check_stopping(options.tolerance, options.max_iterations);
}

void check_policies(const InventoryOptions& options, const std::vector<std::string>& policies) {
  check_inventory(options);
  const auto inputs = std::ranges::count(policies, "-") + (options.config == "-" ? 1 : 0);
  // Standard input can be read only once, but each point of a sweep reads its policy.
  if (inputs > 1 || (std::ranges::count(policies, "-") > 0 && !options.sweep.empty())) {
    refuse("standard input would be read more than once", "- for one file, and not with --sweep");
  }
}

}  // namespace

void check(const RiskOptions& options) {
  check_loss(options.loss);
}

void check(const SolveOptions& options) {
  check_solver(options);
  check_is_file("--policy-out", options.policy_out);
}

void check(const EvaluateOptions& options) {
  check_solver(options);
  if (options.model == "-" && options.policy.file == "-") {
    refuse("the model and --policy are both -", "standard input for one of them");
  }
}

void check(const CheckOptions& options) {
  if (options.loss) check_loss(*options.loss);
  if (options.gamma && !(*options.gamma > 0.0 && *options.gamma <= 1.0)) {
    refuse_gamma(*options.gamma, "a number above 0, at most 1");
  }
  if (options.is_configuration() && !options.policy.file.empty()) {
    refuse("--policy needs a model, not a configuration", "a model as CSV");
  }
}

void check(const LearnOptions& options) {
  check_loss(options.loss);
  if (!(options.gamma >= 0.0 && options.gamma <= 1.0)) {
    refuse_gamma(options.gamma, "a number from 0 to 1");
  }
  if (!(options.lambda >= 0.0 && options.lambda <= 1.0)) {
    refuse(fmt::format("--lambda is {}", options.lambda), "a number from 0 to 1");
  }
  try {
    (void)learn::AnyStep::parse(options.step);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("--step: {}", error.what()));
  }
  check_is_file("--checkpoint", options.checkpoint);
  if (!(options.checkpoint_every > 0.0 && options.checkpoint_every <= 1e6)) {
    refuse(fmt::format("--checkpoint-every is {}", options.checkpoint_every),
           "a number of seconds above 0, at most 1e6");
  }
}

void check(const InventorySolveOptions& options) {
  check_inventory(options);
  check_policy_out(options, options.policy_out);
}

void check(const InventoryTrainOptions& options) {
  check_inventory(options);
  check_policy_out(options, options.policy_out);
  check_is_file("--checkpoint", options.checkpoint);
  if (!options.checkpoint.empty() && !options.sweep.empty()) {
    refuse("--checkpoint with --sweep", "one of them: a checkpoint holds one training");
  }
  check_different("--checkpoint", options.checkpoint, "--policy-out", options.policy_out);
  check_different("--checkpoint", options.checkpoint, "the configuration", options.config);
  if (options.stopping != "certified") {
    refuse("--stopping paper with train", "certified: trained orders are evaluated exactly");
  }
  (void)options.scenarios();
  const std::uint64_t length = options.samples / options.trajectories;
  const std::uint64_t least = options.algorithm == "newton" ? options.warmup + 1 : 1;
  if (length < least) {
    refuse(fmt::format("--samples {} divided among --trajectories {} is {} each", options.samples,
                       options.trajectories, length),
           options.algorithm == "newton" ? fmt::format("more than --warmup {} each", options.warmup)
                                         : "at least 1 each");
  }
}

void check(const InventoryEvaluateOptions& options) {
  check_policies(options, options.policies);
}

void check(const InventorySimulateOptions& options) {
  check_policies(options, options.policies);
  for (const double q : options.quantiles) {
    if (!(q >= 0.0 && q <= 1.0)) {
      refuse(fmt::format("--quantiles has {}{}", q, percent_hint(q)),
             "numbers from 0 to 1, such as 0.05,0.5,0.95");
    }
  }
}

void check(const InventoryReportOptions& options) {
  check_inventory(options);
  check_is_file("--out", options.out);
  check_different("--out", options.out, "the configuration", options.config);
  if (!options.sweep.empty())
    refuse("--sweep with report", "one instance; use --levels to compare attitudes to risk");
  if (options.stopping != "certified") {
    refuse("--stopping paper with report", "certified: people rely on the report");
  }
}

void check(const ReproduceOptions& options) {
  check_is_file("--out", options.out);
}

}  // namespace shortfall::app
