#pragma once

#include "studies/study.hpp"

namespace shortfall::studies {

/// Gaps of one training in percent, after 0, 1, .. iterations.
using GapCurve = std::vector<double>;

/// The result of a part of figure-gaps: trainings of one setting, one per seed.
struct SettingGaps {
  std::string cost = {};
  double tau = 0.0;
  std::vector<GapCurve> td = {};
  std::vector<GapCurve> newton = {};
  SHORTFALL_RECORD(cost, tau, td, newton)
};

Results conclude_gaps(const std::vector<SettingGaps>& parts);

}  // namespace shortfall::studies
