#include "shortfall/inventory/stock_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <type_traits>
#include <utility>

#include "require.hpp"
#include "shortfall/inventory/stock_hats.hpp"

namespace shortfall::inventory {
namespace {

/// Only the random ones: constant and linear terms are among the features of every set.
features::RandomFeatureOptions random_options(const Model& model, const FeatureSet& set) {
  require(model.shelf_life() > 1,
          "features {} with shelf life 1, where no stock is kept; accepted: polynomial",
          to_string(set));
  const std::size_t ages = model.shelf_life() - 1;
  const double typical =
      static_cast<double>(model.capacity()) / static_cast<double>(model.shelf_life());
  return {.scaling = {std::vector<double>(ages, typical), std::vector<double>(ages, typical)},
          .count = set.count,
          .intercept = features::Intercept::without,
          .linear_terms = features::LinearTerms::without,
          .seed = set.seed};
}

}  // namespace

StockFeatures::StockFeatures(const Model& model, NonPerishable non_perishable,
                             const FeatureSet& set)
    : days_(model.days()), ages_(model.shelf_life() - 1), value_(std::move(non_perishable.value)) {
  if (set.kind == FeatureSet::Kind::relu) {
    rest_.emplace<features::RandomRelu>(random_options(model, set));
  } else if (set.kind == FeatureSet::Kind::fourier) {
    rest_.emplace<features::RandomFourier>(
        features::RandomFourierOptions{.features = random_options(model, set)});
  } else if (set.kind == FeatureSet::Kind::hats) {
    hats_ = std::make_shared<const StockHats>(model, value_);
  }
}

std::size_t StockFeatures::dimension() const {
  if (hats_) return hats_->dimension();
  const std::size_t first = days_ + 1 + ages_;
  return std::visit(
      [&]<class Rest>(const Rest& rest) {
        if constexpr (std::is_same_v<Rest, Products>)
          return first + ages_ * (ages_ + 1) / 2;
        else
          return first + rest.dimension();
      },
      rest_);
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
  if (const auto* relu = std::get_if<features::RandomRelu>(&rest_)) {
    relu->write(x.stock, out.subspan(k));
  } else if (const auto* fourier = std::get_if<features::RandomFourier>(&rest_)) {
    fourier->write(x.stock, out.subspan(k));
  } else {
    for (std::size_t i = 0; i < ages_; ++i) {
      for (std::size_t j = i; j < ages_; ++j) out[k++] = amount[i] * amount[j];
    }
  }
}

std::vector<std::string> StockFeatures::names() const {
  if (hats_) return {};
  constexpr std::array week{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  std::vector<std::string> names;
  for (std::size_t day = 0; day < days_; ++day) names.emplace_back(days_ > 1 ? week[day] : "1");
  names.emplace_back("V");
  for (std::size_t i = 1; i <= ages_; ++i) names.push_back(fmt::format("x{}", i));
  std::visit(
      [&]<class Rest>(const Rest& rest) {
        if constexpr (std::is_same_v<Rest, Products>) {
          for (std::size_t i = 1; i <= ages_; ++i) {
            for (std::size_t j = i; j <= ages_; ++j) names.push_back(fmt::format("x{} x{}", i, j));
          }
        } else {
          std::ranges::move(rest.names(), std::back_inserter(names));
        }
      },
      rest_);
  return names;
}

std::vector<double> StockFeatures::initial_guess() const {
  if (hats_) return hats_->initial_guess();
  std::vector<double> theta(dimension(), 0.0);
  theta[days_] = 1.0;
  return theta;
}

}  // namespace shortfall::inventory
