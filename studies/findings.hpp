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

/// Findings of a document by verdict.
struct Verdicts {
  int confirmed = 0;
  int refuted = 0;
  int open = 0;
};
Verdicts count_verdicts(const Json& document);

/// The findings of all documents as Markdown, each study with the command that computes it.
std::string markdown_of(const std::vector<Json>& documents);

}  // namespace shortfall::studies
