#include "shortfall/inventory/train/stock_hats.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace shortfall::inventory {
namespace {

std::vector<std::size_t> summed_ages(std::size_t shelf_life) {
  const std::size_t ages = shelf_life - 1;
  std::vector<std::size_t> sums{ages};
  if (ages >= 2) sums.push_back(1);
  if (ages >= 4) sums.push_back(ages / 2);
  return sums;
}

/// At most this many knots from 0 to the capacity, which are whole numbers where all fit.
std::vector<double> knots_to(std::size_t capacity, std::size_t most) {
  const std::size_t count = std::max<std::size_t>(2, std::min(capacity + 1, most));
  std::vector<double> knots;
  const double last = std::max(1.0, static_cast<double>(capacity));
  for (std::size_t i = 0; i < count; ++i) {
    knots.push_back(last * static_cast<double>(i) / static_cast<double>(count - 1));
  }
  return knots;
}

features::Hats make_hats(const Model& model, std::size_t sums) {
  constexpr std::size_t nodes_of_total = 11;
  constexpr std::size_t nodes_of_others = 5;
  std::vector<double> days(model.days());
  std::iota(days.begin(), days.end(), 0.0);
  std::vector<std::vector<double>> knots{std::move(days)};
  for (std::size_t k = 0; k < sums; ++k) {
    knots.push_back(knots_to(model.capacity(), k == 0 ? nodes_of_total : nodes_of_others));
  }
  return features::Hats(std::move(knots));
}

/// Linear between whole numbers.
double value_at(const std::vector<double>& values, double total) {
  const auto below = std::min(static_cast<std::size_t>(total), values.size() - 1);
  const auto above = std::min(below + 1, values.size() - 1);
  return values[below] + (total - std::floor(total)) * (values[above] - values[below]);
}

}  // namespace

struct StockHats::Point {
  std::array<double, 4> numbers;
  std::size_t count;

  std::size_t size() const { return count; }
  double operator[](std::size_t j) const { return numbers[j]; }
};

StockHats::StockHats(const Model& model, const std::vector<std::vector<double>>& values)
    : sums_(summed_ages(model.shelf_life())), hats_(make_hats(model, sums_.size())) {
  const auto& totals = hats_.knots()[1];
  const std::size_t others = hats_.dimension() / (model.days() * totals.size());
  for (const std::vector<double>& of_day : values) {
    for (const double total : totals) {
      initial_guess_.insert(initial_guess_.end(), others, value_at(of_day, total));
    }
  }
}

StockHats::Point StockHats::point_of(const StockView& x) const {
  Point point{{static_cast<double>(x.day)}, sums_.size() + 1};
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    const auto ages = x.stock.first(sums_[k]);
    point.numbers[k + 1] = static_cast<double>(std::accumulate(ages.begin(), ages.end(), 0));
  }
  return point;
}

void StockHats::write(const StockView& x, std::span<double> out) const {
  hats_.write(point_of(x), out);
}

void StockHats::write_active(const StockView& x, features::ActiveFeatures& out) const {
  hats_.write_active(point_of(x), out);
}

}  // namespace shortfall::inventory
