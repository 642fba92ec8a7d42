#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "shortfall/learn/any_step.hpp"
#include "shortfall/learn/averager_learner.hpp"
#include "shortfall/learn/detail/settling.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::learn {

/// Averager TD: UBSR-TD in which every active cell has an error of its own,
///
///   θ_i ← θ_i + η_n φ_i(X_n) ℓ(c_n + γ φ(X_{n+1})ᵀθ - θ_i)     for every i with φ_i(X_n) > 0,
///
/// all at the old θ. The features must satisfy φ ≥ 0 and Σφ ≤ 1 (averager_learner.hpp has the
/// limit, and why there is no condition on γ or on the loss). Steps must satisfy the assumption of
/// step_size.hpp, and each cell must be visited again and again. A step with η_n φ_i S ≤ 1, S the
/// largest slope of ℓ, moves θ_i at most to its target. Steps, result and status are as in Td; for
/// scaled steps R is the largest ω φ_i so far.
///
/// For hard aggregation, where one feature is 1 and the others are 0, it is UBSR-TD, bit for bit.
/// The time is that of the active features, O(d) only where all d are passed; an update allocates
/// nothing.
///
///   AveragerTd td(map.dimension(), Expectile(0.9), 0.99);
///   map.write_active(x, phi);
///   map.write_active(x_next, phi_next);
///   td.update(phi, cost, phi_next);
///
/// Check: θ = 0, η = 1, γ = 1/2, φ = (1/4, 3/4), φ' = (0, 1), c = 8, ℓ(x) = x: θ becomes (2, 6).
template <Loss L = AnyLoss, StepSize S = AnyStep>
class AveragerTd : public AveragerLearner<AveragerTd<L, S>, L> {
 public:
  AveragerTd(std::size_t dimension, L loss, double gamma, S step = S())
      : AveragerLearner<AveragerTd, L>(dimension, std::move(loss), gamma),
        settling_(dimension, IterateMeans::Sample::cell, this->loss_.slope_bounds(),
                  std::move(step)) {
    settling_.begin(this->mean_, this->status_, padded(dimension));
  }

  std::optional<double> movement() const { return settling_.movement(); }  ///< as in Td

  void start_episode() {}  ///< does nothing: an update uses only its own transition

  template <class Archive>
  void archive(Archive& state) {
    this->archive_linear(state);
    settling_.archive(state);
    state.check([this] { detail::check_status_of_td(this->status_); });
  }

 private:
  friend AveragerLearner<AveragerTd, L>;

  LearnerStatus move(const AveragerSample& sample) {
    if (settling_.is_scaled()) include_cells(sample);
    const double step = settling_.step(this->updates_);
    if (!(std::abs(step * sample.largest_loss * sample.weight) <= this->largest_step)) [[unlikely]]
      return LearnerStatus::diverged;
    detail::add_losses(this->theta_.data(), step, sample.weight, sample.loss.data(), sample.phi);
    if (!settling_.is_scaled()) return LearnerStatus::ok;
    IterateMeans& means = *settling_.means();
    detail::add_losses(means.row(), means.lag() * step, sample.weight, sample.loss.data(),
                       sample.phi);
    if (means.is_sampled() && sample.phi.size() > 0) [[unlikely]]
      means.sample_cell(largest_cell(sample.phi));
    means.count({.step = step, .gain = step * gain(sample)}, this->theta_, this->mean_);
    return settling_.status();
  }

  void include_cells(const AveragerSample& sample) {
    for (std::size_t k = 0; k < sample.phi.size(); ++k) {
      const std::size_t cell = sample.phi.index[k];
      settling_.include(sample.weight * sample.phi.value[k], sample.loss[k],
                        sample.cost + sample.next - this->theta_[cell]);
    }
  }

  static std::size_t largest_cell(const SparseFeatures& phi) {
    return phi
        .index[static_cast<std::size_t>(std::ranges::max_element(phi.value) - phi.value.begin())];
  }

  /// Σ ω φ_i ℓ'(δ_i): how much of its error each cell makes up for, in total.
  static double gain(const AveragerSample& sample) {
    double sum = 0.0;
    for (std::size_t k = 0; k < sample.phi.size(); ++k) {
      sum += sample.phi.value[k] * sample.loss[k].left_slope;
    }
    return sample.weight * sum;
  }

  detail::Settling<S> settling_;
};

}  // namespace shortfall::learn
