#include <vector>

#include "require.hpp"
#include "shortfall/learn/detail/information_matrix.hpp"

namespace shortfall::learn {
/// With a = H⁻ᵀφ, the sum over batch j of g ω (aᵀs - φᵀθ + φᵀθ_n).
Interval InformationMatrix::interval(std::span<const double> phi, std::span<const double> theta,
                                     const IntervalOptions& options) const {
  require(memory_ != Memory::published,
          "an interval for Newton as published; accepted: Newton without as_published");
  detail::check_level(options.level);
  AlignedVector feature(padded(dimension_));
  std::copy(phi.begin(), phi.end(), feature.begin());
  const double value = kernels_->dot(feature.data(), theta.data(), dimension_);
  if (!invertible_ || !is_settled()) return detail::no_interval_yet(value);

  AlignedVector direction(padded(dimension_));  // Mᵀφ
  for (std::size_t i = 0; i < dimension_; ++i) {
    kernels_->add_scaled(direction.data(), phi[i], inverse_.data() + i * padded(dimension_),
                         dimension_);
  }
  const double pending = kernels_->dot(column_.data(), phi.data(), dimension_);
  kernels_->add_scaled(direction.data(), pending, row_.data(), dimension_);
  const double total = weight();

  const std::uint64_t begin = memory_ == Memory::forgetting ? 0 : samples_ / 10;
  const std::uint64_t end = samples_ - batches_.filled();
  std::vector<double> y;
  for (std::size_t k = 0; k < batches_.count(); ++k) {
    const std::uint64_t start = end - (batches_.count() - k) * batches_.length();
    if (start < begin) continue;
    const double* const scores = batches_.row(k);
    const double* const iterates = scores + padded(dimension_);
    y.push_back(total * kernels_->dot(direction.data(), scores, dimension_) -
                kernels_->dot(feature.data(), iterates, dimension_) + batches_.weight(k) * value);
  }
  if (y.size() < detail::fewest_batches) return detail::no_interval_yet(value);
  return detail::interval_from(value, y, batches_.length(), variance_per_sample(),
                               options.method.value_or(IntervalMethod::batch_means), options.level);
}

}  // namespace shortfall::learn
