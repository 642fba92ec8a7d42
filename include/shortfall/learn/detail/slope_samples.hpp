#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shortfall/learn/detail/vector_kernels.hpp"
#include "shortfall/risk/loss.hpp"

namespace shortfall::learn {

/// Transitions seen lately, one of each batch at random, to find out whether the mean field is
/// linear where θ_n may be, as an interval supposes. It is not where residuals c + Zᵀθ lie as close
/// to a kink of ℓ as they are uncertain, on one side of it: then ℓ bends between θ_n and the limit.
class SlopeSamples {
 public:
  static constexpr std::size_t most = 128;
  static constexpr std::size_t fewest = 32;

  explicit SlopeSamples(std::size_t dimension)
      : dimension_(dimension), x_(most * padded(dimension)), z_(x_), cost_(most) {}

  /// X and Z are padded; `cost` has the weight ω.
  void add(const double* x, const double* z, double cost, double weight) {
    const std::size_t k = added_++ % most;
    const std::size_t at = k * padded(dimension_);
    for (std::size_t i = 0; i < padded(dimension_); ++i) {
      x_[at + i] = weight * x[i];
      z_[at + i] = z[i];
    }
    cost_[k] = cost;
  }
  std::size_t size() const { return std::min<std::uint64_t>(added_, most); }

  /// The root mean square, over `others` (padded) and their mirror images at θ, of what linearity
  /// leaves out: of aᵀ E[X (ℓ(δ') - ℓ(δ) - ℓ'(δ) (δ' - δ))], δ at θ and δ' at the other.
  template <class L>
  double bend(const L& loss, const AlignedVector& theta, std::span<const AlignedVector> others,
              const AlignedVector& a) const {
    std::vector<double> bends(2 * others.size());
    for (std::size_t k = 0; k < size(); ++k) {
      const std::size_t at = k * padded(dimension_);
      const double share = kernels_->dot(a.data(), x_.data() + at, dimension_);
      const auto residual = [&](const AlignedVector& weights) {
        return cost_[k] + kernels_->dot(weights.data(), z_.data() + at, dimension_);
      };
      const double now = residual(theta);
      const LossPoint point = loss.at(now);
      for (std::size_t j = 0; j < others.size(); ++j) {
        const double step = residual(others[j]) - now;
        const double tangent = point.left_slope * step;
        bends[2 * j] += share * (loss.at(now + step).value - point.value - tangent);
        bends[2 * j + 1] += share * (loss.at(now - step).value - point.value + tangent);
      }
    }
    double square = 0.0;
    for (const double bend : bends) square += bend * bend;
    return std::sqrt(square / static_cast<double>(bends.size())) / static_cast<double>(size());
  }

  template <class Archive>
  void archive(Archive& state) {
    state(x_, "sampled_x");
    state(z_, "sampled_z");
    state(cost_, "sampled_costs");
    state(added_);
    state.check([this] { check_state(); });
  }

 private:
  void check_state() const;

  std::size_t dimension_;
  AlignedVector x_;  // rows ω X
  AlignedVector z_;  // rows Z
  std::vector<double> cost_;
  std::uint64_t added_ = 0;
  const VectorKernels* kernels_ = &vector_kernels();
};

}  // namespace shortfall::learn
