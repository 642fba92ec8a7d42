#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "shortfall/risk/any_loss.hpp"
#include "studies/learning_problem.hpp"
#include "studies/record.hpp"

/// The convergence experiments: a random model of ten states, evaluated by five learners.
namespace shortfall::studies {

/// A family of losses with one parameter, the level.
struct RiskFamily {
  std::string_view level;  ///< name of the parameter, and key in tables
  AnyLoss (*loss)(double level);
};

/// One panel of a figure.
struct ConvergenceSetting {
  double level = 0.0;
  double gamma = 0.0;
  std::uint32_t d = 0;  ///< features, of ten states
  SHORTFALL_RECORD(level, gamma, d)

  bool operator==(const ConvergenceSetting&) const = default;
};

/// "tau=0.6,gamma=0.9,d=5"
std::string name_of(const RiskFamily& family, const ConvergenceSetting& setting);

inline constexpr std::uint32_t convergence_states = 10;
inline constexpr std::uint32_t few_features = 5;

/// The draw determines kernel, costs, policy and features, which are orthonormal; the features for
/// a smaller d are the first columns of those for a larger d. V is exact to 1e-9.
LearningProblem convergence_problem(const RiskFamily& family, const ConvergenceSetting& setting,
                                    std::uint64_t draw);

}  // namespace shortfall::studies
