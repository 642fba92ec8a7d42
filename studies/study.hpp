#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "report/rows.hpp"

/// Every table and figure of Wang and Delage, recomputed: one file each.
namespace shortfall::studies {

using report::Json;

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
std::string_view to_string(Verdict verdict);

/// confirmed if it holds, otherwise refuted.
inline Verdict verdict_of(bool holds) {
  return holds ? Verdict::confirmed : Verdict::refuted;
}

/// A statement of the paper, or one of ours about it, with the computed result.
struct Finding {
  std::string claim;      ///< in our words
  std::string published;  ///< the paper's figures; empty where it has none
  std::string found;      ///< ours
  Verdict verdict = Verdict::open;
};

/// The results of a study. Tables are lists of flat objects, all with the same keys: numbers, text,
/// Booleans, or null for a missing value. Infinity and NaN are written as null.
struct Results {
  std::vector<Finding> findings = {};
  Json tables = Json::object();
};

/// Called with the fraction of a part that is done.
using OnProgress = std::function<void(double)>;

/// A unit of work whose result is saved, so that a kill loses at most the current part. The result
/// depends only on the study's options. `conclude` receives it as read back from the file.
struct Part {
  std::string name;      ///< also of its file: letters, digits and =.,-
  double seconds = 1.0;  ///< measured on two cores, to estimate the time left
  std::function<Json(const OnProgress&)> compute = {};
};

struct Study {
  std::string name;      ///< on the command line
  std::string title;     ///< for people
  std::string question;  ///< in a sentence or two
  std::string source;    ///< where in the paper
  std::vector<Part> parts = {};
  std::function<Results(const std::vector<Json>& parts)> conclude = {};
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

/// All of them, in the order of the report.
std::vector<Study> all_studies(const StudyOptions& options);

}  // namespace shortfall::studies
