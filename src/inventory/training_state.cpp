#include <algorithm>
#include <charconv>

#include "require.hpp"
#include "shortfall/inventory/train.hpp"

namespace shortfall::inventory {

std::optional<std::size_t> parse_improvement(std::string_view spec) {
  constexpr std::string_view sampled = "sampled:";
  if (spec == "exact") return 0;
  if (!spec.starts_with(sampled)) return std::nullopt;
  std::size_t count = 0;
  const char* const end = spec.data() + spec.size();
  const auto [rest, error] = std::from_chars(spec.data() + sampled.size(), end, count);
  const bool sound = error == std::errc() && rest == end && count >= 1 && count <= max_scenarios;
  return sound ? std::optional(count) : std::nullopt;
}

bool TrainingState::has_learned() const {
  return std::ranges::any_of(trace, [](const TrainingRecord& record) { return record.used > 0; });
}

std::vector<std::pair<std::string, std::string>> recorded_options(const TrainingOptions& options) {
  const bool is_td = !is_newton(options.algorithm);
  std::vector<std::pair<std::string, std::string>> recorded{
      {"algorithm", std::string(to_string(options.algorithm))},
      {"samples", fmt::format("{}", options.samples)},
      {"trajectories", fmt::format("{}", options.trajectories)},
      {"warmup", is_td ? "none" : fmt::format("{}", options.warmup)},
      {"improvement",
       options.scenarios == 0 ? "exact" : fmt::format("sampled:{}", options.scenarios)},
      {"features", to_string(features_for(options.algorithm, options.features))},
      {"tolerance", fmt::format("{}", options.tolerance)},
      {"seed", fmt::format("{}", options.seed)}};
  std::ranges::move(described(options.evaluation), std::back_inserter(recorded));
  return recorded;
}

void check_status(Status status) {
  require(status >= Status::converged && status <= Status::small_change,
          "status = {}; accepted: {} to {}", static_cast<int>(status),
          static_cast<int>(Status::converged), static_cast<int>(Status::small_change));
}

void TrainingState::check_trace() const {
  for (const TrainingRecord& record : trace) check_status(record.status);
}

}  // namespace shortfall::inventory
