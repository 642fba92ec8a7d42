#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "studies/interval_findings.hpp"
#include "studies/interval_problem.hpp"
#include "studies/interval_runs.hpp"
#include "studies/study.hpp"

namespace shortfall::studies {
namespace {

constexpr std::array<double, 3> interval_levels = {0.5, 0.7, 0.9};

Results conclude_intervals(const std::vector<IntervalTables>& parts) {
  IntervalTables all;
  for (const IntervalTables& part : parts) {
    std::ranges::copy(part.settings, std::back_inserter(all.settings));
    std::ranges::copy(part.cells, std::back_inserter(all.cells));
  }
  Json tables = all;
  tables["misses"] = interval_misses(all.cells);
  return {.findings = interval_findings(all), .tables = std::move(tables)};
}

}  // namespace

Study intervals(const StudyOptions& options) {
  Study study{.name = "intervals",
              .title = "Intervals for values learned online",
              .question =
                  "How often do 95 % intervals from one run hold the value that the run is "
                  "learning, and how wide are they, beside the exact asymptotic covariance? On a "
                  "chain that mixes fast, a slow one, and platelets of shelf life 3; expectiles of "
                  "three levels; features that hold the value, and fewer.",
              .source = "our own: Wang and Delage mention variance estimators as possible",
              .conclude = conclude_intervals};
  for (const std::string_view chain : interval_chains) {
    for (const std::string_view features : interval_features) {
      for (const double tau : interval_levels) {
        const IntervalSetting setting{std::string(chain), std::string(features), tau};
        study.parts.push_back(
            {.name = fmt::format("{},{},tau={}", chain,
                                 features == "fewer" ? "fewer" : "one-per-state", tau),
             .seconds = options.scale == Scale::full ? 8.0 : 0.1,
             .compute = [setting, options](const OnProgress& on_progress) {
               return interval_runs(interval_problem(setting), interval_scale(options.scale),
                                    options, on_progress);
             }});
      }
    }
  }
  return study;
}

}  // namespace shortfall::studies
