#include "studies/study.hpp"

namespace shortfall::studies {

std::string_view to_string(Scale scale) {
  return scale == Scale::full ? "full" : "quick";
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::confirmed:
      return "confirmed";
    case Verdict::refuted:
      return "refuted";
    case Verdict::open:
      break;
  }
  return "open";
}

void to_json(Json& json, Verdict verdict) {
  json = to_string(verdict);
}

void from_json(const Json& json, Verdict& verdict) {
  verdict = json == to_string(Verdict::confirmed) ? Verdict::confirmed
            : json == to_string(Verdict::refuted) ? Verdict::refuted
                                                  : Verdict::open;
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
          figure_costs(options)};
}

}  // namespace shortfall::studies
