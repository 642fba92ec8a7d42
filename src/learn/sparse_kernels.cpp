#include "shortfall/learn/detail/sparse_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace shortfall::learn::detail {

using features::SparseFeatures;

double sparse_dot(const double* theta, const SparseFeatures& phi) {
  double sum = 0.0;
  for (std::size_t k = 0; k < phi.size(); ++k) sum += theta[phi.index[k]] * phi.value[k];
  return sum;
}

namespace {

/// Reads sparse features once: whether they are an averager's, and use(θ_i, φ_i) for each.
template <class Use>
bool read_cells(std::span<const double> theta, const SparseFeatures& phi, const Use& use) {
  const std::size_t count = std::min(phi.index.size(), phi.value.size());
  const std::uint32_t* const index = phi.index.data();
  const double* const value = phi.value.data();
  double sum = 0.0;
  double lowest = 0.0;
  std::size_t least = 0;
  bool ascends = phi.index.size() == phi.value.size();
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = index[k];
    const bool exists = i < theta.size();
    ascends = ascends && i >= least && exists;
    least = i + 1;
    lowest = value[k] < lowest ? value[k] : lowest;
    sum += value[k];
    use(theta[exists ? i : 0], value[k]);
  }
  return ascends && lowest >= 0.0 && sum <= 1.0 + features::averager_slack(0);
}

}  // namespace

CellValues cell_values(std::span<const double> theta, const SparseFeatures& phi,
                       const SparseFeatures& phi_next) {
  double largest = 0.0;
  double next = 0.0;
  const bool now_is = read_cells(theta, phi, [&](double weight, double) {
    const double size = std::abs(weight);
    largest = size > largest ? size : largest;
  });
  const bool next_is =
      read_cells(theta, phi_next, [&](double weight, double value) { next += weight * value; });
  return {largest, next, now_is && next_is};
}

void add_losses(double* theta, double eta, double omega, const LossPoint* loss,
                const SparseFeatures& phi) {
  for (std::size_t k = 0; k < phi.size(); ++k) {
    theta[phi.index[k]] += eta * loss[k].value * omega * phi.value[k];
  }
}

}  // namespace shortfall::learn::detail
