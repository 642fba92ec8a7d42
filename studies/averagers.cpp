#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "studies/averager_findings.hpp"
#include "studies/study.hpp"

namespace shortfall::studies {
namespace {

constexpr std::array<double, 3> path_probabilities = {0.9, 0.95, 0.99};

Results conclude_averagers(const std::vector<AveragerTables>& parts) {
  AveragerTables all;
  for (const AveragerTables& part : parts) {
    std::ranges::copy(part.paths, std::back_inserter(all.paths));
    std::ranges::copy(part.models, std::back_inserter(all.models));
    std::ranges::copy(part.runs, std::back_inserter(all.runs));
  }
  return {.findings = averager_findings(all), .tables = all};
}

Part path_part(double p, library::DeltaRoot root, const StudyOptions& options) {
  return {.name = fmt::format("counterexample,p={},root={}", p,
                              root == library::DeltaRoot::smaller ? "smaller" : "larger"),
          .seconds = options.scale == Scale::full ? 0.3 : 0.03,
          .compute = [=](const OnProgress&) {
            return Json(AveragerTables{.paths = averager_paths(p, root, options)});
          }};
}

}  // namespace

Study averagers(const StudyOptions& options) {
  Study study{.name = "averagers",
              .title = "Learning that converges for every loss and discount",
              .question =
                  "With features that are nonnegative and sum to at most 1, comparing targets with "
                  "each cell's own weight makes a contraction of the mean update. Does that settle "
                  "the counterexample and random models, beyond the condition on gamma; how close "
                  "is its limit to the value, beside TD's and beside its bound?",
              .source = "our own: Wang and Delage leave it open how to relax the condition",
              .conclude = conclude_averagers};
  for (const double p : path_probabilities) {
    study.parts.push_back(path_part(p, library::DeltaRoot::smaller, options));
    study.parts.push_back(path_part(p, library::DeltaRoot::larger, options));
  }
  const bool full = options.scale == Scale::full;
  const std::size_t count = averager_model_count(options.scale);
  for (const std::string_view features : averager_features) {
    study.parts.push_back({.name = fmt::format("models,{}", features),
                           .seconds = full ? 40.0 : 0.4,
                           .compute = [=](const OnProgress& on_progress) {
                             return Json(AveragerTables{
                                 .models = averager_models(features, count, options, on_progress)});
                           }});
  }
  study.parts.push_back(
      {.name = "runs", .seconds = full ? 40.0 : 0.4, .compute = [=](const OnProgress& on_progress) {
         return Json(AveragerTables{
             .runs = averager_runs(averager_run_scale(options.scale), options, on_progress)});
       }});
  return study;
}

}  // namespace shortfall::studies
