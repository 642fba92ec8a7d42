#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "shortfall/learn/detail/batch_sums.hpp"
#include "shortfall/learn/detail/newton_sums.hpp"
#include "shortfall/learn/detail/slope_samples.hpp"
#include "shortfall/learn/detail/state_checks.hpp"
#include "shortfall/learn/detail/vector_kernels.hpp"
#include "shortfall/learn/interval.hpp"
#include "shortfall/learn/status.hpp"
#include "shortfall/risk/loss.hpp"

namespace shortfall::learn {

struct NewtonOptions;

/// The default n₀: the larger of 500 and 10 d.
std::uint64_t default_warmup(std::size_t dimension);

/// The memory of UBSR-Newton in bytes: S in two parts and its inverse; the rest is linear in d.
double newton_memory(std::size_t dimension);

/// The statistics that UBSR-Newton keeps of its samples: the sums S = Σ ℓ' X Zᵀ, Σ ℓ X and Σ θ, the
/// inverse M of S and w = M Σ ℓ X. See newton.hpp for the recursion and for the samples that count.
///
/// An update reads and writes M once: the product of one sample is subtracted in the pass that
/// multiplies M by the next, `M + a bᵀ` with a and b pending. S itself is needed only for
/// inversions from scratch, so its products are collected and added sixteen at a time. Per update
/// that is 8 d² flops, of which 2 d² for S, and 16 d² bytes to and from M. Where the sixteen begin
/// does not affect the result, not even in the last bit.
///
/// S is inverted from scratch after the warm-up, then every `refactor_every` updates, and when
/// samples have changed it so much that the recursion has lost digits. A sample that multiplies the
/// determinant of S by f = 1 + ℓ' Zᵀu leaves a relative error of max(|f|, 1/|f|) roundings in M:
/// the factors above `large_factor` are multiplied, and S is inverted once the product exceeds
/// `largest_amplification`. While samples fade, S is also inverted each time n has grown by an
/// eighth, with the share of the fading samples at that time.
///
/// S counts as singular if it is closer than `near_singular` to a matrix without inverse, with its
/// entries measured relative to their size without cancellation in the sums, √ΣX_i² √Σ(ℓ'Z_j)². The
/// next attempt is then d samples later. Samples do not fade further while S would be singular
/// without them.
class InformationMatrix {
 public:
  struct Sample {
    const double* phi;
    const double* phi_next;  ///< null: the end of an episode
    double gamma;
    double weight;       ///< ω
    LossPoint residual;  ///< times ω
    double target;       ///< r
    double cost;         ///< c
  };

  static constexpr double near_singular = 1e-9;
  static constexpr double large_factor = 10.0;
  static constexpr double largest_amplification = 1e4;
  /// Sums are restarted whenever n has grown by this factor: early on, and once θ has settled.
  static constexpr double early_factor = 2.0;
  static constexpr double late_factor = 10.0;
  /// Intervals need slopes that change by at most this share of their sum.
  static constexpr double largest_doubt = 1.0;

  enum class LossShape { linear, curved };
  static LossShape shape_of(const SlopeBounds& slopes) {
    return slopes.lower == slopes.upper ? LossShape::linear : LossShape::curved;
  }

  /// What a feature does that has not occurred in any sample: it makes S singular; or its row of
  /// S θ = -Σ r X, which has no terms yet, says that its weight stays as it is. That row counts
  /// until the first inversion after the feature occurs, as much as an average sample.
  enum class Unseen { is_singular, keeps_weight };

  InformationMatrix(std::size_t dimension, const NewtonOptions& options, LossShape shape,
                    Unseen unseen = Unseen::is_singular);

  /// Adds a sample taken at θ (padded), and updates θ if there is an inverse.
  LearnerStatus add(const Sample& sample, AlignedVector& theta) {
    add_part(sample, theta);
    return complete(sample.weight, theta);
  }
  /// The same for a sample in several parts, all taken at the same θ, with the sum of their weights
  /// at the end. Batches, warm-up, shares and counts are of whole samples.
  void add_part(const Sample& part, AlignedVector& theta);
  LearnerStatus complete(double weight, AlignedVector& theta);

  /// Whether it is time to judge the slopes: n has grown by a quarter since the last time.
  bool is_doubt_due() const { return samples_ >= next_doubt_; }
  /// Judges them by ℓ' at θ (padded): by how much their sum over some samples changes, as a share
  /// of the smaller sum, if all errors are five standard errors larger, or smaller.
  double doubt() const { return doubt_; }
  void update_doubt(const std::function<double(double)>& slope, const AlignedVector& theta);

  /// An interval for φᵀθ*; see Newton::interval.
  Interval interval(std::span<const double> phi, std::span<const double> theta,
                    const IntervalOptions& options) const;

  bool is_as_published() const { return memory_ == Memory::published; }
  std::uint64_t warmup() const { return warmup_; }
  std::uint64_t refactor_every() const { return refactor_every_; }
  /// The number of inversions from scratch, and of failed ones.
  std::uint64_t inversions() const { return inversions_; }
  std::uint64_t failed_inversions() const { return failed_inversions_; }
  /// The distance of S from singularity at the last inversion, at most about 1; 0 before the first.
  double distance_to_singularity() const { return distance_; }

  template <class Archive>
  void archive(Archive& state) {
    recent_.archive(state, recent_names);
    if (memory_ == Memory::renewed) fading_.archive(state, fading_names);
    state(share_);
    state(fading_from_);
    state(recent_from_);
    state(moved_at_);
    batches_.archive(state);
    if (state.version() >= 3) {
      slopes_.archive(state);
      state(doubt_);
      state(next_doubt_);
    } else {
      doubt_ = 0.0;  // not judged by the version that wrote it
      next_doubt_ = 0;
    }
    state(theta_sum_, "theta_sum");
    state(inverse_, "inverse");
    state(column_, "column");
    state(row_, "row");
    state(root_, "root");
    state(products_x_, "products_x");
    state(products_z_, "products_z");
    state(products_);
    state(samples_);
    state(next_inversion_);
    std::uint8_t invertible = invertible_ ? 1 : 0;
    state(invertible);
    state.check([&] { detail::check_count("invertible", invertible, 0, 1); });
    invertible_ = invertible == 1;
    state(inversions_);
    state(failed_inversions_);
    state(distance_);
    state(amplification_);
  }

  /// Throws InvalidInput, which names the field, unless this is a possible state of a learner with
  /// this number of updates and this status.
  void check_state(std::uint64_t updates, LearnerStatus status) const;

 private:
  static constexpr std::size_t products_at_once = 16;
  static constexpr NewtonSums::Names recent_names{"sum", "target_sum", "x_squares", "z_squares"};
  static constexpr NewtonSums::Names fading_names{"fading_sum", "fading_target_sum",
                                                  "fading_x_squares", "fading_z_squares"};
  enum class Memory { renewed, whole, forgetting, published };
  static Memory memory_of(const NewtonOptions& options, LossShape shape);

  void collect(const Sample& sample, const AlignedVector& theta);
  bool recurse(const Sample& sample, AlignedVector& theta);
  double mean_scale() const;
  void add_products();
  void invert(const AlignedVector& theta);
  bool invert_with(double share, const AlignedVector& theta);
  void keep_unseen_weights(const AlignedVector& theta);
  double share_now() const;
  void settle();
  void restart_sums();
  void end_batch(const AlignedVector& theta);
  void forget(std::uint64_t length);
  double weight() const;               // Σ g ω
  double variance_per_sample() const;  // Σ g² / (Σ g ω)²
  bool is_settled() const;
  std::size_t first_batch_in_use() const;
  /// Sums over equal groups of batches.
  struct Groups {
    static constexpr std::size_t count = 16;
    AlignedVector rows;           // as those of batches
    std::vector<double> weights;  // Σ ω
    std::uint64_t length = 0;     // samples in each
  };
  bool is_ready_for_intervals() const;
  void set_direction(const double* phi, AlignedVector& direction) const;
  void group_batches();
  double deviation_by_groups(const double* phi, double value);
  std::uint64_t settling_samples() const;
  std::uint64_t samples_to_doubt() const;
  bool has_scores(std::span<const double> phi, std::size_t first) const;
  void solve_for_theta(AlignedVector& theta);
  LearnerStatus status() const;
  std::uint64_t later(std::uint64_t samples) const;
  std::uint64_t updates_to_inversion() const;
  void check_counts(std::uint64_t updates) const;
  void check_inverse() const;
  void check_sums() const;

  std::size_t dimension_;
  Memory memory_;
  Unseen unseen_;
  std::uint64_t warmup_;
  std::uint64_t refactor_every_;
  double half_life_;  // of forgetting, else 0
  const VectorKernels* kernels_ = &vector_kernels();

  NewtonSums recent_;   // of the samples after recent_from_, without those still collected
  NewtonSums fading_;   // of those after fading_from_; empty unless renewed
  double share_ = 1.0;  // of each fading sample
  std::uint64_t fading_from_ = 0;
  std::uint64_t recent_from_ = 0;
  std::uint64_t moved_at_ = 0;  // the sample after which θ first moved
  BatchSums batches_;           // Σ ω ℓ X and Σ ω θ of each batch since then
  SlopeSamples slopes_;         // some of their samples
  double doubt_ = std::numeric_limits<double>::infinity();  // about slopes; ∞: not yet known
  std::uint64_t next_doubt_ = std::numeric_limits<std::uint64_t>::max();  // judged then
  Groups groups_;                                                         // scratch
  AlignedVector direction_;                                               // scratch
  AlignedVector theta_sum_;     // as published Σ ω θ, else θ at the end of the last batch
  AlignedVector inverse_;       // M without the pending product
  AlignedVector column_, row_;  // a and b: M is inverse_ + a bᵀ
  AlignedVector root_;          // w
  AlignedVector products_x_, products_z_;  // X and ℓ' Z of the samples not yet in recent_
  AlignedVector z_, mx_, mtz_;             // Z, MX, MᵀZ of the current sample
  std::vector<double> sizes_;              // of the rows and columns of S, for the inversion
  std::vector<double> scratch_;            // of the inversion
  std::uint64_t products_ = 0;             // samples not yet in recent_.products
  std::uint64_t samples_ = 0;
  std::uint64_t next_inversion_;  // due at this number of samples
  bool invertible_ = false;       // whether inverse_ is that of S
  std::uint64_t inversions_ = 0;
  std::uint64_t failed_inversions_ = 0;
  double distance_ = 0.0;
  double amplification_ = 1.0;  // of rounding in inverse_, since the last inversion
};

}  // namespace shortfall::learn
