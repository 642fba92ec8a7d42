#include "studies/study.hpp"

#include <algorithm>
#include <cmath>

namespace shortfall::studies {

std::string_view to_string(Scale scale) {
  return scale == Scale::full ? "full" : "quick";
}

Monitor monitor_of_iterations(const OnProgress& on_progress, double fraction, double first,
                              double share) {
  return [=, most = 0.0](const Progress& progress) mutable {
    const double iterations = static_cast<double>(progress.done) + progress.fraction;
    most = std::max(most, 1.0 - std::pow(1.0 - fraction, iterations));  // it may begin again
    on_progress(first + share * most);
    return Request::proceed;
  };
}

std::vector<Study> all_studies(const StudyOptions& options) {
  return {table_m3(options),
          table_m5(options),
          table_runtime(options),
          figure_expectile(options),
          figure_soft_quantile(options),
          counterexample(options),
          discount(options),
          figure_policies(options),
          figure_gaps(options),
          figure_costs(options),
          averagers(options),
          intervals(options),
          platelet_week(options)};
}

}  // namespace shortfall::studies
