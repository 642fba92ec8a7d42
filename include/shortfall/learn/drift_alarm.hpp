#pragma once

#include <cstdint>

#include "shortfall/learn/detail/batch_sums.hpp"

namespace shortfall::learn {

/// Watches the losses u_i = ω ℓ(δ_i) of a learner, whose mean is 0 once it has settled, and raises
/// an alarm when their mean moves away from 0: the world has changed, or the features never
/// represented it.
///
/// A sequential test of Chu, Stinchcombe and White (Econometrica 64, 1996), in rounds. In round
/// k = 1, 2, ... the m losses before time t are the reference, with mean ū and long-run deviation σ
/// by batch means (on the side of caution); the 2 m losses after t are watched. With D_j = Σ_{i≤j}
/// (u_i - ū) over those, there is an alarm as soon as
///
///   |D_j| > c σ √m (1 + j/m),   c = √(2/3) q,   P(sup_{s≤1} |W(s)| > q) = α_k = α / (k (k + 1)),
///
/// W Brownian motion: (W(s) - s N)/(1 + s), N normal, has the law of W(s/(1 + s)), and j/m ends at
/// 2. As Σ α_k = α, a stream that does not change gives a false alarm with probability at most α,
/// however long it is watched; c is enlarged by a ratio of Student's to normal quantiles, because σ
/// is estimated, and the bound is at least ten times the largest loss of the reference, so that
/// losses without noise raise none. The 2 m losses just watched are the next reference, so that t
/// and m double, up to a longest reference where the learner forgets: then m are watched.
///
/// What it rests on: losses of finite variance, with a memory far shorter than m. A reference whose
/// sixteen longest batches are still correlated is extended. Very heavy tails, and memories of
/// thousands of rows, give more false alarms in the first rounds than α. An alarm also needs a mean
/// that is farther from 0 than ū, as that of a learner that converges rarely is. The first losses
/// are left out. After an alarm a new reference is collected.
///
/// A change of the mean by Δ at the beginning of a round is found after about c σ √m / Δ losses, if
/// that is well below m; a smaller one may never be found.
///
/// O(1) time per loss; memory is allocated only where a round begins.
class DriftAlarm {
 public:
  static constexpr std::uint64_t unlimited = ~std::uint64_t{0};
  static constexpr std::uint64_t first_reference = 4096;

  DriftAlarm() : DriftAlarm(0.01) {}
  /// Throws InvalidInput unless 1e-9 ≤ α < 1.
  explicit DriftAlarm(double false_alarm_rate, std::uint64_t longest_reference = unlimited);

  /// True if this loss raises an alarm. Losses that are not finite are not counted.
  bool add(double loss);

  double false_alarm_rate() const { return rate_; }
  std::uint64_t losses() const { return losses_; }          ///< so far
  std::uint64_t alarms() const { return alarms_; }          ///< so far
  std::uint64_t last_alarm() const { return last_alarm_; }  ///< the number of its loss; 0: none

  template <class Archive>
  void archive(Archive& state) {
    batches_.archive(state);
    state(losses_);
    state(alarms_);
    state(last_alarm_);
    state(round_);
    state(reference_);
    state(is_watching_);
    state(seen_);
    state(mean_);
    state(bound_);
    state(sum_);
    state(largest_);
    state.check([this] { check_state(); });
  }

 private:
  void check_state() const;
  bool is_outside() const;
  std::uint64_t watch_length() const;
  void begin_round();
  void begin_reference();
  void begin_batches();

  double rate_;
  std::uint64_t longest_;
  BatchSums batches_{1, 1};  // of the losses seen
  std::uint64_t losses_ = 0;
  std::uint64_t alarms_ = 0;
  std::uint64_t last_alarm_ = 0;
  std::uint64_t round_ = 0;
  std::uint64_t reference_ = first_reference;  // m
  std::uint8_t is_watching_ = 0;               // or collecting a reference
  std::uint64_t seen_ = 0;                     // losses of the reference, or j
  double mean_ = 0.0;                          // ū
  double bound_ = 0.0;                         // c σ √m
  double sum_ = 0.0;                           // Σ u of the reference, or D_j
  double largest_ = 0.0;                       // |u| of those seen
};

/// The q with P(sup_{0≤s≤1} |W(s)| > q) = α, from 4 Σ_k (-1)^k P(N > (2k + 1) q).
double brownian_bound(double alpha);

}  // namespace shortfall::learn
