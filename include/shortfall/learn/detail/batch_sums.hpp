#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shortfall/learn/detail/state_checks.hpp"
#include "shortfall/learn/detail/vector_kernels.hpp"

namespace shortfall::learn {

/// Sums of vectors over batches of consecutive samples, of equal length, in memory that does not
/// grow: once there are 128 batches, neighbours are merged, so that there are always 64 to 128 of
/// them after the first 64 (dynamic batch means; Yeh and Schmeiser, Winter Simulation Conference,
/// 2000). With a longest length, batches that have it are no longer merged; the older half is
/// dropped.
///
/// Callers may ask for other numbers than 128 and 16; `most` is even.
///
/// The sums are written by the caller's own kernels: a learner adds its samples to `row()` instead
/// of to a total, which costs nothing.
class BatchSums {
 public:
  static constexpr std::size_t most = 128;
  static constexpr std::uint64_t first_length = 16;
  static constexpr std::uint64_t unlimited = ~std::uint64_t{0};

  struct Lengths {
    std::uint64_t first = first_length;
    std::uint64_t longest = unlimited;
  };

  /// A row holds `vectors` vectors of d numbers, each padded.
  BatchSums(std::size_t dimension, std::size_t vectors, std::uint64_t longest = unlimited)
      : BatchSums(dimension, vectors, most, {.first = first_length, .longest = longest}) {}
  BatchSums(std::size_t dimension, std::size_t vectors, std::size_t capacity, Lengths lengths)
      : dimension_(dimension),
        width_(vectors * padded(dimension)),
        capacity_(capacity),
        first_(std::min(lengths.first, lengths.longest)),
        longest_(lengths.longest),
        length_(first_),
        rows_(capacity * width_),
        weights_(capacity) {}

  /// The sums of the batch at hand.
  double* row() { return rows_.data() + count_ * width_; }
  const double* row() const { return rows_.data() + count_ * width_; }

  /// Counts a sample that was added to `row()`; true if it completes the batch. Then the caller
  /// reads the row, and calls `next`.
  bool count_sample(double weight) {
    weights_[count_] += weight;
    return ++filled_ == length_;
  }
  void next();
  void clear();

  std::size_t count() const { return count_; }      ///< complete batches
  std::uint64_t length() const { return length_; }  ///< samples in each
  std::uint64_t filled() const { return filled_; }  ///< samples in the batch at hand
  double weight_at_hand() const { return weights_[count_]; }
  const double* row(std::size_t k) const { return rows_.data() + k * width_; }
  double weight(std::size_t k) const { return weights_[k]; }  ///< Σ of the weights of batch k

  template <class Archive>
  void archive(Archive& state) {
    state(rows_, "batch_rows");
    state(weights_, "batch_weights");
    state(count_);
    state(length_);
    state(filled_);
    state.check([this] { check_state(); });
  }

 private:
  void check_state() const;
  void merge_pairs();
  void drop_older_half();

  std::size_t dimension_;
  std::size_t width_;
  std::size_t capacity_;
  std::uint64_t first_;
  std::uint64_t longest_;
  std::uint64_t length_;
  AlignedVector rows_;
  std::vector<double> weights_;
  std::uint64_t count_ = 0;
  std::uint64_t filled_ = 0;
};

}  // namespace shortfall::learn
