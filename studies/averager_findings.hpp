#pragma once

#include <vector>

#include "studies/averager_learners.hpp"
#include "studies/averager_models.hpp"
#include "studies/verdict_rules.hpp"

namespace shortfall::studies {

/// All tables of the study; a part fills some of them.
struct AveragerTables {
  std::vector<AveragerPathRow> paths = {};
  std::vector<AveragerModelsRow> models = {};
  std::vector<AveragerRunsRow> runs = {};
  SHORTFALL_RECORD(paths, models, runs)
};

/// Our statements about averagers, checked by the tables. Statements about all models stay open
/// with fewer of them than the full scale has, unless one refutes them.
std::vector<Finding> averager_findings(const AveragerTables& tables);

}  // namespace shortfall::studies
