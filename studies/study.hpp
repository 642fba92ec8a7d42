#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shortfall/monitor.hpp"
#include "shortfall/names.hpp"
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

enum class Verdict {
  confirmed,
  refuted,
  open  ///< this run does not decide it
};
inline constexpr Names<Verdict, 3> verdict_names{
    {{"confirmed", Verdict::confirmed}, {"refuted", Verdict::refuted}, {"open", Verdict::open}}};
constexpr std::string_view to_string(Verdict verdict) {
  return shortfall::name_of(verdict, verdict_names);
}
void to_json(Json& json, Verdict verdict);
void from_json(const Json& json, Verdict& verdict);  ///< open if it is none of these texts

/// confirmed if it holds, otherwise refuted.
inline Verdict verdict_of(bool holds) {
  return holds ? Verdict::confirmed : Verdict::refuted;
}

/// A statement of the paper, or one of ours about it, with the computed result.
struct Finding {
  std::string claim;           ///< in our words
  std::string published = {};  ///< the paper's figures; empty where it has none
  std::string found;           ///< ours
  Verdict verdict = Verdict::open;
  SHORTFALL_RECORD(claim, published, found, verdict)
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

/// A unit of work whose result is saved, so that a kill loses at most the current part. The result,
/// a Record as JSON, depends only on the study's options.
struct Part {
  std::string name;      ///< also of its file: letters, digits and =.,-
  double seconds = 1.0;  ///< measured on two cores, to estimate the time left
  std::function<Json(const OnProgress&)> compute = {};
};

/// Draws the conclusion from the results of all parts, read back from their files: a function of
/// `const std::vector<Result>&`, where Result is the type of the parts' results.
class Conclusion {
 public:
  Conclusion() = default;
  template <class Result>
  Conclusion(std::function<Results(const std::vector<Result>&)> conclude)
      : accepts_(&accepts_as<Result>),
        conclude_([conclude = std::move(conclude)](const std::vector<Json>& parts) {
          std::vector<Result> results;
          results.reserve(parts.size());
          for (const Json& part : parts) results.push_back(part.get<Result>());
          return conclude(results);
        }) {}
  template <class Result>
  Conclusion(Results (*conclude)(const std::vector<Result>&))
      : Conclusion(std::function(conclude)) {}

  /// Whether this is a result of a part: nothing is missing, superfluous or of another type.
  bool accepts(const Json& part) const { return accepts_(part); }
  Results operator()(const std::vector<Json>& parts) const { return conclude_(parts); }

 private:
  template <class Result>
  static bool accepts_as(const Json& part) {
    try {
      return Json(part.get<Result>()) == part;
    } catch (const Json::exception&) {
      return false;
    }
  }

  bool (*accepts_)(const Json& part) = nullptr;
  std::function<Results(const std::vector<Json>& parts)> conclude_ = {};
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
Study averagers(const StudyOptions& options);
Study intervals(const StudyOptions& options);
Study platelet_week(const StudyOptions& options);

/// All of them, in the order of the report.
std::vector<Study> all_studies(const StudyOptions& options);

}  // namespace shortfall::studies
