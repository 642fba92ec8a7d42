#include "order_regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "stock_setting.hpp"
#include "verdict_rules.hpp"

namespace shortfall::studies {
namespace {

struct Order {
  int x1;
  int x2;
  int total;  ///< x1 + x2
  int units;
};

/// The orders of one setting, stocks in the same sequence for all.
struct Orders {
  std::string cost;
  double tau = 0.0;
  std::vector<Order> all = {};

  int at_empty() const { return std::ranges::find(all, 0, &Order::total)->units; }
  std::size_t ordering() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(all, [](const Order& order) { return order.units > 0; }));
  }
  int largest_stock() const {
    int largest = -1;
    for (const Order& order : all) {
      if (order.units > 0) largest = std::max(largest, order.total);
    }
    return largest;
  }
  double mean_order() const {
    double sum = 0.0;
    for (const Order& order : all) sum += order.units;
    return ordering() == 0 ? 0.0 : sum / static_cast<double>(ordering());
  }
  /// Whether there are s and S with an order of S - total where total ≤ s, and none above.
  bool is_order_up_to() const {
    const int reorder_at = largest_stock();
    const int up_to = at_empty();
    return std::ranges::all_of(all, [&](const Order& order) {
      return order.units == (order.total <= reorder_at ? up_to - order.total : 0);
    });
  }
};

Orders read(const Json& rows) {
  Orders orders{.cost = rows.front()["cost"].get<std::string>(),
                .tau = rows.front()["tau"].get<double>()};
  for (const Json& row : rows) {
    const int x1 = row["x1"].get<int>();
    const int x2 = row["x2"].get<int>();
    orders.all.push_back({x1, x2, x1 + x2, row["order"].get<int>()});
  }
  return orders;
}

/// Three levels of three costs.
class Pictures {
 public:
  explicit Pictures(const std::vector<Json>& parts) {
    for (const Json& part : parts) all_.push_back(read(part));
  }
  const std::vector<Orders>& all() const { return all_; }
  const Orders& at(std::size_t cost, double tau) const {
    return *std::ranges::find_if(all_, [&](const Orders& orders) {
      return orders.tau == tau && orders.cost == text_of(pictured_costs[cost]);
    });
  }

 private:
  std::vector<Orders> all_;
};

enum Costs : std::size_t { usual = 0, dear_orders = 1, dear_wastage = 2 };

Finding not_of_classical_form(const Pictures& pictures) {
  const auto classical = std::ranges::count_if(pictures.all(), &Orders::is_order_up_to);
  return {.claim =
              "No optimal policy has the classical (s, S) form: an order up to S where the total "
              "stock is at most s, else none",
          .published = "none has",
          .found = fmt::format("{} of {} have", classical, pictures.all().size()),
          .verdict = verdict_of(classical == 0)};
}

Finding region_grows_with_tau(const Pictures& pictures) {
  bool holds = true;
  std::string text;
  for (std::size_t cost = 0; cost < pictured_costs.size(); ++cost) {
    const Orders& seeking = pictures.at(cost, 0.1);
    const Orders& neutral = pictures.at(cost, 0.5);
    const Orders& averse = pictures.at(cost, 0.9);
    holds = holds && seeking.ordering() < neutral.ordering() &&
            neutral.ordering() < averse.ordering() &&
            seeking.largest_stock() <= neutral.largest_stock() &&
            neutral.largest_stock() <= averse.largest_stock() &&
            seeking.largest_stock() < averse.largest_stock();
    text += fmt::format("{}{}: {}, {}, {} (up to a stock of {}, {}, {})", cost == 0 ? "" : "; ",
                        seeking.cost, seeking.ordering(), neutral.ordering(), averse.ordering(),
                        seeking.largest_stock(), neutral.largest_stock(), averse.largest_stock());
  }
  return {.claim =
              "As tau grows, orders are placed at more stocks, and at larger ones, at all three "
              "costs",
          .published = "seen in the figure",
          .found = fmt::format("stocks of {} with an order at tau 0.1, 0.5, 0.9: {}",
                               pictures.all().front().all.size(), text),
          .verdict = verdict_of(holds)};
}

/// What is dear, in words.
const char* name_of(Costs cost) {
  return cost == dear_orders ? "dear orders" : "dear wastage";
}

Finding region_shrinks(const Pictures& pictures, Costs cost) {
  std::size_t shrinking = 0;
  std::string text;
  for (const double tau : pictured_levels) {
    const std::size_t before = pictures.at(usual, tau).ordering();
    const std::size_t after = pictures.at(cost, tau).ordering();
    shrinking += after < before ? 1U : 0U;
    text += fmt::format("{}tau {}: {} instead of {}", text.empty() ? "" : ", ", tau, after, before);
  }
  return {.claim = fmt::format("With {}, {} instead of {}, orders are placed at fewer stocks "
                               "(open where this depends on tau)",
                               name_of(cost), text_of(pictured_costs[cost]),
                               text_of(pictured_costs[usual])),
          .published = "seen in the figure",
          .found = text,
          .verdict = shrinking == pictured_levels.size() ? Verdict::confirmed
                     : shrinking == 0                    ? Verdict::refuted
                                                         : Verdict::open};
}

enum class Sizes { larger, smaller };

/// Compared where both order: where fewer stocks have one, these are other stocks.
Finding sizes_move(const Pictures& pictures, Costs cost, Sizes expected) {
  bool holds = true;
  std::string text;
  for (const double tau : pictured_levels) {
    const Orders& before = pictures.at(usual, tau);
    const Orders& after = pictures.at(cost, tau);
    double sum = 0.0;
    int stocks = 0;
    for (std::size_t x = 0; x < before.all.size(); ++x) {
      if (before.all[x].units == 0 || after.all[x].units == 0) continue;
      sum += after.all[x].units - before.all[x].units;
      ++stocks;
    }
    const double change = stocks == 0 ? 0.0 : sum / stocks;
    holds = holds && (expected == Sizes::larger ? change > 0.0 : change < 0.0);
    text += fmt::format("{}tau {}: {:+.2f} units ({} instead of {} at the empty stock)",
                        text.empty() ? "" : "; ", tau, change, after.at_empty(), before.at_empty());
  }
  return {.claim = fmt::format(
              "With {}, {} instead of {}, orders are {} on average, at stocks with "
              "an order in both cases",
              name_of(cost), text_of(pictured_costs[cost]), text_of(pictured_costs[usual]),
              expected == Sizes::larger ? "larger" : "smaller"),
          .published = "seen in the figure",
          .found = text,
          .verdict = verdict_of(holds)};
}

/// The mean of |order - order| over all stocks, between the levels 0.1 and 0.9.
double difference(const Pictures& pictures, std::size_t cost) {
  const Orders& seeking = pictures.at(cost, 0.1);
  const Orders& averse = pictures.at(cost, 0.9);
  double sum = 0.0;
  for (std::size_t x = 0; x < seeking.all.size(); ++x) {
    sum += std::abs(seeking.all[x].units - averse.all[x].units);
  }
  return sum / static_cast<double>(seeking.all.size());
}

Finding similar_where_wastage_is_dear(const Pictures& pictures) {
  const double base = difference(pictures, usual);
  const double dear_to_order = difference(pictures, dear_orders);
  const double dear_to_waste = difference(pictures, dear_wastage);
  return {
      .claim =
          "Where wastage is dear, at (10,1,20,50), orders at tau 0.1 and 0.9 are similar "
          "(counted: they differ by less than a unit, and by less than half of what they do "
          "at other costs, in the mean over all stocks)",
      .published = "seen in the figure",
      .found = fmt::format("they differ by {:.2f} units, at (10,1,20,5) by {:.2f}, at (50,1,20,5) "
                           "by {:.2f}",
                           dear_to_waste, base, dear_to_order),
      .verdict =
          verdict_of(dear_to_waste < 1.0 && 2.0 * dear_to_waste < std::min(base, dear_to_order))};
}

Finding stock_stays_near_seven(const Pictures& pictures) {
  int least = std::numeric_limits<int>::max();
  int most = 0;
  std::map<int, int> stocks;
  int ordering = 0;
  for (const double tau : pictured_levels) {
    for (const Order& order : pictures.at(dear_wastage, tau).all) {
      if (order.units == 0) continue;
      least = std::min(least, order.total + order.units);
      most = std::max(most, order.total + order.units);
      ++stocks[order.total + order.units];
      ++ordering;
    }
  }
  const int near = stocks[6] + stocks[7] + stocks[8];
  return {.claim =
              "Where wastage is dear, orders bring the stock into a narrow range around 7 "
              "(counted: to 6, 7 or 8 in more than half of the cases, and never beyond 5 to 9)",
          .published = "around 7, mean demand 6.2",
          .found = fmt::format("to {} to {} units, in {} of {} cases to 6, 7 or 8 (all stocks with "
                               "an order, tau 0.1, 0.5 and 0.9)",
                               least, most, near, ordering),
          .verdict = verdict_of(2 * near > ordering && least >= 5 && most <= 9)};
}

Json region_rows(const Pictures& pictures) {
  Json rows = Json::array();
  for (const Orders& orders : pictures.all()) {
    rows.push_back({{"cost", orders.cost},
                    {"tau", orders.tau},
                    {"states_ordering", orders.ordering()},
                    {"largest_stock_ordered_at", orders.largest_stock()},
                    {"order_at_empty", orders.at_empty()},
                    {"mean_order", orders.mean_order()},
                    {"is_order_up_to", orders.is_order_up_to()}});
  }
  return rows;
}

}  // namespace

Results conclude_orders(const std::vector<Json>& parts) {
  const Pictures pictures(parts);
  Json rows = Json::array();
  for (const Json& part : parts) rows.insert(rows.end(), part.begin(), part.end());
  return {.findings = {not_of_classical_form(pictures), region_grows_with_tau(pictures),
                       region_shrinks(pictures, dear_orders),
                       sizes_move(pictures, dear_orders, Sizes::larger),
                       region_shrinks(pictures, dear_wastage),
                       sizes_move(pictures, dear_wastage, Sizes::smaller),
                       similar_where_wastage_is_dear(pictures), stock_stays_near_seven(pictures)},
          .tables = {{"orders", rows}, {"regions", region_rows(pictures)}}};
}

}  // namespace shortfall::studies
