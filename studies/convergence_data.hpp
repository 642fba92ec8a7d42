#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "studies/convergence_problem.hpp"
#include "studies/study.hpp"
#include "studies/verdict_rules.hpp"

namespace shortfall::studies {

/// All runs of a learner after `iteration` updates: a row of the table `curves`, without its
/// setting and learner. Null in a table is +∞ here.
struct CurvePoint {
  std::uint64_t iteration = 0;
  double distance = 0.0;  ///< mean of ‖Φθ_n - ΠV‖_q
  double standard_error = 0.0;
  double median = 0.0;
  std::size_t diverged = 0;
  double first_component_standard_error = 0.0;  ///< of θ_n
  SHORTFALL_RECORD(iteration, distance, standard_error, median, diverged,
                   first_component_standard_error)
};

/// One learner in one setting: a row of the table `ends`, without its setting.
struct Learned {
  std::string algorithm = {};
  std::vector<CurvePoint> curve = {};
  double distance = 0.0;  ///< at the end
  double standard_error = 0.0;
  std::size_t diverged = 0;
  double iterations_to_threshold = 0.0;  ///< +∞: never
  double threshold = 0.0;
  std::size_t runs = 0;
  double to_fixed_point = 0.0;  ///< mean of ‖Φθ_n - Φθ*‖_q
  double to_fixed_point_standard_error = 0.0;
  std::string limit = {};       ///< a LimitStatus, of the mean-field ODE: convergence_limit.hpp
  double limit_distance = 0.0;  ///< of a stable limit
  double limit_rate = 0.0;
  SHORTFALL_RECORD(algorithm, curve, distance, standard_error, diverged, iterations_to_threshold,
                   threshold, runs, to_fixed_point, to_fixed_point_standard_error, limit,
                   limit_distance, limit_rate)
};

/// One panel of a figure: a row of the table `settings`.
struct Panel {
  ConvergenceSetting setting = {};
  std::string place = {};  ///< "tau 0.6, gamma 0.9"; not saved
  double gamma_limit = 0.0;
  bool condition_holds = false;
  double value_norm = 0.0;
  double fixed_point_distance = 0.0;  ///< +∞: there is none
  std::string fixed_point_status = {};
  double sharp_gamma_limit = 0.0;
  double projection_error = 0.0;
  std::vector<Learned> learned = {};
  SHORTFALL_RECORD(setting, gamma_limit, condition_holds, value_norm, fixed_point_distance,
                   fixed_point_status, sharp_gamma_limit, projection_error, learned)

  const Learned& by(std::string_view algorithm) const;
  /// Some run diverged, or the mean distance is more than ten times ‖V‖_q.
  bool has_diverged(const Learned& learner) const;
};

/// Results that depend on the draw, on other draws of the model: a row of the table `draws`.
struct DrawTally {
  ConvergenceSetting setting = {};
  std::string algorithm = {};
  std::size_t draws = 0;    ///< number of models
  std::size_t stable = 0;   ///< those with a stable limit
  std::size_t away = 0;     ///< those without one, on which iterates diverge
  std::size_t far = 0;      ///< those with a limit more than ten times ‖V‖_q away from ΠV
  std::size_t nearest = 0;  ///< those on which this algorithm's limit is the nearest to ΠV
  SHORTFALL_RECORD(setting, algorithm, draws, stable, away, far, nearest)
};

/// The result of a part of a convergence study, a panel or the draws; or of all.
struct ConvergenceData {
  std::vector<Panel> panels = {};
  std::vector<DrawTally> draws = {};
  std::uint64_t iterations = 0;  ///< not saved
  SHORTFALL_RECORD(panels, draws)

  /// Runs of a million iterations are as published; shorter ones may end before the limit.
  Coverage length() const { return iterations >= 1'000'000 ? Coverage::whole : Coverage::sample; }
  std::vector<Panel> with_features(std::uint32_t d) const;
  /// Throws std::logic_error if the setting is missing.
  const Panel& at(const ConvergenceSetting& setting) const;
  const DrawTally& drawn(const ConvergenceSetting& setting, std::string_view algorithm) const;
};

ConvergenceData convergence_data(const RiskFamily& family,
                                 const std::vector<ConvergenceData>& parts);

/// The tables `curves`, `settings`, `ends` and `draws`.
Json convergence_tables(const RiskFamily& family, const ConvergenceData& data);

}  // namespace shortfall::studies
