#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "shortfall/learn/detail/batch_sums.hpp"

namespace shortfall::learn {

/// A few of Newton's samples, one at a random place of each of the last 32 batches, to tell whether
/// the slopes that S sums are those around the estimate. They are not where much of the law of the
/// errors δ lies so close to a kink that θ, while it moved or by its remaining error, is on both
/// sides: S is then a mixture of two matrices, and no interval can rest on it.
class SlopeSamples {
 public:
  static constexpr std::size_t most = 32;

  struct Sample {
    const double* z;  ///< Z, padded
    double cost;      ///< c
    double weight;    ///< ω
  };

  /// Keeps none if the dimension is 0.
  explicit SlopeSamples(std::size_t dimension)
      : dimension_(dimension), z_(most * padded(dimension)), rest_(dimension > 0 ? 2 * most : 0) {
    clear();
  }

  /// Whether a sample after this many of its batch is to be kept.
  bool is_next(std::uint64_t filled) const { return filled == kept_at_; }
  bool is_used() const { return dimension_ > 0; }
  void keep(const Sample& sample);
  /// At the end of a batch: the next one has this length.
  void next_batch(std::uint64_t length);
  void clear() {
    completed_ = 0;
    kept_at_ = is_used() ? 0 : std::numeric_limits<std::uint64_t>::max();
  }

  std::size_t size() const { return completed_ < most ? completed_ : most; }
  Sample operator[](std::size_t k) const {
    return {z_.data() + k * padded(dimension_), rest_[2 * k], rest_[2 * k + 1]};
  }

  template <class Archive>
  void archive(Archive& state) {
    state(z_, "kept_z");
    state(rest_, "kept_samples");
    state(kept_at_);
    state(completed_);
  }
  /// Throws InvalidInput, which names the field, unless batches of this length may have left it.
  void check_state(std::uint64_t length) const;

 private:
  std::size_t dimension_;
  AlignedVector z_;           // rows of padded length
  std::vector<double> rest_;  // c and ω of each
  std::uint64_t kept_at_;
  std::uint64_t completed_;  // batches
};

}  // namespace shortfall::learn
