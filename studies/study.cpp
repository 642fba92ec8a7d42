#include "studies/study.hpp"

namespace shortfall::studies {

std::string_view to_string(Scale scale) {
  return scale == Scale::full ? "full" : "quick";
}

void to_json(Json& json, Verdict verdict) {
  json = to_string(verdict);
}

void from_json(const Json& json, Verdict& verdict) {
  verdict = Verdict::open;
  for (const auto& [name, value] : verdict_names) {
    if (json == name) verdict = value;
  }
}

std::vector<Study> all_studies(const StudyOptions& options) {
  return {table_m3(options),
          table_m5(options),
          table_runtime(options),
          figure_expectile(options),
          figure_soft_quantile(options),
          counterexample(options),
          figure_policies(options),
          figure_gaps(options),
          figure_costs(options),
          averagers(options),
          intervals(options),
          platelet_week(options)};
}

}  // namespace shortfall::studies
