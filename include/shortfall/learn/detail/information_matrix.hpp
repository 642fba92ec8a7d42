#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shortfall/learn/detail/state_checks.hpp"
#include "shortfall/learn/detail/vector_kernels.hpp"
#include "shortfall/learn/status.hpp"
#include "shortfall/risk/loss.hpp"

namespace shortfall::learn {

struct NewtonOptions;

/// The default n₀: the larger of 500 and 10 d.
std::uint64_t default_warmup(std::size_t dimension);

/// The memory of UBSR-Newton in bytes: S and its inverse; the rest is linear in d.
double newton_memory(std::size_t dimension);

/// The statistics that UBSR-Newton keeps of its samples: the sums S = Σ ℓ' X Zᵀ, Σ ℓ X and Σ θ, the
/// inverse M of S and w = M Σ ℓ X. See newton.hpp for the recursion.
///
/// An update reads and writes M once: the product of one sample is subtracted in the pass that
/// multiplies M by the next, `M + a bᵀ` with a and b pending. S itself is needed only for
/// inversions from scratch, so its products are collected and added in batches of sixteen. Per
/// update that is 8 d² flops, of which 2 d² in the batch, and 16 d² bytes to and from M. Where the
/// batches begin does not affect the result, not even in the last bit.
///
/// S is inverted from scratch after the warm-up, then every `refactor_every` updates, and when
/// samples have changed it so much that the recursion has lost digits. A sample that multiplies the
/// determinant of S by f = 1 + ℓ' Zᵀu leaves a relative error of max(|f|, 1/|f|) roundings in M:
/// the factors above `large_factor` are multiplied, and S is inverted once the product exceeds
/// `largest_amplification`.
///
/// S counts as singular if it is closer than `near_singular` to a matrix without inverse, with its
/// entries measured relative to their size without cancellation in the sums, √ΣX_i² √Σ(ℓ'Z_j)². The
/// next attempt is then d samples later.
class InformationMatrix {
 public:
  struct Sample {
    const double* phi;
    const double* phi_next;  ///< null: the end of an episode
    double gamma;
    LossPoint residual;
  };

  static constexpr double near_singular = 1e-9;
  static constexpr double large_factor = 10.0;
  static constexpr double largest_amplification = 1e4;

  InformationMatrix(std::size_t dimension, const NewtonOptions& options);

  /// Adds a sample taken at θ (padded), and updates θ if there is an inverse.
  LearnerStatus add(const Sample& sample, AlignedVector& theta);

  std::uint64_t warmup() const { return warmup_; }
  std::uint64_t refactor_every() const { return refactor_every_; }
  /// The number of inversions from scratch, and of failed ones.
  std::uint64_t inversions() const { return inversions_; }
  std::uint64_t failed_inversions() const { return failed_inversions_; }
  /// The distance of S from singularity at the last inversion, at most about 1; 0 before the first.
  double distance_to_singularity() const { return distance_; }

  template <class Archive>
  void archive(Archive& state) {
    state(sum_, "sum");
    state(inverse_, "inverse");
    state(column_, "column");
    state(row_, "row");
    state(root_, "root");
    state(loss_sum_, "loss_sum");
    state(theta_sum_, "theta_sum");
    state(batch_x_, "batch_x");
    state(batch_z_, "batch_z");
    state(batch_);
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
    state(x_squares_, "x_squares");
    state(z_squares_, "z_squares");
  }

  /// Throws InvalidInput, which names the field, unless this is a possible state of a learner with
  /// this number of updates and this status.
  void check_state(std::uint64_t updates, LearnerStatus status) const;

 private:
  static constexpr std::size_t batch_size = 16;
  void collect(const Sample& sample, const AlignedVector& theta);
  bool recurse(const LossPoint& residual, AlignedVector& theta);
  void flush_batch();
  void invert();
  void solve_for_theta(AlignedVector& theta);
  LearnerStatus status() const;
  std::uint64_t later(std::uint64_t samples) const;
  void check_counts(std::uint64_t updates) const;
  void check_inverse() const;
  void check_sums() const;

  std::size_t dimension_;
  std::uint64_t warmup_;
  std::uint64_t refactor_every_;
  const VectorKernels* kernels_ = &vector_kernels();

  AlignedVector sum_;                    // S without the batch; d rows, padded
  AlignedVector inverse_;                // M without the pending product
  AlignedVector column_, row_;           // a and b: M is inverse_ + a bᵀ
  AlignedVector root_;                   // w
  AlignedVector loss_sum_;               // Σ ℓ X
  AlignedVector theta_sum_;              // Σ θ
  AlignedVector batch_x_, batch_z_;      // X and ℓ' Z of the samples not yet in sum_
  AlignedVector x_squares_, z_squares_;  // ΣX² and Σ(ℓ' Z)², by component
  AlignedVector z_, mx_, mtz_;           // Z, MX, MᵀZ of the current sample
  std::vector<double> sizes_;            // of the rows and columns of S, for the inversion
  std::vector<double> scratch_;          // of the inversion
  std::uint64_t batch_ = 0;              // samples in the batch
  std::uint64_t samples_ = 0;
  std::uint64_t next_inversion_;  // due at this number of samples
  bool invertible_ = false;       // whether inverse_ is that of S
  std::uint64_t inversions_ = 0;
  std::uint64_t failed_inversions_ = 0;
  double distance_ = 0.0;
  double amplification_ = 1.0;  // of rounding in inverse_, since the last inversion
};

}  // namespace shortfall::learn
