#include "mdp/elimination.hpp"

#include <numeric>

namespace shortfall {
namespace {

/// Later entries can be larger than earlier ones by any factor; beyond this factor they
/// are rescaled.
constexpr double rescale_above = 1e100;

/// Censors the chain to states 0..k-1: a path through state k becomes a direct transition.
void remove_last_state(double* rates, std::size_t n, std::size_t k) {
  const double* last = rates + k * n;
  const double leaving = std::accumulate(last, last + k, 0.0);
  for (std::size_t x = 0; x < k; ++x) {
    double* row = rates + x * n;
    if (row[k] == 0.0) continue;
    const double visits = row[k] / leaving;
    row[k] = visits;
    for (std::size_t y = 0; y < k; ++y) row[y] += visits * last[y];
  }
}

}  // namespace

std::vector<double> eliminate_stationary(std::vector<double> rates, std::size_t n) {
  for (std::size_t k = n; k-- > 1;) remove_last_state(rates.data(), n, k);

  std::vector<double> q(n, 0.0);
  q[0] = 1.0;
  double sum = 1.0;
  for (std::size_t k = 1; k < n; ++k) {
    for (std::size_t x = 0; x < k; ++x) q[k] += q[x] * rates[x * n + k];
    sum += q[k];
    if (sum > rescale_above) {
      for (std::size_t x = 0; x <= k; ++x) q[x] /= sum;
      sum = 1.0;
    }
  }
  for (double& probability : q) probability /= sum;
  return q;
}

}  // namespace shortfall
