#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "shortfall/learn/detail/batch_sums.hpp"
#include "shortfall/learn/detail/vector_kernels.hpp"

namespace shortfall::learn {

/// The mean of the last half of a learner's iterates θ_1, .., θ_n, and whether it has settled, in
/// O(d) memory: sums over 16 to 32 batches of equal length, which doubles when there are 32. The
/// mean is that of the later half of the complete batches, made again at the end of each, so that
/// it is of n/2 iterates, give or take n/16, and at most n/16 updates old.
///
/// An update adds Δ to θ, and costs O(|Δ|) here, too: with W = Σ (k - 1) Δ_k over the m updates of
/// a batch, its iterates have the sum m θ - W. The learner adds `lag() Δ` to `row()` itself.
///
/// Where a chain has memory, or a loss is curved, the mean of iterates with steps η is off by b η +
/// o(η); and where θ still travels from its start, it does so while η decreases. Both make the
/// means of batches a function of their mean steps η_k, so that the slope of their regression on
/// η_k, from n/12 on, times η tells by how much the reported mean is off. `movement()` is the
/// largest of these errors, or of the changes from the third to the last quarter of the iterates,
/// which show noise, of the values at 32 states seen lately, as a share of the largest of these
/// values. Settled means that it is at most `settled_movement`. It is judged four times while n
/// doubles, and cannot be told from fewer than 256 iterates, nor where steps were so small that
/// weights still remember their start: where Σ η_n ℓ'(δ_n) |φ|² is below three times the number of
/// weights that have moved, as it is after one outlier among features.
///
/// What it does not see: values that move by less than that, but for much longer than the run has
/// lasted, and states that were not visited lately.
class IterateMeans {
 public:
  static constexpr std::size_t most_batches = 32;
  static constexpr std::size_t samples = 32;
  static constexpr std::uint64_t fewest_iterates = 256;
  static constexpr double settled_movement = 0.02;
  static constexpr double least_exposure = 3.0;

  /// What is sampled of a state: its features, or for averagers one of its cells.
  enum class Sample { features, cell };
  struct Update {
    double step;  ///< η
    double gain;  ///< η ℓ'(δ) |φ|²
  };

  /// `longest`: of a batch, for a world that changes.
  IterateMeans(std::size_t dimension, Sample sample, std::uint64_t longest = BatchSums::unlimited);

  /// Where the learner adds lag() Δ, before it counts the iterate.
  double* row() { return batches_.row(); }
  double lag() const { return static_cast<double>(batches_.filled()); }
  /// Whether the state of this update is to be sampled.
  bool is_sampled() const { return batches_.filled() == sampled_at_; }
  void sample(std::span<const double> phi);
  void sample_cell(std::size_t cell) { cells_[completed_ % samples] = cell; }
  /// Counts the iterate θ, after all this. `mean` (padded) changes at the end of a batch.
  void count(const Update& update, const AlignedVector& theta, AlignedVector& mean) {
    exposure_ += update.gain;
    if (batches_.count_sample(update.step)) [[unlikely]]
      end_batch(theta, mean);
  }
  /// NaN as long as it cannot be told.
  double movement() const { return movement_; }
  bool is_settled() const { return movement_ <= settled_movement; }

  template <class Archive>
  void archive(Archive& state) {
    batches_.archive(state);
    state(states_, "sampled_states");
    state(cells_, "sampled_cells");
    state(sampled_at_);
    state(completed_);
    state(exposure_);
    state(movement_);
    state.check([this] { check_state(); });
  }

 private:
  void end_batch(const AlignedVector& theta, AlignedVector& mean);
  template <class Coefficient>
  void combine(AlignedVector& sum, std::size_t first, const Coefficient& coefficient);
  void set_mean(AlignedVector& mean);
  bool is_time_to_judge() const;
  void judge(const AlignedVector& mean);
  double largest_error();
  double largest_change();
  double largest_value(const AlignedVector& weights) const;
  bool remembers_start(const AlignedVector& mean) const;
  void check_state() const;

  std::size_t dimension_;
  Sample kind_;
  BatchSums batches_;                 // with the sums of their steps as weights
  AlignedVector states_;              // the features of sampled states, or
  std::vector<std::uint64_t> cells_;  // sampled cells
  std::uint64_t sampled_at_ = 0;      // the update of this batch whose state is sampled
  std::uint64_t completed_ = 0;       // batches, of whatever length
  double exposure_ = 0.0;             // Σ η ℓ' |φ|²
  double movement_ = std::numeric_limits<double>::quiet_NaN();
  AlignedVector change_;  // scratch
  const VectorKernels* kernels_ = &vector_kernels();
};

}  // namespace shortfall::learn
