#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/names/names.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "studies/record.hpp"

namespace shortfall::studies {

enum class Verdict {
  confirmed,
  refuted,
  not_reproduced,  ///< it held under none of our choices of what the paper leaves open, which says
                   ///< nothing about the choices that the paper made
  not_comparable,  ///< it is about another program on another machine
  open             ///< this run does not decide it
};
inline constexpr Names<Verdict, 5> verdict_names{{{"confirmed", Verdict::confirmed},
                                                  {"refuted", Verdict::refuted},
                                                  {"not-reproduced", Verdict::not_reproduced},
                                                  {"not-comparable", Verdict::not_comparable},
                                                  {"open", Verdict::open}}};
constexpr std::string_view to_string(Verdict verdict) {
  return shortfall::name_of(verdict, verdict_names);
}
void to_json(Json& json, Verdict verdict);
void from_json(const Json& json, Verdict& verdict);  ///< open if it is none of these texts

/// Whose statement it is. The two are counted apart.
enum class Origin { paper, ours };
inline constexpr Names<Origin, 2> origin_names{{{"paper", Origin::paper}, {"ours", Origin::ours}}};
constexpr std::string_view to_string(Origin origin) {
  return shortfall::name_of(origin, origin_names);
}
void to_json(Json& json, Origin origin);
void from_json(const Json& json, Origin& origin);  ///< paper if it is none of these texts

/// confirmed if it holds, otherwise refuted.
inline Verdict verdict_of(bool holds) {
  return holds ? Verdict::confirmed : Verdict::refuted;
}

/// A statement of the paper, or one of ours, with the computed result.
struct Finding {
  std::string claim;           ///< in our words
  std::string published = {};  ///< the paper's figures; empty where it has none
  std::string found;           ///< ours
  Verdict verdict = Verdict::open;
  Origin origin = Origin::paper;
  SHORTFALL_RECORD(claim, published, found, verdict, origin)
};

/// The same findings as statements of ours, of a study that the paper does not have.
std::vector<Finding> of_our_own(std::vector<Finding> findings);

/// How much of the scope of a statement was computed.
enum class Coverage { whole, sample };

/// Verdict on a statement about all settings: a sample can refute it, but not confirm it.
inline Verdict holds_everywhere(bool holds, Coverage coverage) {
  if (!holds) return Verdict::refuted;
  return coverage == Coverage::whole ? Verdict::confirmed : Verdict::open;
}

/// Verdict on a statement about some setting: a sample can confirm it, but not refute it.
inline Verdict holds_somewhere(bool holds, Coverage coverage) {
  if (holds) return Verdict::confirmed;
  return coverage == Coverage::whole ? Verdict::refuted : Verdict::open;
}

/// Verdict on a statement about the paper's computations: with less work or fewer settings it stays
/// open.
inline Verdict holds_as_computed(bool holds, Coverage coverage) {
  return coverage == Coverage::whole ? verdict_of(holds) : Verdict::open;
}

/// Verdict on "the mean difference is positive", by two standard errors either way.
inline Verdict is_positive(double mean, double standard_error) {
  if (mean > 2.0 * standard_error) return Verdict::confirmed;
  if (mean < -2.0 * standard_error) return Verdict::refuted;
  return Verdict::open;
}

/// Refuted if one is, confirmed if all are, else open.
inline Verdict all_of(const std::vector<Verdict>& verdicts) {
  Verdict result = Verdict::confirmed;
  for (const Verdict verdict : verdicts) {
    if (verdict == Verdict::refuted) return verdict;
    if (verdict == Verdict::open) result = verdict;
  }
  return result;
}

/// The smallest and the largest of some numbers.
struct Range {
  double least = infinity;
  double most = -infinity;

  void add(double number) {
    least = std::min(least, number);
    most = std::max(most, number);
  }
};

/// Numbers of findings by verdict.
struct Verdicts {
  int confirmed = 0;
  int refuted = 0;
  int not_reproduced = 0;
  int not_comparable = 0;
  int open = 0;

  void add(Verdict verdict);
  void add(const Verdicts& other);
  int all() const { return confirmed + refuted + not_reproduced + not_comparable + open; }
  /// "3 confirmed, 1 refuted", without those that are 0; "none" if all are.
  std::string text() const;
};

/// Findings of a document, those of the paper and ours.
struct VerdictsByOrigin {
  Verdicts paper = {};
  Verdicts ours = {};
};
VerdictsByOrigin count_verdicts(const Json& document);

/// When and where the documents of a report were computed, for its reader.
struct Computed {
  std::string commit = {};     ///< of the sources that the program was built from; empty: unknown
  std::string date = {};       ///< 2026-11-16; empty: unknown
  std::string processor = {};  ///< its model; empty: unknown
  int cores = 0;               ///< that the program may use; 0: unknown
  double seconds = 0.0;        ///< elapsed, for what this run computed; 0: nothing was computed
};

/// The findings of all documents as Markdown, each study with the command that computes it. The
/// line that begins with `source_hash_label` has the hash of the sources: cmake/source_hash.cmake
/// compares it with that of the tree.
inline constexpr std::string_view source_hash_label = "Hash of the sources:";
std::string markdown_of(const std::vector<Json>& documents, const Computed& computed);

}  // namespace shortfall::studies
