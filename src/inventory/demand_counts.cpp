#include "inventory/demand_counts.hpp"

#include <algorithm>

#include "shortfall/infinity.hpp"

namespace shortfall::inventory::detail {

void DemandCounts::make_room(std::size_t k) {
  if (k < exactly_.size()) return;
  exactly_.resize(k + 1);
  at_least_.resize(k + 1);
}

void DemandCounts::add(const DayRecord& day) {
  make_room(day.demand);
  ++(day.stockout ? at_least_ : exactly_)[day.demand];
  ++(day.stockout ? stockouts_ : known_days_);
}

void DemandCounts::add(const DemandCounts& other) {
  if (other.days() == 0) return;
  make_room(other.largest());
  for (std::size_t k = 0; k <= other.largest(); ++k) {
    exactly_[k] += other.exactly_[k];
    at_least_[k] += other.at_least_[k];
  }
  known_days_ += other.known_days_;
  stockouts_ += other.stockouts_;
}

bool DemandCounts::is_zero() const {
  const auto positive = [](const std::vector<std::uint32_t>& counts) {
    return std::ranges::any_of(counts.begin() + (counts.empty() ? 0 : 1), counts.end(),
                               [](std::uint32_t days) { return days > 0; });
  };
  return !positive(exactly_) && !positive(at_least_);
}

double DemandCounts::recorded_mean() const {
  double units = 0.0;
  for (std::size_t k = 0; k < exactly_.size(); ++k) {
    units += static_cast<double>(k) * static_cast<double>(exactly_[k] + at_least_[k]);
  }
  return days() == 0 ? 0.0 : units / static_cast<double>(days());
}

double DemandCounts::known_variance() const {
  if (known_days_ < 2) return 0.0;
  double mean = 0.0;
  for (std::size_t k = 0; k < exactly_.size(); ++k) mean += static_cast<double>(k) * exactly_[k];
  mean /= static_cast<double>(known_days_);
  double sum = 0.0;
  for (std::size_t k = 0; k < exactly_.size(); ++k) {
    sum += (static_cast<double>(k) - mean) * (static_cast<double>(k) - mean) * exactly_[k];
  }
  return sum / static_cast<double>(known_days_ - 1);
}

LikelihoodTerm DemandCounts::log_likelihood(double mean, const DemandTerms& terms) const {
  LikelihoodTerm sum;
  if (mean == 0.0) {
    sum.value = is_zero() ? 0.0 : -infinity;
    return sum;
  }
  for (std::size_t k = 0; k < exactly_.size(); ++k) {
    if (exactly_[k] > 0) sum.add(exactly_[k], terms.exactly(k, mean));
    if (at_least_[k] > 0) sum.add(at_least_[k], terms.at_least(k, mean));
  }
  return sum;
}

}  // namespace shortfall::inventory::detail
