#include "shortfall/inventory/train/stock_features.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <type_traits>
#include <utility>
#include <variant>

#include "errors/require.hpp"
#include "shortfall/features/normalisation.hpp"
#include "shortfall/inventory/model/stock_index.hpp"
#include "shortfall/inventory/train/stock_hats.hpp"
#include "shortfall/numbers/portable_math.hpp"

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

namespace {

/// The values of a feature over all stocks, and how many stocks have each.
struct CountedValue {
  double value;
  double count;
};
using CountedValues = std::vector<CountedValue>;

/// What a normalisation needs to know of a feature.
struct Spread {
  double largest = 0.0;  // of absolute values
  double mean = 0.0;
  double deviation = 0.0;
};

Spread spread_of(const CountedValues& values) {
  Spread spread;
  double all = 0.0;
  for (const auto& [value, count] : values) {
    spread.largest = std::max(spread.largest, std::abs(value));
    all += count;
  }
  for (const auto& [value, count] : values) spread.mean += count / all * value;
  double square = 0.0;
  for (const auto& [value, count] : values) {
    square += count / all * (value - spread.mean) * (value - spread.mean);
  }
  spread.deviation = std::sqrt(square);
  return spread;
}

/// For random features, which may have another value for each stock.
template <class Map>
std::vector<Spread> spreads_of(const Map& map, const StockIndex& stocks) {
  std::vector<Spread> spreads(map.dimension());
  std::vector<double> phi(map.dimension());
  std::vector<std::uint8_t> stock(stocks.length());
  const auto for_each_stock = [&](const auto& take) {
    for (std::size_t s = 0; s < stocks.size(); ++s) {
      stocks.unrank(static_cast<std::uint32_t>(s), stock);
      map.write(stock, phi);
      for (std::size_t j = 0; j < phi.size(); ++j) take(spreads[j], phi[j]);
    }
  };
  const auto all = static_cast<double>(stocks.size());
  for_each_stock([](Spread& of, double value) {
    of.largest = std::max(of.largest, std::abs(value));
    of.mean += value;
  });
  for (Spread& of : spreads) of.mean /= all;
  for_each_stock(
      [](Spread& of, double value) { of.deviation += (value - of.mean) * (value - of.mean); });
  for (Spread& of : spreads) of.deviation = std::sqrt(of.deviation / all);
  return spreads;
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
    values.push_back({portable::pow(static_cast<double>(k), power),
                      StockIndex::count(length - 1, capacity - k)});
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

/// All ages have the same values, so there are four kinds of features besides the constants and the
/// random ones.
features::Normalisation StockFeatures::normalisation(StockNormalisation kind) const {
  require(!hats_, "normalisation of hats; accepted: features polynomial, relu or fourier");
  const std::size_t capacity = value_.front().size() - 1;
  features::Scaling scaling{std::vector<double>(days_, 0.0), std::vector<double>(days_, 1.0)};
  const auto add_spread = [&](const Spread& of) {
    const double largest = of.largest > 0.0 ? of.largest : 1.0;
    const bool is_standard = kind == StockNormalisation::standard;
    const bool is_constant = of.deviation <= features::constant_tolerance * largest;
    scaling.shift.push_back(is_standard && !is_constant ? of.mean : 0.0);
    scaling.scale.push_back(!is_standard ? largest : is_constant ? 1.0 : of.deviation);
  };
  const auto add = [&](const CountedValues& values) { add_spread(spread_of(values)); };
  add(counted_by_total(value_, ages_));
  for (std::size_t i = 0; i < ages_; ++i) add(counted_by_amount(ages_, capacity, 1));
  const auto add_rest = [&]<class Rest>(const Rest& rest) {
    if constexpr (std::is_same_v<Rest, Products>) {
      for (std::size_t i = 0; i < ages_; ++i) {
        add(counted_by_amount(ages_, capacity, 2));
        for (std::size_t j = i + 1; j < ages_; ++j) add(counted_by_two(ages_, capacity));
      }
    } else {
      for (const Spread& of : spreads_of(rest, StockIndex(ages_, capacity))) add_spread(of);
    }
  };
  std::visit(add_rest, rest_);
  std::vector<double> constant(dimension(), 0.0);
  std::fill_n(constant.begin(), days_, 1.0);
  return features::Normalisation(std::move(scaling), std::move(constant));
}

}  // namespace shortfall::inventory
