#pragma once

#include <string_view>
#include <vector>

#include "studies/study.hpp"

namespace shortfall::studies {

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

}  // namespace shortfall::studies
