#include <algorithm>
#include <cmath>

#include "shortfall/features/normalisation.hpp"
#include "shortfall/inventory/stock_features.hpp"
#include "shortfall/inventory/stock_index.hpp"

namespace shortfall::inventory {
namespace {

/// The values of a feature over all stocks, and how many stocks have each.
struct CountedValue {
  double value;
  double count;
};
using CountedValues = std::vector<CountedValue>;

double largest_of(const CountedValues& values) {
  double largest = 0.0;
  for (const auto& [value, count] : values) largest = std::max(largest, std::abs(value));
  return largest > 0.0 ? largest : 1.0;
}

struct Moments {
  double mean = 0.0;
  double deviation = 0.0;
};

Moments moments_of(const CountedValues& values) {
  Moments moments;
  double all = 0.0;
  for (const auto& [value, count] : values) all += count;
  for (const auto& [value, count] : values) moments.mean += count / all * value;
  double square = 0.0;
  for (const auto& [value, count] : values) {
    square += count / all * (value - moments.mean) * (value - moments.mean);
  }
  moments.deviation = std::sqrt(square);
  return moments;
}

/// By total stock t, of which binomial(t + L - 1, L - 1) vectors of length L have exactly t.
CountedValues counted_by_total(const std::vector<std::vector<double>>& value, std::size_t length) {
  CountedValues values;
  for (const std::vector<double>& of_day : value) {
    for (std::size_t t = 0; t < (length == 0 ? 1 : of_day.size()); ++t) {
      values.push_back({of_day[t], length == 0 ? 1.0 : StockIndex::count(length - 1, t)});
    }
  }
  return values;
}

/// x_i to a power: the rest of the vector has L - 1 amounts and a total of at most C - x_i.
CountedValues counted_by_amount(std::size_t length, std::size_t capacity, int power) {
  CountedValues values;
  for (std::size_t k = 0; k <= capacity; ++k) {
    values.push_back(
        {std::pow(static_cast<double>(k), power), StockIndex::count(length - 1, capacity - k)});
  }
  return values;
}

/// x_i x_j.
CountedValues counted_by_two(std::size_t length, std::size_t capacity) {
  CountedValues values;
  for (std::size_t k = 0; k <= capacity; ++k) {
    for (std::size_t l = 0; k + l <= capacity; ++l) {
      values.push_back(
          {static_cast<double>(k * l), StockIndex::count(length - 2, capacity - k - l)});
    }
  }
  return values;
}

}  // namespace

/// All ages have the same values, so there are four kinds of features besides the constants.
features::Normalisation StockFeatures::normalisation(StockNormalisation kind) const {
  const std::size_t capacity = value_.front().size() - 1;
  features::Scaling scaling{std::vector<double>(days_, 0.0), std::vector<double>(days_, 1.0)};
  const auto add = [&](const CountedValues& values) {
    const auto [mean, deviation] = moments_of(values);
    const bool is_standard = kind == StockNormalisation::standard;
    const bool is_constant = deviation <= features::constant_tolerance * largest_of(values);
    scaling.shift.push_back(is_standard && !is_constant ? mean : 0.0);
    scaling.scale.push_back(!is_standard ? largest_of(values) : is_constant ? 1.0 : deviation);
  };
  add(counted_by_total(value_, ages_));
  for (std::size_t i = 0; i < ages_; ++i) add(counted_by_amount(ages_, capacity, 1));
  for (std::size_t i = 0; i < ages_; ++i) {
    add(counted_by_amount(ages_, capacity, 2));
    for (std::size_t j = i + 1; j < ages_; ++j) add(counted_by_two(ages_, capacity));
  }
  std::vector<double> constant(dimension(), 0.0);
  std::fill_n(constant.begin(), days_, 1.0);
  return features::Normalisation(std::move(scaling), std::move(constant));
}

}  // namespace shortfall::inventory
