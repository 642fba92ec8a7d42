#include "shortfall/features/rank.hpp"

#include <fmt/format.h>

#include "errors/require.hpp"

namespace shortfall::features {
namespace {

using Names = std::span<const std::string>;

std::string name_of(Eigen::Index feature, Names names) {
  if (names.empty()) return fmt::format("{}", feature + 1);
  return fmt::format("{} ({})", feature + 1, names[static_cast<std::size_t>(feature)]);
}

std::string clause(const theory::DependentFeature& dependent, Names names) {
  const auto& [feature, on] = dependent;
  if (on.empty()) return fmt::format("feature {} is zero", name_of(feature, names));
  std::vector<std::string> others;
  others.reserve(on.size());
  for (const Eigen::Index j : on) others.push_back(name_of(j, names));
  return fmt::format("feature {} is a combination of feature{} {}", name_of(feature, names),
                     others.size() == 1 ? "" : "s", fmt::join(others, ", "));
}

std::string describe(const RankCheck& check, std::size_t rows, Names names) {
  const std::size_t d = check.dimension;
  if (check.is_full()) {
    return fmt::format("{} linearly independent feature{} on a sample of {}", d, d == 1 ? "" : "s",
                       rows);
  }
  if (rows < d) return fmt::format("a sample of {} is too small for {} features", rows, d);
  std::vector<std::string> clauses;
  clauses.reserve(check.dependent.size());
  for (const auto& dependent : check.dependent) clauses.push_back(clause(dependent, names));
  return fmt::format("on a sample of {}: {}", rows, fmt::join(clauses, "; "));
}

}  // namespace

RankCheck check_rank(const Dense& sample, Names names) {
  const std::size_t rows = sample.states();
  require(rows != 0, "a sample of 0 rows; accepted: one or more");
  require(names.empty() || names.size() == sample.dimension(),
          "{} names of features; accepted: none, or {}", names.size(), sample.dimension());
  const std::vector<double> uniform(rows, 1.0 / static_cast<double>(rows));
  RankCheck check{sample.dimension(), theory::dependent_features(sample.matrix(), uniform), {}};
  check.message = describe(check, rows, names);
  return check;
}

}  // namespace shortfall::features
