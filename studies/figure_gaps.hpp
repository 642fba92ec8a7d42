#pragma once

#include "studies/study.hpp"

namespace shortfall::studies {

/// Gaps of one training in percent, after 0, 1, .. iterations.
using GapCurve = std::vector<double>;

/// Trainings in one way, one per seed.
struct TrainedCurves {
  std::string algorithm = {};  ///< TD or Newton
  std::string choice = {};     ///< the name of a TrainingChoice
  std::vector<GapCurve> seeds = {};
  std::size_t singular = 0;  ///< trajectories left out, over all iterations and seeds
  std::size_t diverged = 0;  ///< trajectories that diverged, likewise
  SHORTFALL_RECORD(algorithm, choice, seeds, singular, diverged)
};

/// The result of a part of figure-gaps: trainings of one setting.
struct SettingGaps {
  std::string cost = {};
  double tau = 0.0;
  std::vector<TrainedCurves> curves = {};
  SHORTFALL_RECORD(cost, tau, curves)
};

Results conclude_gaps(const std::vector<SettingGaps>& parts);

}  // namespace shortfall::studies
