#include "studies/week_findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

namespace shortfall::studies {
namespace {

using Weeks = std::vector<WeekOptimum>;

/// One text per week, of the form "tau 0.1: ...".
template <class Text>
std::string by_tau(const Weeks& weeks, const Text& text) {
  std::string all;
  for (const WeekOptimum& week : weeks) {
    all += fmt::format("{}tau {}: {}", all.empty() ? "" : "; ", week.tau, text(week));
  }
  return all;
}

Finding within_reach(const Weeks& weeks) {
  const bool holds = std::ranges::all_of(weeks, [](const WeekOptimum& week) {
    return week.error_bound <= 1e-6 && week.seconds < 3600.0;
  });
  const bool is_whole = weeks.front().shelf_life == 8;
  return {.claim =
              "The optimum of a week at shelf life 8, of which even a lower bound has been called "
              "intractable, is within reach (criterion: certified to 1e-6 at every stock on every "
              "weekday, within an hour)",
          .found = fmt::format("{} states; {}", weeks.front().states,
                               by_tau(weeks,
                                      [](const WeekOptimum& week) {
                                        return fmt::format(
                                            "{:.6f}, certified to {:.1e}, in {:.3g} s", week.value,
                                            week.error_bound, week.seconds);
                                      })),
          .verdict = is_whole ? verdict_of(holds) : Verdict::open};
}

Finding orders_grow_with_tau(const Weeks& weeks) {
  bool holds = true;
  for (std::size_t k = 1; k < weeks.size(); ++k) {
    holds = holds && std::ranges::equal(weeks[k - 1].at_empty(), weeks[k].at_empty(),
                                        std::ranges::less_equal());
  }
  holds = holds && weeks.front().at_empty() != weeks.back().at_empty();
  return {
      .claim = "The more averse to risk, the larger the order for an empty shelf, on every weekday",
      .found = "Monday to Sunday, " + by_tau(weeks,
                                             [](const WeekOptimum& week) {
                                               return fmt::format("{}",
                                                                  fmt::join(week.at_empty(), ", "));
                                             }),
      .verdict = verdict_of(holds)};
}

/// Combinations of weekday and total at which anything is ordered.
struct OrderedAt {
  int all = 0;
  int by_age = 0;  ///< where stocks of the same total have different orders
  int widest = 0;  ///< difference between such orders
  double share() const { return static_cast<double>(by_age) / all; }
};

OrderedAt ordered_at(const WeekOptimum& week) {
  OrderedAt found;
  for (const WeekOrder& order : week.orders) {
    if (order.most == 0) continue;
    ++found.all;
    found.by_age += order.least < order.most ? 1 : 0;
    found.widest = std::max(found.widest, order.most - order.least);
  }
  return found;
}

/// Whether a number of each week is larger than that of the one before.
template <class Number>
bool grows(const Weeks& weeks, const Number& number) {
  return std::ranges::adjacent_find(weeks, std::ranges::greater_equal(), number) == weeks.end();
}

Finding ages_matter_more(const Weeks& weeks) {
  return {.claim =
              "The more averse to risk, the more often the order depends on the ages of the stock, "
              "and not on its total alone (criterion: the share of the combinations of weekday and "
              "total with an order at which it does)",
          .found = by_tau(weeks,
                          [](const WeekOptimum& week) {
                            const OrderedAt found = ordered_at(week);
                            return fmt::format("{} of {}, by up to {} units", found.by_age,
                                               found.all, found.widest);
                          }),
          .verdict = verdict_of(
              grows(weeks, [](const WeekOptimum& week) { return ordered_at(week).share(); }))};
}

Finding perishing_matters_more(const Weeks& weeks) {
  return {.claim =
              "The more averse to risk, the more it costs to order as if nothing perished, from an "
              "empty shelf on a Monday",
          .found = by_tau(weeks,
                          [](const WeekOptimum& week) {
                            return fmt::format("{:.3g} % more", week.static_gap_percent());
                          }),
          .verdict = verdict_of(grows(weeks, &WeekOptimum::static_gap_percent))};
}

Json optimum_rows(const Weeks& weeks) {
  Json rows = Json::array();
  for (const WeekOptimum& week : weeks) {
    rows.push_back({{"tau", week.tau},
                    {"shelf_life", week.shelf_life},
                    {"states", week.states},
                    {"value", week.value},
                    {"error_bound", week.error_bound},
                    {"order_at_empty", week.at_empty().front()},
                    {"static_value", week.static_value},
                    {"static_gap_percent", week.static_gap_percent()},
                    {"seconds", week.seconds}});
  }
  return rows;
}

Json order_rows(const Weeks& weeks) {
  Json rows = Json::array();
  for (const WeekOptimum& week : weeks) {
    for (const WeekOrder& order : week.orders) {
      Json row = {{"tau", week.tau}};
      row.update(Json(order));
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace

std::vector<int> WeekOptimum::at_empty() const {
  std::vector<int> all;
  for (const WeekOrder& order : orders) {
    if (order.total == 0) all.push_back(order.most);
  }
  return all;
}

Results conclude_week(const std::vector<WeekOptimum>& weeks) {
  return {.findings = {within_reach(weeks), orders_grow_with_tau(weeks), ages_matter_more(weeks),
                       perishing_matters_more(weeks)},
          .tables = {{"optima", optimum_rows(weeks)}, {"orders", order_rows(weeks)}}};
}

}  // namespace shortfall::studies
