#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "shortfall/learn/any_learner.hpp"

namespace shortfall::studies {

/// What all learners of a study share.
struct LearnerDefaults {
  learn::AnyStep step = {};  ///< of td, td-lambda and averager-td
  std::optional<double> lambda = {};
  std::optional<std::uint64_t> warmup = {};  ///< of newton and averager-newton
  std::uint64_t average_from = 0;            ///< of `averaged`
  double initial = 0.0;                      ///< all weights at the start
};

/// A learner of a study, as it was asked for.
struct StudiedLearner {
  std::string name;               ///< as given: "td-lambda:0.6"
  learn::LearnerOptions options;  ///< loss and γ are those of the setting
  double initial = 0.0;           ///< all weights at the start

  /// Whether it has intervals: Newton methods, unless as published, and averages of decreasing
  /// steps.
  bool has_intervals() const;
  /// Whether the other one is the same learner under another name, as td-lambda:0.6 and :0.60.
  bool is_same(const StudiedLearner& other) const;
  learn::AnyLearner start(std::size_t dimension, const AnyLoss& loss, double gamma) const;
};

/// Parses ALGORITHM or ALGORITHM:VARIANT,.. with an algorithm of `learn` and as variants
///
///   a number      λ of td-lambda
///   averaged      the mean of the iterates, of td, td-lambda and averager-td
///   as-published  Newton's recursion as the paper prints it
///
/// as in "td", "td-lambda:0.6,averaged" and "newton:as-published". Throws InvalidInput.
StudiedLearner parse_learner(const std::string& text, const LearnerDefaults& defaults);

}  // namespace shortfall::studies
