#include "inventory/nested_binomials.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "shortfall/inventory/stock_index.hpp"

namespace shortfall::inventory {
namespace {

constexpr std::size_t zeros_behind = 3;

/// From the law of r trials to that of r + 1. All terms are positive: no digit is lost.
void add_trial(std::vector<double>& law, double success) {
  law.push_back(0.0);
  for (std::size_t k = law.size() - 1; k >= 1; --k) {
    law[k] = law[k] * (1.0 - success) + law[k - 1] * success;
  }
  law[0] *= 1.0 - success;
}

}  // namespace

NestedBinomials::NestedBinomials(const Arrival& arrival, std::size_t max_order)
    : max_order_(max_order), levels_(arrival.shelf_life() - 1) {
  const std::size_t m = arrival.shelf_life();
  weights_.resize((max_order + 1) * levels_ * (max_order + 1));
  std::vector<std::size_t> begin(weights_.size());
  std::vector<double> law;
  for (std::size_t z = 0; z <= max_order; ++z) {
    const std::vector<double> p = arrival.probabilities(z);
    for (std::size_t i = 2; i <= m; ++i) {
      const double at_most_i = std::accumulate(p.begin(), p.begin() + static_cast<long>(i), 0.0);
      const double counted = i == 2 ? p[0] : p[i - 1];
      const double success = at_most_i > 0.0 ? std::min(1.0, counted / at_most_i) : 0.0;
      law.assign(1, 1.0);
      for (std::size_t r = 0; r <= z; ++r) {
        if (r > 0) add_trial(law, success);
        if (i == m && r < z) continue;  // all units are still to be placed
        const auto positive = [](double weight) { return weight > 0.0; };
        const auto first = std::find_if(law.begin(), law.end(), positive);
        const auto end = std::find_if(law.rbegin(), law.rend(), positive).base();
        const std::size_t index = (z * levels_ + i - 2) * (max_order + 1) + r;
        begin[index] = values_.size();
        weights_[index] = {nullptr, static_cast<std::size_t>(first - law.begin()),
                           static_cast<std::size_t>(end - law.begin()) - 1};
        values_.insert(values_.end(), first, end);
        values_.insert(values_.end(), zeros_behind, 0.0);
      }
    }
  }
  for (std::size_t z = 0; z <= max_order; ++z) {
    deliveries_.push_back(
        arrival.is_fresh() ? 1
                           : static_cast<std::uint64_t>(std::llround(StockIndex::count(m - 1, z))));
  }
  for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i].at_first = &values_[begin[i]];
}

}  // namespace shortfall::inventory
