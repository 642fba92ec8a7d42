#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "studies/convergence_data.hpp"

namespace shortfall::studies {

inline constexpr std::array<std::string_view, 5> convergence_algorithms = {
    "TD(0)", "TD(0.3)", "TD(0.6)", "TD(1)", "Newton"};
/// λ by algorithm; Newton has the limit of TD(0).
inline constexpr std::array<double, 5> convergence_lambdas = {0.0, 0.3, 0.6, 1.0, 0.0};

struct ConvergenceScale {
  std::size_t runs = 20;
  std::uint64_t iterations = 1'000'000;
  std::size_t draws = 500;  ///< other models, for results that depend on the draw
};
ConvergenceScale convergence_scale(Scale scale);

/// ‖Φθ_n - ΠV‖_q has to fall and stay below this share of ‖V‖_q.
inline constexpr double threshold_share = 0.05;

/// Runs five learners on one problem, independently from θ = 0: TD and TD(λ) with steps
/// 2/(n+100)^(2/3), Newton with a warm-up of 500.
Panel convergence_runs(const RiskFamily& family, const ConvergenceSetting& setting,
                       const StudyOptions& options, const OnProgress& on_progress);

/// Σ η_n over the first `iterations` steps of TD: the corresponding time of the ODE.
double sum_of_steps(std::uint64_t iterations);

}  // namespace shortfall::studies
