#include "studies/figure_policies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "published/platelets.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "studies/findings.hpp"
#include "studies/stock_setting.hpp"

namespace shortfall::studies {
namespace {

/// The optimal order for every stock at shelf life 3.
Orders optimal_orders(const StockSetting& setting, const StudyOptions& options) {
  const inventory::Model model = platelets(3, {.cost = setting.cost});
  const Solution solution =
      inventory::solve(model, criterion_of(setting.tau), {}, {.threads = options.threads});
  Orders orders{.cost = cost_text(setting.cost), .tau = setting.tau};
  for (std::uint32_t rank = 0; rank < model.states(); ++rank) {
    std::uint8_t stock[2];
    model.stocks().unrank(rank, stock);
    orders.all.push_back({stock[0], stock[1], static_cast<int>(solution.policy[rank])});
  }
  return orders;
}

/// Three levels of three costs.
using Panels = std::vector<Orders>;

const Orders& at(const Panels& panels, std::size_t cost, double tau) {
  for (const Orders& orders : panels) {
    if (orders.tau == tau && orders.cost == cost_text(pictured_costs[cost])) return orders;
  }
  throw std::logic_error("a setting that is not pictured");
}

enum Costs : std::size_t { usual = 0, expensive_orders = 1, expensive_wastage = 2 };

Finding not_of_classical_form(const Panels& panels) {
  const auto classical = std::ranges::count_if(panels, &Orders::is_order_up_to);
  return {.claim =
              "No optimal policy has the classical (s, S) form: an order up to S where the total "
              "stock is at most s, else none",
          .published = "none",
          .found = fmt::format("{} of {}", classical, panels.size()),
          .verdict = verdict_of(classical == 0)};
}

Finding region_grows_with_tau(const Panels& panels) {
  bool holds = true;
  std::string text;
  for (std::size_t cost = 0; cost < pictured_costs.size(); ++cost) {
    const Orders& seeking = at(panels, cost, 0.1);
    const Orders& neutral = at(panels, cost, 0.5);
    const Orders& averse = at(panels, cost, 0.9);
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
                               panels.front().all.size(), text),
          .verdict = verdict_of(holds)};
}

/// The changed cost, for claims.
const char* name_of(Costs cost) {
  return cost == expensive_orders ? "expensive orders" : "expensive wastage";
}

Finding region_shrinks(const Panels& panels, Costs cost) {
  std::size_t shrinking = 0;
  std::string text;
  for (const double tau : pictured_levels) {
    const std::size_t before = at(panels, usual, tau).ordering();
    const std::size_t after = at(panels, cost, tau).ordering();
    shrinking += after < before ? 1U : 0U;
    text += fmt::format("{}tau {}: {} instead of {}", text.empty() ? "" : ", ", tau, after, before);
  }
  return {.claim = fmt::format("With {}, {} instead of {}, orders are placed at fewer stocks "
                               "(open where this depends on tau)",
                               name_of(cost), cost_text(pictured_costs[cost]),
                               cost_text(pictured_costs[usual])),
          .published = "seen in the figure",
          .found = text,
          .verdict = shrinking == pictured_levels.size() ? Verdict::confirmed
                     : shrinking == 0                    ? Verdict::refuted
                                                         : Verdict::open};
}

enum class Sizes { larger, smaller };

/// Compared at stocks with an order in both cases, because the sets of such stocks differ.
Finding sizes_move(const Panels& panels, Costs cost, Sizes expected) {
  bool holds = true;
  std::string text;
  for (const double tau : pictured_levels) {
    const Orders& before = at(panels, usual, tau);
    const Orders& after = at(panels, cost, tau);
    double sum = 0.0;
    int stocks = 0;
    for (std::size_t x = 0; x < before.all.size(); ++x) {
      if (before.all[x].order == 0 || after.all[x].order == 0) continue;
      sum += after.all[x].order - before.all[x].order;
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
              name_of(cost), cost_text(pictured_costs[cost]), cost_text(pictured_costs[usual]),
              expected == Sizes::larger ? "larger" : "smaller"),
          .published = "seen in the figure",
          .found = text,
          .verdict = verdict_of(holds)};
}

/// The mean of |order - order| over all stocks, between the levels 0.1 and 0.9.
double difference(const Panels& panels, std::size_t cost) {
  const Orders& seeking = at(panels, cost, 0.1);
  const Orders& averse = at(panels, cost, 0.9);
  double sum = 0.0;
  for (std::size_t x = 0; x < seeking.all.size(); ++x) {
    sum += std::abs(seeking.all[x].order - averse.all[x].order);
  }
  return sum / static_cast<double>(seeking.all.size());
}

Finding similar_where_wastage_is_expensive(const Panels& panels) {
  const double base = difference(panels, usual);
  const double for_expensive_orders = difference(panels, expensive_orders);
  const double for_expensive_wastage = difference(panels, expensive_wastage);
  return {
      .claim =
          "Where wastage is expensive, at (10,1,20,50), orders at tau 0.1 and 0.9 are similar "
          "(criterion: they differ by less than a unit, and by less than half as much as at "
          "other costs, averaged over all stocks)",
      .published = "seen in the figure",
      .found = fmt::format("they differ by {:.2f} units, at (10,1,20,5) by {:.2f}, at (50,1,20,5) "
                           "by {:.2f}",
                           for_expensive_wastage, base, for_expensive_orders),
      .verdict = verdict_of(for_expensive_wastage < 1.0 &&
                            2.0 * for_expensive_wastage < std::min(base, for_expensive_orders))};
}

Finding stock_stays_near_seven(const Panels& panels) {
  int least = std::numeric_limits<int>::max();
  int most = 0;
  std::map<int, int> stocks;
  int ordering = 0;
  for (const double tau : pictured_levels) {
    for (const Order& order : at(panels, expensive_wastage, tau).all) {
      if (order.order == 0) continue;
      least = std::min(least, order.total() + order.order);
      most = std::max(most, order.total() + order.order);
      ++stocks[order.total() + order.order];
      ++ordering;
    }
  }
  const int near = stocks[6] + stocks[7] + stocks[8];
  return {.claim =
              "Where wastage is expensive, orders bring the stock into a narrow range around 7 "
              "(criterion: to 6, 7 or 8 in more than half of the cases, and never beyond 5 to 9)",
          .published = "around 7, mean demand 6.2",
          .found = fmt::format("to {} to {} units, in {} of {} cases to 6, 7 or 8 (all stocks with "
                               "an order, tau 0.1, 0.5 and 0.9)",
                               least, most, near, ordering),
          .verdict = verdict_of(2 * near > ordering && least >= 5 && most <= 9)};
}

Json order_rows(const Panels& panels) {
  Json rows = Json::array();
  for (const Orders& orders : panels) {
    for (const Order& order : orders.all) {
      Json row = {{"cost", orders.cost}, {"tau", orders.tau}};
      row.update(Json(order));
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

Json region_rows(const Panels& panels) {
  Json rows = Json::array();
  for (const Orders& orders : panels) {
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

std::size_t Orders::ordering() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(all, [](const Order& order) { return order.order > 0; }));
}

int Orders::largest_stock() const {
  int largest = -1;
  for (const Order& order : all) {
    if (order.order > 0) largest = std::max(largest, order.total());
  }
  return largest;
}

double Orders::mean_order() const {
  double sum = 0.0;
  for (const Order& order : all) sum += order.order;
  return ordering() == 0 ? 0.0 : sum / static_cast<double>(ordering());
}

bool Orders::is_order_up_to() const {
  const int reorder_at = largest_stock();
  const int up_to = at_empty();
  return std::ranges::all_of(all, [&](const Order& order) {
    return order.order == (order.total() <= reorder_at ? up_to - order.total() : 0);
  });
}

Results conclude_orders(const std::vector<Orders>& panels) {
  return {.findings = {not_of_classical_form(panels), region_grows_with_tau(panels),
                       region_shrinks(panels, expensive_orders),
                       sizes_move(panels, expensive_orders, Sizes::larger),
                       region_shrinks(panels, expensive_wastage),
                       sizes_move(panels, expensive_wastage, Sizes::smaller),
                       similar_where_wastage_is_expensive(panels), stock_stays_near_seven(panels)},
          .tables = {{"orders", order_rows(panels)}, {"regions", region_rows(panels)}}};
}

Study figure_policies(const StudyOptions& options) {
  std::vector<Part> parts;
  for (const StockSetting& setting : pictured_settings()) {
    parts.push_back({name_of(setting), 0.01, [setting, options](const OnProgress&) {
                       return optimal_orders(setting, options);
                     }});
  }
  return {.name = "figure-policies",
          .title = "Optimal orders at shelf life 3",
          .question =
              "What is the optimal order, given how many units have one and two periods left, "
              "and how does it change with the attitude to risk and with costs?",
          .source = "Wang and Delage, section 6.2, figure of optimal policies (left)",
          .parts = std::move(parts),
          .conclude = conclude_orders};
}

}  // namespace shortfall::studies
