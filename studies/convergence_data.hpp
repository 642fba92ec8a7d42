#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "studies/convergence_problem.hpp"
#include "studies/study.hpp"
#include "studies/verdict_rules.hpp"

namespace shortfall::studies {

/// All runs of a learner after `iteration` updates. Null in a table is +∞ here.
struct CurvePoint {
  std::uint64_t iteration = 0;
  double distance = 0.0;  ///< mean of ‖Φθ_n - ΠV‖_q
  double standard_error = 0.0;
  double spread = 0.0;  ///< standard error of the first component of θ_n
};

/// One learner in one setting.
struct Learned {
  std::string algorithm;
  std::vector<CurvePoint> curve = {};
  double distance = 0.0;  ///< at the end
  double standard_error = 0.0;
  double to_fixed_point = 0.0;
  std::size_t diverged = 0;
  std::size_t runs = 0;
  double iterations_to_threshold = 0.0;  ///< +∞: never
  std::string limit = {};                ///< a LimitStatus
  double limit_distance = 0.0;
  double limit_rate = 0.0;
};

/// One setting: a panel of a figure.
struct Panel {
  ConvergenceSetting setting;
  std::string place;  ///< "tau 0.6, gamma 0.9"
  bool condition_holds = false;
  double sharp_gamma_limit = 0.0;
  double value_norm = 0.0;
  double fixed_point_distance = 0.0;  ///< +∞: there is none
  std::vector<Learned> learned = {};

  const Learned& by(std::string_view algorithm) const;
  /// Some run diverged, or the mean distance is more than ten times ‖V‖_q.
  bool has_diverged(const Learned& learner) const;
};

/// A row of the table `draws`.
struct DrawTally {
  ConvergenceSetting setting;
  std::string algorithm;
  std::size_t draws = 0;
  std::size_t stable = 0;
  std::size_t away = 0;
  std::size_t far = 0;
  std::size_t nearest = 0;
};

/// The results of all parts of a convergence study.
struct ConvergenceData {
  std::vector<Panel> panels = {};
  std::vector<DrawTally> draws = {};
  std::uint64_t iterations = 0;

  /// Runs of a million iterations are as published; shorter ones may end before the limit.
  Coverage length() const { return iterations >= 1'000'000 ? Coverage::whole : Coverage::sample; }
  std::vector<Panel> with_features(std::uint32_t d) const;
  /// Throws std::logic_error if the setting is missing.
  const Panel& at(const ConvergenceSetting& setting) const;
  const DrawTally& drawn(const ConvergenceSetting& setting, std::string_view algorithm) const;
};

ConvergenceData convergence_data(const RiskFamily& family, const std::vector<Json>& parts);

}  // namespace shortfall::studies
