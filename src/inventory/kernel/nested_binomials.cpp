#include "inventory/kernel/nested_binomials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "numbers/roundoff.hpp"
#include "shortfall/inventory/model/stock_index.hpp"

namespace shortfall::inventory {
namespace {

constexpr std::size_t zeros_behind = 3;
constexpr std::size_t no_weights = std::numeric_limits<std::size_t>::max();

/// From the law of r trials to that of r + 1. All terms are positive, and neither probability is
/// computed from the other: no digits are lost, however unlikely either is.
void add_trial(std::vector<long double>& law, long double success, long double failure) {
  law.push_back(0.0L);
  for (std::size_t k = law.size() - 1; k >= 1; --k) {
    law[k] = law[k] * failure + law[k - 1] * success;
  }
  law[0] *= failure;
}

/// Weights, or products of weights, below e^-550 may accompany terms that were capped at e^600.
constexpr double log_of_tiny = -550.0;

}  // namespace

NestedBinomials::NestedBinomials(const Arrival& arrival, std::size_t max_order)
    : max_order_(max_order), levels_(arrival.shelf_life() - 1) {
  const std::size_t m = arrival.shelf_life();
  weights_.resize((max_order + 1) * levels_ * (max_order + 1));
  std::vector<std::size_t> begin(weights_.size(), no_weights);
  std::vector<long double> law;  // extended precision: each trial loses some digits
  for (std::size_t z = 0; z <= max_order; ++z) {
    const Arrival::Extended arrivals = arrival.extended_probabilities(z);
    const std::vector<long double>& p = arrivals.probability;
    note_accuracy(z, arrivals);
    for (std::size_t i = 2; i <= m; ++i) {
      const long double older =
          std::accumulate(p.begin(), p.begin() + static_cast<long>(i) - 1, 0.0L);
      const long double both = older + p[i - 1];
      const long double success = both > 0.0L ? (i == 2 ? older : p[i - 1]) / both : 0.0L;
      const long double failure = both > 0.0L ? (i == 2 ? p[i - 1] : older) / both : 1.0L;
      law.assign(1, 1.0L);
      for (std::size_t r = 0; r <= z; ++r) {
        if (r > 0) add_trial(law, success, failure);
        if (i == m && r < z) continue;  // all units still to be placed
        const auto positive = [](long double weight) { return static_cast<double>(weight) > 0.0; };
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
    deliveries_.push_back(static_cast<std::uint64_t>(
        std::llround(StockIndex::count(arrival.possible_ages() - 1, z))));
  }
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (begin[i] != no_weights) weights_[i].at_first = &values_[begin[i]];
  }
  if (levels_ >= 2) list_triples();
}

void NestedBinomials::note_accuracy(std::size_t z, const Arrival::Extended& arrivals) {
  const auto units = static_cast<double>(z);
  const double rounding = 2.0 * shortfall::detail::unit_roundoff * static_cast<double>(levels_);
  relative_error_ = std::max(relative_error_, 2.0 * units * arrivals.relative_error + rounding);
  least_log_ = std::min(least_log_, units * arrivals.least_log);
  tiny_.push_back(units * arrivals.least_log < log_of_tiny);
}

void NestedBinomials::list_triples() {
  triple_begin_.push_back(0);
  for (std::size_t z = 0; z <= max_order_; ++z) {
    for (std::size_t r = 0; r <= max_order_; ++r) {
      const Weights& third = weights(z, 3, r);
      for (std::size_t y_3 = third.first; third.at_first && y_3 <= third.last; ++y_3) {
        const Weights& pair = weights(z, 2, r - y_3);
        for (std::size_t y_1 = pair.first; y_1 <= pair.last; ++y_1) {
          const double weight = third.at_first[y_3 - third.first] * pair.at_first[y_1 - pair.first];
          triples_.push_back({weight, static_cast<std::uint32_t>(y_3),
                              static_cast<std::uint32_t>(y_3 * (y_3 - 1) / 2 + y_1)});
        }
      }
      triple_begin_.push_back(triples_.size());
    }
  }
}

}  // namespace shortfall::inventory
