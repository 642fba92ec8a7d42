#include "inventory/plan/full_shelf.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "numbers/roundoff.hpp"
#include "shortfall/inventory/model/demand.hpp"
#include "shortfall/risk/rounding.hpp"

namespace shortfall::inventory {
namespace {

class ShelfWithoutOrders {
 public:
  ShelfWithoutOrders(const Model& model, const Criterion& criterion, const Solution& solution)
      : model_(model), criterion_(criterion), solution_(solution) {}

  const FullShelf& at(const std::vector<std::uint8_t>& stock, std::size_t day) {
    std::string key(stock.begin(), stock.end());
    key += static_cast<char>(day);
    const auto known = known_.find(key);
    return known != known_.end() ? known->second
                                 : known_.emplace(key, of(stock, day)).first->second;
  }

 private:
  FullShelf of(const std::vector<std::uint8_t>& stock, std::size_t day) {
    const std::size_t total = std::accumulate(stock.begin(), stock.end(), std::size_t{0});
    const bool is_full = total > model_.capacity();
    FullShelf result;
    if (!is_full) {
      result.value = solution_.values[day * model_.stocks().size() + model_.stocks().rank(stock)];
    }
    if (total == 0) return result;
    std::vector<std::uint8_t> units = stock;  // as after a delivery of nothing
    units.push_back(0);
    std::vector<std::uint8_t> left(stock.size());
    const std::span<const double> demand = model_.demand(day);
    std::vector<double> targets(demand.size());
    for (std::size_t d = 0; d < demand.size(); ++d) {
      age(units, d, left);
      const FullShelf& next = at(left, (day + 1) % model_.days());
      const double expired = stock[0] > d ? static_cast<double>(stock[0] - d) : 0.0;
      result.expired_in_all += demand[d] * (expired + next.expired_in_all);
      result.rounding = std::max(result.rounding, next.rounding);
      targets[d] = model_.period_cost(day, {total, stock[0]}, d) + criterion_.gamma * next.value;
    }
    if (!is_full) return {result.value, result.expired_in_all, 0.0};
    const Law law{targets, demand};
    result.value = shortfall_risk(criterion_.loss, law);
    result.rounding = criterion_.gamma * result.rounding + rounding_of(law);
    return result;
  }

  double rounding_of(const Law& law) const {
    using shortfall::detail::unit_roundoff;
    const auto [lowest, highest, mean] = summarise(law);
    double least = 1.0;
    for (const double p : law.probabilities) {
      if (p > 0.0) least = std::min(least, p);
    }
    const double terms = static_cast<double>(law.atoms.size()) + 2.0;
    return RiskRounding(criterion_.loss, {terms, demand_error + 4.0 * unit_roundoff, least})
        .bound(2.0 * std::max(std::abs(lowest), std::abs(highest)), highest - lowest);
  }

  const Model& model_;
  const Criterion& criterion_;
  const Solution& solution_;
  std::map<std::string, FullShelf> known_;  // by the bytes of the stock, and the day
};

}  // namespace

FullShelf full_shelf(const Model& model, const Criterion& criterion, const Solution& solution,
                     const StockToday& today) {
  return ShelfWithoutOrders(model, criterion, solution).at(today.stock, today.day);
}

}  // namespace shortfall::inventory
