#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rows.hpp"

/// Every table and figure of Wang and Delage, computed anew: one file each.
namespace shortfall::studies {

using report::Json;

enum class Scale {
  full,  ///< as published
  quick  ///< fewer runs, iterations and settings: the same kinds of results within a minute
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

/// confirmed where it holds, refuted where it does not.
inline Verdict verdict_of(bool holds) {
  return holds ? Verdict::confirmed : Verdict::refuted;
}

/// A statement of the paper's, or one of ours about it, with what was computed.
struct Finding {
  std::string claim;      ///< in our words
  std::string published;  ///< the paper's figures; empty where it has none
  std::string found;      ///< ours
  Verdict verdict = Verdict::open;
};

/// What a study found. Tables are lists of flat objects, all with the same keys: numbers, text,
/// truth values, or null for what is not there. Infinity and NaN are written as null.
struct Results {
  std::vector<Finding> findings = {};
  Json tables = Json::object();
};

/// Told which fraction of a part is done.
using OnProgress = std::function<void(double)>;

/// The work between two moments at which a kill loses nothing. Its result depends on the study's
/// options alone, and is kept as text: `conclude` sees what was read back.
struct Part {
  std::string name;      ///< of its file: letters, digits and =.,-
  double seconds = 1.0;  ///< that it took once, on two cores: for the time left
  std::function<Json(const OnProgress&)> compute = {};
};

struct Study {
  std::string name;      ///< on the command line
  std::string title;     ///< for people
  std::string question;  ///< what is asked, in a sentence or two
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
