#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shortfall/monitor/monitor.hpp"
#include "studies/findings.hpp"
#include "studies/record.hpp"

/// Every table and figure of Wang and Delage, recomputed, and studies of our own: one file each.
namespace shortfall::studies {

enum class Scale {
  full,  ///< as published
  quick  ///< fewer runs, iterations and settings: the same kinds of results in two minutes
};
std::string_view to_string(Scale scale);

struct StudyOptions {
  Scale scale = Scale::full;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all cores. Results do not depend on it, measured times do
};

/// The results of a study. Tables are lists of flat objects, all with the same keys: numbers, text,
/// Booleans, or null for a missing value. Infinity and NaN are written as null.
struct Results {
  std::vector<Finding> findings = {};
  Json tables = Json::object();
  Json facts = Json::object();  ///< numbers for the overview of all studies, by name
  SHORTFALL_RECORD(findings, facts, tables)
};

/// Called with the fraction of a part that is done. Throws PartStopped if the part should end.
using OnProgress = std::function<void(double)>;
struct PartStopped {};

/// For a computation of known length that is all of a part, or all that `on_progress` counts.
inline Monitor monitor_of(OnProgress on_progress) {
  return [on_progress = std::move(on_progress)](const Progress& progress) {
    on_progress(static_cast<double>(progress.done) / static_cast<double>(progress.total));
    return Request::proceed;
  };
}

/// For a solver whose number of iterations is not known in advance: each takes this fraction of
/// what is left of `share`, which begins at `first`.
Monitor monitor_of_iterations(const OnProgress& on_progress, double fraction, double first = 0.0,
                              double share = 1.0);

/// A unit of work whose result is saved, so that a kill loses at most the current part. The result
/// depends only on the study's options. It is a Record, of the type that the conclusion takes.
struct Part {
  std::string name;      ///< also of its file: letters, digits and =.,-
  double seconds = 1.0;  ///< measured on two cores, to estimate the time left
  std::function<std::any(const OnProgress&)> compute = {};
};

/// Draws the conclusion from the results of all parts: a function of `const std::vector<Result>&`,
/// where Result is the Record that the parts return. Also converts such a result to JSON and back.
class Conclusion {
 public:
  Conclusion() = default;
  template <Record Result>
  Conclusion(std::function<Results(const std::vector<Result>&)> conclude)
      : to_json_([](const std::any& result) { return Json(std::any_cast<const Result&>(result)); }),
        from_json_(&read_as<Result>),
        conclude_([conclude = std::move(conclude)](const std::vector<std::any>& parts) {
          std::vector<Result> results;
          results.reserve(parts.size());
          for (const std::any& part : parts) results.push_back(std::any_cast<Result>(part));
          return conclude(results);
        }) {}
  template <Record Result>
  Conclusion(Results (*conclude)(const std::vector<Result>&))
      : Conclusion(std::function(conclude)) {}

  Json json_of(const std::any& result) const { return to_json_(result); }
  /// Empty unless this is the JSON of a result: nothing is missing, superfluous or of another type.
  std::any result_of(const Json& json) const { return from_json_(json); }
  Results operator()(const std::vector<std::any>& parts) const { return conclude_(parts); }

 private:
  template <Record Result>
  static std::any read_as(const Json& json) {
    try {
      auto result = json.get<Result>();
      return Json(result) == json ? std::any(std::move(result)) : std::any();
    } catch (const Json::exception&) {
      return {};
    }
  }

  Json (*to_json_)(const std::any& result) = nullptr;
  std::any (*from_json_)(const Json& json) = nullptr;
  std::function<Results(const std::vector<std::any>& parts)> conclude_ = {};
};

struct Study {
  std::string name;      ///< on the command line
  std::string title;     ///< for people
  std::string question;  ///< in a sentence or two
  std::string source;    ///< where in the paper
  std::vector<Part> parts = {};
  Conclusion conclude = {};
};

Study table_m3(const StudyOptions& options);
Study table_m5(const StudyOptions& options);
Study table_runtime(const StudyOptions& options);
Study figure_expectile(const StudyOptions& options);
Study figure_soft_quantile(const StudyOptions& options);
Study figure_policies(const StudyOptions& options);
Study figure_gaps(const StudyOptions& options);
Study figure_costs(const StudyOptions& options);
Study counterexample(const StudyOptions& options);
Study discount(const StudyOptions& options);
Study averagers(const StudyOptions& options);
Study intervals(const StudyOptions& options);
Study platelet_week(const StudyOptions& options);

/// All of them, in the order of the report.
std::vector<Study> all_studies(const StudyOptions& options);

}  // namespace shortfall::studies
