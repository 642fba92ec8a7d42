#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "report/fields.hpp"
#include "report/inventory_results.hpp"
#include "shortfall/inventory/model/weekday.hpp"

/// The fields of the results of inventories. Documents of the commands have them in alphabetical
/// order, pages in this one.
namespace shortfall::report {

template <>
struct Fields<io::InventoryConfiguration> {
  using Type = io::InventoryConfiguration;
  static constexpr auto name = "Inventory";
  static constexpr auto meaning = "A perishable stock, and the criterion for its orders.";
  static constexpr auto list = std::tuple{
      Field{"states", [](const Type& c) { return c.model.states(); },
            "number of states: stocks by age, times weekdays"},
      Field{"shelf_life", [](const Type& c) { return c.model.shelf_life(); },
            "periods for which a fresh unit can be used"},
      Field{"capacity", [](const Type& c) { return c.model.capacity(); },
            "limit on stock and order together"},
      Field{"days", [](const Type& c) { return c.model.days(); },
            "1, or 7 if the plan differs by weekday"},
      Field{"loss", [](const Type& c) { return c.criterion.loss.to_string(); },
            "the loss, as one word"},
      Field{"gamma", [](const Type& c) { return c.criterion.gamma; }, "discount factor"}};
};

template <>
struct Fields<Solution> {
  static constexpr auto name = "InventorySolution";
  static constexpr auto meaning = "Orders by state and their values.";
  static constexpr auto list = std::tuple{
      Field{"value_at_empty", [](const Solution& s) { return s.values.front(); },
            "risk-adjusted cost from the empty stock; on a Monday, if the plan differs by weekday"},
      Field{"order_at_empty",
            [](const Solution& s) {
              return s.policy.empty() ? std::nullopt : std::optional(s.policy.front());
            },
            "order for the empty stock; none if the solver was stopped before it had a bound"},
      Field{"error_bound", &Solution::error_bound,
            "certified distance from the exact values, in every state; infinite if nothing is "
            "certified"},
      Field{"status", [](const Solution& s) { return to_string(s.status); },
            "`converged`, `iteration-limit`, `precision-limit`, `overflow`, `small-change` or "
            "`stopped`"},
      Field{"iterations", &Solution::iterations, "number of iterations"}};
};

template <>
struct Fields<inventory::OrderChoice> {
  using Type = inventory::OrderChoice;
  static constexpr auto name = "OrderChoice";
  static constexpr auto meaning = "What one order quantity would cost and lead to.";
  static constexpr auto first = std::tuple{
      Field{"order", &Type::order, "units ordered"},
      Field{"value", &Type::value, "risk-adjusted cost of this order followed by optimal ones"}};
  static constexpr auto extra =
      std::tuple{Field{"extra", &Type::extra, "how much more it costs than the best order"}};
  static constexpr auto expected = std::tuple{
      Field{"chance_of_shortage", &Type::chance_of_shortage,
            "probability that the demand of this period is not met"},
      Field{"expected_short", &Type::expected_short, "units short in this period"},
      Field{"expected_expired", &Type::expected_expired, "units that expire in this period"},
      Field{"expected_expired_in_all", &Type::expected_expired_in_all,
            "units of the stock and this order that ever expire, if nothing more is ordered"},
      Field{"expected_left", &Type::expected_left, "units left after this period"},
      Field{"expected_cost", &Type::expected_cost, "cost of this period"}};
  static constexpr auto list = std::tuple_cat(first, extra, expected);
};

/// What a rule orders today: the choice that it makes.
struct RuleChoice {
  inventory::OrderChoice choice;
};

template <>
struct Fields<RuleChoice> {
  using Choice = Fields<inventory::OrderChoice>;
  static constexpr auto name = "RuleChoice";
  static constexpr auto meaning = "What a rule would order today.";
  static constexpr auto list =
      through(&RuleChoice::choice, std::tuple_cat(Choice::first, Choice::extra));
};

template <>
struct Fields<OrderReport> {
  using Choice = Fields<inventory::OrderChoice>;
  static constexpr auto name = "OrderAnswer";
  static constexpr auto meaning = "Today's order, what other orders would cost, and why.";
  static constexpr auto recommended = [](const OrderReport& r) -> const inventory::OrderChoice& {
    return r.answer.recommended();
  };
  static Named<RuleChoice> compared(const OrderReport& report) {
    Named<RuleChoice> rules;
    for (const auto& [name, order] : report.rules) {
      rules.entries.emplace_back(name, RuleChoice{report.answer.choices[order]});
    }
    return rules;
  }
  static constexpr auto list = std::tuple_cat(
      through(recommended, std::tuple_cat(Choice::first, Choice::expected)),
      std::tuple{Field{"error_bound", [](const OrderReport& r) { return r.answer.error_bound; },
                       "certified distance of all values from the exact ones"},
                 Field{"reason", [](const OrderReport& r) { return r.answer.reason; },
                       "why, in one sentence"},
                 Field{"stock", [](const OrderReport& r) { return r.answer.today.stock; },
                       "the stock that was given: units with 1, 2, .. periods left"},
                 Field{"choices", [](const OrderReport& r) { return r.answer.choices; },
                       "one entry per order quantity, from 0"},
                 Field{"compare", &Fields::compared, "what rules would order, by name"}});
};

template <>
struct Fields<inventory::BacktestDay> {
  using Type = inventory::BacktestDay;
  static constexpr auto name = "BacktestDay";
  static constexpr auto meaning = "One day of a policy, in units.";
  static constexpr auto list =
      std::tuple{Field{"date", &Type::date, "the date, such as 2026-11-16"},
                 Field{"closed", &Type::is_closed, "whether the day has no row"},
                 Field{"stock", &Type::stock, "in the morning, with 1, 2, .. periods left"},
                 Field{"ordered", &Type::ordered, "units ordered"},
                 Field{"received", &Type::received, "with 1, 2, .. periods left"},
                 Field{"demand", &Type::demand, "units of demand"},
                 Field{"short", &Type::missing, "demand that was not met"},
                 Field{"left", &Type::left, "at the end of the day, before any expire"},
                 Field{"expired", &Type::expired, "units that expired"},
                 Field{"cost", &Type::cost, "cost of the day"}};
};

template <>
struct Fields<inventory::BacktestPolicy> {
  using Type = inventory::BacktestPolicy;
  static constexpr auto name = "BacktestPolicy";
  static constexpr auto meaning = "What one policy would have cost on recorded days.";
  static constexpr auto cost = std::tuple{
      Field{"cost", &Type::cost, "sum of all costs"},
      Field{"cost_per_day", &Type::cost_per_day, "cost divided by the number of days with a row"}};
  static constexpr auto parts =
      std::tuple{Field{"order_cost", &Type::order_cost, "part of the cost for placing orders"},
                 Field{"unit_cost", &Type::unit_cost, "part for units ordered"},
                 Field{"holding_cost", &Type::holding_cost, "part for units held"},
                 Field{"shortage_cost", &Type::shortage_cost, "part for units short"},
                 Field{"wastage_cost", &Type::wastage_cost, "part for units that expired"}};
  static constexpr auto counts = std::tuple{
      Field{"orders", &Type::orders, "number of orders"},
      Field{"units_ordered", &Type::units_ordered, "units ordered"},
      Field{"units_short", &Type::units_short, "units short"},
      Field{"days_short", &Type::days_short, "days on which recorded demand was not met"},
      Field{"shortages",
            [](const Type& p) { return name_of(p.shortages, inventory::shortages_names); },
            "`exact`; where the stock ran out, `at least` for actual, otherwise `of recorded "
            "demand`"},
      Field{"units_expired", &Type::units_expired, "units that expired"},
      Field{"service_level", &Type::service_level, "share of recorded demand that was met"}};
  static constexpr auto list =
      std::tuple_cat(cost, parts, counts,
                     std::tuple{Field{"rows", &Type::days, "every day from the first to the last",
                                      InDocuments::never}});
};

template <>
struct Fields<BacktestReport> {
  using Backtest = inventory::Backtest;
  static constexpr auto name = "Backtest";
  static constexpr auto meaning =
      "What policies would have cost on recorded days: the plan, each rule, and what happened.";
  static Named<inventory::BacktestPolicy> by_name(const Backtest& backtest) {
    Named<inventory::BacktestPolicy> policies;
    for (const auto& policy : backtest.policies) policies.entries.emplace_back(policy.name, policy);
    return policies;
  }
  static constexpr auto backtest = std::tuple{
      Field{"days", &Backtest::days, "days with a row that are compared"},
      Field{"warmup_days", &Backtest::warmup_days,
            "days before the first fit, if the plan is refitted"},
      Field{"closed_days", &Backtest::closed_days, "days without a row"},
      Field{"censored_days", &Backtest::censored_days, "days on which the stock ran out"},
      Field{"first", [](const Backtest& b) { return b.policies.front().days.front().date; },
            "first day that is compared"},
      Field{"last", [](const Backtest& b) { return b.policies.front().days.back().date; },
            "last day"},
      Field{"start", &Backtest::start, "stock on the first morning, with 1, 2, .. periods left"},
      Field{"refits", &Backtest::refits, "dates on which the plan was fitted again"},
      Field{"policies", &Fields::by_name, "`plan`, each rule, and `actual`, by name"}};
  static constexpr auto list =
      std::tuple_cat(through(&BacktestReport::backtest, backtest),
                     std::tuple{Field{"warnings", &BacktestReport::warnings,
                                      "what limits the comparison, in words"}});
};

template <>
struct Fields<inventory::SimulationResult> {
  using Type = inventory::SimulationResult;
  static constexpr auto name = "Simulation";
  static constexpr auto meaning =
      "The result of a simulation. Rates are means over all periods of all replications.";
  static constexpr auto rates = std::tuple{
      Field{"cost_per_period", &Type::cost_per_period, "mean cost of a period"},
      Field{"holding_cost_per_period", &Type::holding_cost_per_period, "part for units held"},
      Field{"mean_order", &Type::mean_order, "mean size of an order"},
      Field{"mean_stock", &Type::mean_stock, "mean number of units after delivery"},
      Field{"order_cost_per_period", &Type::order_cost_per_period, "part for placing orders"},
      Field{"order_frequency", &Type::order_frequency, "share of periods with an order"},
      Field{"periods_short", &Type::periods_short, "share of periods in which demand is not met"},
      Field{"service_level", &Type::service_level, "share of demand that is met"},
      Field{"shortage_cost_per_period", &Type::shortage_cost_per_period, "part for units short"},
      Field{"shortage_rate", &Type::shortage_rate, "units short per period"},
      Field{"unit_cost_per_period", &Type::unit_cost_per_period, "part for units ordered"},
      Field{"wastage_cost_per_period", &Type::wastage_cost_per_period,
            "part for units that expired"},
      Field{"wastage_rate", &Type::wastage_rate, "units that expire per period"},
      Field{"wasted_fraction", &Type::wasted_fraction, "share of units received that expire"}};
  static constexpr auto list = std::tuple_cat(
      std::tuple{Field{"mean", &Type::mean, "mean discounted cost of a replication"},
                 Field{"standard_error", &Type::standard_error, "standard error of that mean"}},
      rates,
      std::tuple{Field{"stock_by_age", &Type::stock_by_age,
                       "mean number of units after delivery with 1, 2, .. periods left"}});
};

template <>
struct Fields<inventory::TrainingRecord> {
  using Type = inventory::TrainingRecord;
  static constexpr auto name = "TrainingRecord";
  static constexpr auto meaning =
      "One iteration of a training: the estimated cost of the orders before it, from samples, and "
      "the exact cost of the orders after it, both from the empty stock. Iteration 0 is the myopic "
      "start.";
  static constexpr auto value = std::tuple{
      Field{"value_at_empty", &Type::value_at_empty, "exact cost of the orders after it"},
      Field{"error_bound", &Type::error_bound, "certified error of that cost"}};
  static constexpr auto list = std::tuple_cat(
      value,
      std::tuple{Field{"iteration", &Type::iteration, "its number"},
                 Field{"estimated_at_empty", &Type::estimated_at_empty,
                       "estimated cost of the orders before it, from samples"},
                 Field{"weights_change", &Type::change,
                       "change of the weights, as the root mean square change of the values"},
                 Field{"used", &Type::used, "trajectories that were used"},
                 Field{"singular", &Type::singular, "trajectories left out for a singular matrix"},
                 Field{"diverged", &Type::diverged, "trajectories left out because they diverged"},
                 Field{"status", [](const Type& r) { return to_string(r.status); },
                       "status of the exact cost", InDocuments::never}});
};

template <>
struct Fields<inventory::TrainingState> {
  using Type = inventory::TrainingState;
  static constexpr auto name = "Training";
  static constexpr auto meaning = "Orders learned from samples.";
  static constexpr auto best = [](const Type& s) -> const inventory::TrainingRecord& {
    return s.trace[s.best];
  };
  static constexpr auto list = std::tuple_cat(
      through(best, Fields<inventory::TrainingRecord>::value),
      std::tuple{Field{"order_at_empty", [](const Type& s) { return s.best_orders.front(); },
                       "order of the best orders for the empty stock"},
                 Field{"best_iteration", [](const Type& s) { return best(s).iteration; },
                       "iteration of the best orders; 0: the myopic start"},
                 Field{"iterations", [](const Type& s) { return s.trace.size() - 1; },
                       "number of iterations"}});
};

template <>
struct Fields<inventory::GoodnessOfFit> {
  using Type = inventory::GoodnessOfFit;
  static constexpr auto name = "GoodnessOfFit";
  static constexpr auto meaning = "A chi-square test of the law of demand.";
  static constexpr auto list =
      std::tuple{Field{"chi_square", &Type::statistic, "the statistic"},
                 Field{"degrees", &Type::degrees, "degrees of freedom"},
                 Field{"p", &Type::p, "below 0.01, the days contradict the law"}};
};

template <>
struct Fields<inventory::Trend> {
  using Type = inventory::Trend;
  static constexpr auto name = "Trend";
  static constexpr auto meaning = "Growth of demand over time.";
  static constexpr auto list =
      std::tuple{Field{"change_per_year", &Type::change_per_year, "relative change per year"},
                 Field{"p", &Type::p, "significance: small if there is a trend"}};
};

template <>
struct Fields<inventory::LevelShift> {
  using Type = inventory::LevelShift;
  static constexpr auto name = "LevelShift";
  static constexpr auto meaning = "The most likely date of a change of demand.";
  static constexpr auto list =
      std::tuple{Field{"date", &Type::date, "first day of the new level"},
                 Field{"or_later", &Type::or_later, "whether the date is a lower bound"},
                 Field{"change", &Type::change, "relative change"},
                 Field{"p", &Type::p, "significance: small if there is a change"}};
};

template <>
struct Fields<inventory::DemandCandidate> {
  using Type = inventory::DemandCandidate;
  static constexpr auto name = "DemandCandidate";
  static constexpr auto meaning = "A law of demand that was compared.";
  static constexpr auto list = std::tuple{
      Field{"distribution",
            [](const Type& c) { return name_of(c.law, inventory::demand_law_names); }, "the law"},
      Field{"by_weekday", &Type::by_weekday, "whether it has a mean for each weekday"},
      Field{"n_by_weekday", &Type::n_by_weekday, "whether it has an n for each weekday"},
      Field{"log_likelihood", &Type::log_likelihood, "log likelihood of the days"},
      Field{"parameters", &Type::parameters, "number of parameters"},
      Field{"bic", &Type::bic, "Bayesian information criterion: smaller is better"}};
};

/// The demand of all days or of a weekday, and the law that was chosen for all of them.
struct FittedDemand {
  inventory::DemandLaw law = inventory::DemandLaw::poisson;
  inventory::DemandOfDay day = {};
};

/// For the negative binomial distribution only.
template <class Get>
constexpr auto if_negative_binomial(Get get) {
  return [get](const FittedDemand& d) {
    return d.law == inventory::DemandLaw::negative_binomial ? std::optional<double>(get(d.day))
                                                            : std::nullopt;
  };
}

template <>
struct Fields<FittedDemand> {
  using Type = FittedDemand;
  static constexpr auto name = "FittedDemand";
  static constexpr auto meaning = "The law of demand of all days, or of one weekday.";
  static constexpr auto list = std::tuple{
      Field{"distribution",
            [](const Type& d) { return name_of(d.law, inventory::demand_law_names); },
            "law that was chosen"},
      Field{"mean", [](const Type& d) { return d.day.mean; }, "mean demand"},
      Field{"mean_low", [](const Type& d) { return d.day.mean_interval.low; },
            "lower end of its 95 % interval"},
      Field{"mean_high", [](const Type& d) { return d.day.mean_interval.high; }, "upper end"},
      Field{"n", if_negative_binomial([](const auto& day) { return day.n; }),
            "shape of the negative binomial law; none for other laws"},
      Field{"days", [](const Type& d) { return d.day.days; }, "rows of this weekday"},
      Field{"stockouts", [](const Type& d) { return d.day.stockouts; },
            "rows on which the stock ran out"},
      Field{"closed", [](const Type& d) { return d.day.closed; },
            "whether there are no rows for this weekday"},
      Field{"n_low", if_negative_binomial([](const auto& day) { return day.n_interval.low; }),
            "lower end of the 95 % interval of n", InDocuments::if_any},
      Field{"n_high", if_negative_binomial([](const auto& day) { return day.n_interval.high; }),
            "upper end; infinite if demand may be Poisson", InDocuments::if_any},
      Field{"probabilities",
            [](const Type& d) {
              return d.law == inventory::DemandLaw::empirical ? std::optional(d.day.probabilities)
                                                              : std::nullopt;
            },
            "empirical law: probabilities of 0, 1, .. units", InDocuments::if_any}};
};

inline bool is_fresh(const inventory::ArrivalFit& arrival) {
  using inventory::ArrivalLaw;
  return arrival.law == ArrivalLaw::fresh || arrival.law == ArrivalLaw::unknown;
}

/// Unless all units are fresh.
template <class Get>
constexpr auto unless_fresh(Get get) {
  return [get](const inventory::ArrivalFit& arrival) {
    using Value = std::remove_cvref_t<decltype(std::invoke(get, arrival))>;
    return is_fresh(arrival) ? std::nullopt : std::optional<Value>(std::invoke(get, arrival));
  };
}

/// For each share: one list, or seven if shares differ by weekday.
template <class Entry>
constexpr auto one_list_or_seven(Entry entry) {
  return unless_fresh([entry](const inventory::ArrivalFit& arrival) {
    using List = std::vector<decltype(entry(inventory::Share()))>;
    std::vector<List> days;
    for (const std::vector<inventory::Share>& shares : arrival.shares) {
      days.emplace_back();
      for (const inventory::Share& share : shares) days.back().push_back(entry(share));
    }
    using Either = std::variant<List, std::vector<List>>;
    return days.size() == 1 ? Either(std::move(days.front())) : Either(std::move(days));
  });
}

/// For each coefficient of a logit.
template <class Entry>
constexpr auto if_logit(std::vector<inventory::Coefficient> inventory::ArrivalFit::*member,
                        Entry entry) {
  return [member, entry](const inventory::ArrivalFit& arrival) {
    using List = std::vector<decltype(entry(inventory::Coefficient()))>;
    if (arrival.law != inventory::ArrivalLaw::logit) return std::optional<List>();
    List list;
    for (const inventory::Coefficient& each : arrival.*member) list.push_back(entry(each));
    return std::optional<List>(std::move(list));
  };
}

template <>
struct Fields<inventory::ArrivalFit> {
  using Type = inventory::ArrivalFit;
  static constexpr auto name = "FittedArrival";
  static constexpr auto meaning = "The age of units on arrival.";
  static constexpr auto value = [](const auto& estimate) { return estimate.value; };
  static constexpr auto interval = [](const auto& estimate) {
    return std::vector<double>{estimate.interval.low, estimate.interval.high};
  };
  static constexpr auto list = std::tuple{
      Field{"law", [](const Type& a) { return name_of(a.law, inventory::arrival_law_names); },
            "`unknown`, `fresh`, `shares` or `logit`"},
      Field{"fresh", &is_fresh, "whether all units arrive fresh, or are assumed to be fresh"},
      Field{"units", &Type::units, "units received"},
      Field{"deliveries", &Type::deliveries, "number of deliveries"},
      Field{"dispersion", unless_fresh(&Type::dispersion), "above 1, units of a delivery are alike",
            InDocuments::if_any},
      Field{"log_likelihood", unless_fresh(&Type::log_likelihood),
            "log likelihood of the deliveries", InDocuments::if_any},
      Field{"weekday_p", unless_fresh(&Type::weekday_p),
            "significance: small if ages depend on the weekday", InDocuments::if_any},
      Field{"order_p", unless_fresh(&Type::order_p),
            "significance: small if ages depend on the size of the order", InDocuments::if_any},
      Field{"shares", one_list_or_seven(value),
            "share of units with 1, 2, .. periods left; by weekday, if they differ",
            InDocuments::if_any},
      Field{"share_intervals", one_list_or_seven(interval), "their 95 % intervals",
            InDocuments::if_any},
      Field{"c0", if_logit(&Type::c0, value), "logit: constants", InDocuments::if_any},
      Field{"c0_intervals", if_logit(&Type::c0, interval), "their 95 % intervals",
            InDocuments::if_any},
      Field{"c1", if_logit(&Type::c1, value), "logit: coefficients of the order",
            InDocuments::if_any},
      Field{"c1_intervals", if_logit(&Type::c1, interval), "their 95 % intervals",
            InDocuments::if_any}};
};

template <>
struct Fields<FitReport> {
  using Type = FitReport;
  static constexpr auto name = "FitSummary";
  static constexpr auto meaning = "What was fitted to records.";
  static std::vector<std::string> names_of(const std::array<bool, 7>& weekdays) {
    std::vector<std::string> names;
    for (std::size_t day = 0; day < weekdays.size(); ++day) {
      if (weekdays[day]) names.emplace_back(inventory::weekday_name(day));
    }
    return names;
  }
  static std::vector<FittedDemand> demand(const Type& report) {
    std::vector<FittedDemand> days;
    for (const auto& day : report.fit.demand.days) days.push_back({report.fit.demand.law, day});
    return days;
  }
  static constexpr auto list = std::tuple{
      Field{"days", [](const Type& r) { return r.fit.days; }, "rows that were used"},
      Field{"first", [](const Type& r) { return r.fit.first; }, "date of the first row"},
      Field{"last", [](const Type& r) { return r.fit.last; }, "date of the last row"},
      Field{"holidays", [](const Type& r) { return r.fit.holidays; }, "single days without a row"},
      Field{"closed", [](const Type& r) { return names_of(r.fit.closed); },
            "weekdays without a row"},
      Field{"without_orders", [](const Type& r) { return names_of(r.fit.without_orders); },
            "weekdays without orders"},
      Field{"shelf_life", [](const Type& r) { return r.fit.shelf_life; }, "as given"},
      Field{"by_weekday", [](const Type& r) { return r.fit.demand.by_weekday; },
            "whether demand differs by weekday"},
      Field{
          "stockout",
          [](const Type& r) { return name_of(r.fit.stockout, inventory::stockout_meaning_names); },
          "what a stock-out says of demand: it was `at-least` what the row says, or `more-than` "
          "that"},
      Field{"stockout_source",
            [](const Type& r) {
              return name_of(r.fit.stockout_source, inventory::stockout_source_names);
            },
            "how that is known: `option`, `records` (deliveries show it), `assumed`, or `none` "
            "without a stock-out"},
      Field{"log_likelihood", [](const Type& r) { return r.fit.demand.log_likelihood; },
            "log likelihood of the chosen law"},
      Field{"candidates", [](const Type& r) { return r.fit.demand.candidates; },
            "the laws that were compared, best first"},
      Field{"autocorrelation", [](const Type& r) { return r.fit.demand.autocorrelation; },
            "correlation of demand on successive days"},
      Field{"arrival", [](const Type& r) { return r.fit.arrival; }, "ages on arrival"},
      Field{"capacity", &Type::capacity, "capacity of the plan"},
      Field{"max_order", &Type::max_order, "largest order of the plan"},
      Field{"warnings", &Type::warnings, "what speaks against the plan, in words"},
      Field{"demand", &Fields::demand, "one entry, or seven, Monday first"},
      Field{"goodness_of_fit", [](const Type& r) { return r.fit.demand.goodness; },
            "a chi-square test of the law; none for an empirical law and for few days",
            InDocuments::if_any},
      Field{"trend", [](const Type& r) { return r.fit.demand.trend; },
            "growth of demand over time; none for less than 60 days", InDocuments::if_any},
      Field{"shift", [](const Type& r) { return r.fit.demand.shift; },
            "the most likely date of a change; none for less than 60 days", InDocuments::if_any}};
};

}  // namespace shortfall::report
