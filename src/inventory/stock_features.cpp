#include "shortfall/inventory/stock_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "shortfall/inventory/stock_hats.hpp"

namespace shortfall::inventory {

StockFeatures::StockFeatures(const Model& model, NonPerishable non_perishable, StockBasis basis)
    : days_(model.days()),
      ages_(model.shelf_life() - 1),
      value_(std::move(non_perishable.value)),
      hats_(basis == StockBasis::hats ? std::make_shared<const StockHats>(model, value_)
                                      : nullptr) {}

std::size_t StockFeatures::dimension() const {
  if (hats_) return hats_->dimension();
  return days_ + 1 + ages_ + ages_ * (ages_ + 1) / 2;
}

void StockFeatures::write(const StockView& x, std::span<double> out) const {
  if (hats_) return hats_->write(x, out);
  std::fill_n(out.begin(), days_, 0.0);
  out[x.day] = 1.0;
  std::array<double, longest_shelf_life> amount{};
  std::size_t total = 0;
  for (std::size_t i = 0; i < ages_; ++i) {
    total += x.stock[i];
    amount[i] = static_cast<double>(x.stock[i]);
  }
  std::size_t k = days_;
  out[k++] = value_[x.day][total];
  for (std::size_t i = 0; i < ages_; ++i) out[k++] = amount[i];
  for (std::size_t i = 0; i < ages_; ++i) {
    for (std::size_t j = i; j < ages_; ++j) out[k++] = amount[i] * amount[j];
  }
}

std::vector<std::string> StockFeatures::names() const {
  if (hats_) return {};
  constexpr std::array week{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  std::vector<std::string> names;
  for (std::size_t day = 0; day < days_; ++day) names.emplace_back(days_ > 1 ? week[day] : "1");
  names.emplace_back("V");
  for (std::size_t i = 1; i <= ages_; ++i) names.push_back(fmt::format("x{}", i));
  for (std::size_t i = 1; i <= ages_; ++i) {
    for (std::size_t j = i; j <= ages_; ++j) names.push_back(fmt::format("x{} x{}", i, j));
  }
  return names;
}

std::vector<double> StockFeatures::initial_guess() const {
  if (hats_) return hats_->initial_guess();
  std::vector<double> theta(dimension(), 0.0);
  theta[days_] = 1.0;
  return theta;
}

}  // namespace shortfall::inventory
