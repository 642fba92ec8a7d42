#include "shortfall/formats/fitted_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/fit/fitted_model.hpp"
#include "shortfall/inventory/kernel/suggested_capacity.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "text/text.hpp"

namespace shortfall::io {
namespace {

using inventory::DemandLaw;
using inventory::Fit;
using inventory::Interval;

/// The parts of a plan that are not fitted.
struct PlanValues {
  std::string records;
  std::size_t capacity;
  std::size_t max_order;
  bool capacity_given;
  bool max_order_given;
  std::vector<inventory::Costs> cost;
  std::vector<std::string> placeholder_costs;
  std::string loss;
  double gamma;
};

/// A number of the plan: as many digits as it takes to read the same value.
std::string digits(double x) {
  return fmt::format("{}", x);
}

/// One value, or a list of seven if they differ.
template <class Get>
std::string one_or_week(std::size_t count, const Get& get) {
  std::vector<std::string> values;
  for (std::size_t day = 0; day < count; ++day) values.push_back(get(day));
  const bool same = std::ranges::all_of(values, [&](const auto& v) { return v == values[0]; });
  return same ? values[0] : fmt::format("[{}]", fmt::join(values, ", "));
}

std::string interval_text(const Interval& interval) {
  if (interval.high == infinity) return fmt::format("at least {:.4g}", interval.low);
  return fmt::format("{:.4g} to {:.4g}", interval.low, interval.high);
}

/// Comments are wrapped, so that they can be read in any editor.
std::string comment(const std::string& text) {
  constexpr std::size_t width = 98;
  std::string result;
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && line.size() + word.size() + 1 > width) {
      result += fmt::format("# {}\n", line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  return result + fmt::format("# {}\n", line);
}

std::string law_text(const Fit& fit) {
  const inventory::DemandFit& demand = fit.demand;
  std::string text;
  if (demand.law == DemandLaw::poisson) {
    text = "Poisson";
  } else if (demand.law == DemandLaw::negative_binomial) {
    text = "negative binomial: the variance is mean + mean^2 / n";
  } else {
    text = "as recorded: the probabilities of 0, 1, 2, .. units";
  }
  return fmt::format(
      "Demand is {}, {}.", text,
      demand.by_weekday ? "with a mean for each weekday" : "with the same mean on every day");
}

/// "Monday: 6.2 (5.7 to 6.9, from 104 days)".
std::string intervals_comment(const Fit& fit) {
  const inventory::DemandFit& demand = fit.demand;
  const auto describe = [&](const inventory::DemandOfDay& day) {
    return fmt::format(
        "{:.4g} ({}; {} days{})", day.mean, interval_text(day.mean_interval), day.days,
        day.stockouts > 0 ? fmt::format(", {} with a stock-out", day.stockouts) : "");
  };
  std::string text = "# Mean demand, with 95 % intervals:\n";
  if (!demand.by_weekday) {
    const auto open = std::ranges::find(demand.days, false, &inventory::DemandOfDay::closed);
    text += fmt::format("#   {}\n", describe(*open));
  } else {
    for (std::size_t day = 0; day < 7; ++day) {
      if (demand.days[day].closed) continue;
      text +=
          fmt::format("#   {:<9} {}\n", inventory::weekday_name(day), describe(demand.days[day]));
    }
  }
  if (demand.law != DemandLaw::negative_binomial) return text;
  const auto n_text = [&](std::size_t day) { return interval_text(demand.days[day].n_interval); };
  return text +
         comment(fmt::format("95 % interval of n: {}.", one_or_week(demand.days.size(), n_text)));
}

std::string probabilities_text(const std::vector<double>& probabilities) {
  std::vector<std::string> values;
  for (const double p : probabilities) values.push_back(digits(p));
  return fmt::format("[{}]", fmt::join(values, ", "));
}

std::string demand_table(const Fit& fit) {
  const inventory::DemandFit& demand = fit.demand;
  std::string text = fmt::format("[demand]\n{}", comment(law_text(fit)));
  text += intervals_comment(fit);
  if (demand.goodness) {
    text += comment(fmt::format(
        "Goodness of fit: p = {:.2g} (chi-square {:.1f} with {} degrees of freedom); below 0.01, "
        "the days would contradict this law.",
        demand.goodness->p, demand.goodness->statistic, demand.goodness->degrees));
  }
  text += fmt::format("distribution = \"{}\"\n", name_of(demand.law, inventory::demand_law_names));
  const std::size_t count = demand.days.size();
  if (demand.law == DemandLaw::empirical) {
    std::vector<std::string> days;
    for (const auto& day : demand.days) days.push_back(probabilities_text(day.probabilities));
    return text + (count == 1
                       ? fmt::format("probabilities = {}\n", days[0])
                       : fmt::format("probabilities = [\n  {},\n]\n", fmt::join(days, ",\n  ")));
  }
  if (demand.law == DemandLaw::negative_binomial) {
    text += fmt::format("n = {}\n", one_or_week(count, [&](std::size_t day) {
                          return digits(demand.days[day].n);
                        }));
  }
  text += fmt::format("mean = {}\n", one_or_week(count, [&](std::size_t day) {
                        return digits(demand.days[day].mean);
                      }));
  return text + fmt::format("max = {}    # larger demands count as this many units\n",
                            inventory::suggested_max_demand(fit));
}

std::string shares_text(const std::vector<inventory::Share>& shares) {
  std::vector<std::string> values;
  for (const inventory::Share& share : shares) values.push_back(digits(share.value));
  return fmt::format("[{}]", fmt::join(values, ", "));
}

std::string share_intervals(const std::vector<inventory::Share>& shares) {
  std::vector<std::string> values;
  for (const inventory::Share& share : shares) {
    values.push_back(fmt::format("{:.1f} % ({:.1f} to {:.1f})", 100.0 * share.value,
                                 100.0 * share.interval.low, 100.0 * share.interval.high));
  }
  return fmt::format("{}", fmt::join(values, ", "));
}

std::string arrival_table(const Fit& fit) {
  const inventory::ArrivalFit& arrival = fit.arrival;
  std::string text = "[arrival]\n";
  if (arrival.law == inventory::ArrivalLaw::unknown) {
    return text +
           comment(
               "The records do not have the age of units on arrival. If units arrive "
               "already aged, write instead: shares = [..], for 1, 2, .. days left.") +
           "fresh = true\n";
  }
  if (arrival.law == inventory::ArrivalLaw::fresh) {
    return text +
           comment(fmt::format("All {} units in {} deliveries arrived fresh.", arrival.units,
                               arrival.deliveries)) +
           "fresh = true\n";
  }
  text +=
      comment(fmt::format("From {} units in {} deliveries.", arrival.units, arrival.deliveries));
  if (arrival.law == inventory::ArrivalLaw::logit) {
    text += comment(fmt::format(
        "The age depends on the size of the order (p = {:.1g}): each unit of an order of z has i "
        "periods left with a probability proportional to exp(c0 + c1 * z), for i = 2, 3, ..; for i "
        "= 1, both coefficients are 0.",
        arrival.order_p));
    const auto values = [](const std::vector<inventory::Coefficient>& coefficients) {
      std::vector<std::string> result;
      for (const auto& c : coefficients) result.push_back(digits(c.value));
      return fmt::format("{}", fmt::join(result, ", "));
    };
    for (std::size_t i = 0; i < arrival.c0.size(); ++i) {
      text += fmt::format("#   {} left: c0 from {:.3g} to {:.3g}, c1 from {:.3g} to {:.3g}\n",
                          i + 2, arrival.c0[i].interval.low, arrival.c0[i].interval.high,
                          arrival.c1[i].interval.low, arrival.c1[i].interval.high);
    }
    return text + fmt::format("c0 = [{}]\nc1 = [{}]\n", values(arrival.c0), values(arrival.c1));
  }
  text += "# Shares of units by periods left, 1, 2, .., with 95 % intervals:\n";
  if (arrival.shares.size() == 1) {
    return text + comment("  " + share_intervals(arrival.shares[0])) +
           fmt::format("shares = {}\n", shares_text(arrival.shares[0]));
  }
  std::vector<std::string> days;
  for (std::size_t day = 0; day < 7; ++day) {
    text += fmt::format("#   {:<9} {}\n", inventory::weekday_name(day),
                        share_intervals(arrival.shares[day]));
    days.push_back(shares_text(arrival.shares[day]));
  }
  return text + fmt::format("shares = [\n  {},\n]\n", fmt::join(days, ",\n  "));
}

std::string inventory_table(const Fit& fit, const PlanValues& values) {
  std::string text = fmt::format("[inventory]\nshelf_life = {}\n", fit.shelf_life);
  if (values.capacity_given) {
    text += comment("Stock and order together never exceed the capacity.") +
            fmt::format("capacity = {}\n", values.capacity);
  } else {
    text += comment(fmt::format(
                "Stock and order together never exceed the capacity. Without one, it is chosen by "
                "demand, costs and order days so that it does not limit the best orders: now {}. "
                "If your shelf holds less, write how much:",
                values.capacity)) +
            fmt::format("# capacity = {}\n", values.capacity);
  }
  const bool some_without = std::ranges::find(fit.without_orders, true) != fit.without_orders.end();
  if (!values.capacity_given && !values.max_order_given && !some_without) return text;
  const bool is_limit = values.capacity_given || values.max_order_given;
  const std::size_t largest = is_limit ? values.max_order : inventory::largest_capacity;
  const auto limit = [&](std::size_t day) {
    return fmt::format("{}", fit.without_orders[day] ? 0 : largest);
  };
  return text +
         comment(fmt::format("The largest order; 0 on weekdays without orders{}.",
                             is_limit ? "" : fmt::format("; {} limits nothing", largest))) +
         fmt::format("max_order = {}\n", one_or_week(7, limit));
}

std::string cost_table(const PlanValues& values) {
  using inventory::Costs;
  const auto cost = [&](double Costs::*member) {
    return one_or_week(values.cost.size(), [&](std::size_t day) {
      return fmt::format("{}", values.cost[day].*member);
    });
  };
  std::vector<std::string> placeholders;
  for (const std::string& name : values.placeholder_costs) {
    placeholders.push_back(fmt::format("\"{}\"", name));
  }
  const std::string marked =
      placeholders.empty()
          ? ""
          : fmt::format(
                "# Costs that are not your own yet: delete each name once you have replaced "
                "its value. While there\n# are any, reports compare nothing in money.\n"
                "placeholders = [{}]\n",
                fmt::join(placeholders, ", "));
  return fmt::format(
             "[cost]\n"
             "{}"
             "order = {}  # for placing an order, whatever its size\n"
             "unit = {}  # for each unit ordered\n"
             "holding = {}  # for each unit left at the end of a day\n"
             "shortage = {}  # for each requested unit that is not in stock\n"
             "wastage = {}  # for each unit that expires\n",
             placeholders.empty()
                 ? ""
                 : "# Not in the records: REPLACE with your own costs, all in the same currency.\n",
             cost(&Costs::order), cost(&Costs::unit), cost(&Costs::holding), cost(&Costs::shortage),
             cost(&Costs::wastage)) +
         marked;
}

/// A name of a file on one line of UTF-8, whatever its bytes are.
std::string printable(const std::string& name) {
  const std::string quoted = fmt::format("{:?}", name);
  return quoted.substr(1, quoted.size() - 2);
}

/// The plan as TOML with comments.
std::string fitted_plan_text(const Fit& fit, const PlanValues& values,
                             const std::vector<std::string>& warnings) {
  std::string text = comment(fmt::format(
      "A plan fitted to {}: {} from {} to {}{}.", printable(values.records),
      counted(fit.days, "day"), inventory::iso_date(fit.first), inventory::iso_date(fit.last),
      fit.holidays > 0
          ? fmt::format(", and {} without a row, assumed closed", counted(fit.holidays, "day"))
          : ""));
  text +=
      "#\n#   shortfall inventory solve PLAN.toml\n#   shortfall inventory order PLAN.toml --stock "
      "..\n";
  for (const std::string& warning : warnings) text += "#\n" + comment("Warning: " + warning + ".");
  text += "\n" + inventory_table(fit, values) + "\n" + demand_table(fit) + "\n" +
          arrival_table(fit) + "\n" + cost_table(values);
  text += fmt::format(
      "\n[risk]\n"
      "# How much bad outcomes count: \"mean\" is the plain average; \"expectile:0.9\" is\n"
      "# risk-averse: a unit of cost above the reported value counts nine times one below it.\n"
      "loss = \"{}\"\n"
      "gamma = {}    # discount factor: costs of the next day count this much today\n",
      values.loss, values.gamma);
  return text;
}

/// Those that are set, or else the costs that are not; a price of 0 is no placeholder.
std::vector<std::string> placeholder_costs(const InventoryToml& given,
                                           const std::vector<std::string>& assignments) {
  const auto is_given = [&](std::string_view name) {
    return std::ranges::any_of(assignments, [&](const std::string& assignment) {
      return trimmed(std::string_view(assignment).substr(0, assignment.find('='))) ==
             fmt::format("cost.{}", name);
    });
  };
  if (is_given("placeholders")) return given.placeholder_costs();
  std::vector<std::string> names;
  for (const std::string_view name : cost_names) {
    if (!is_given(name) && name != "unit") names.emplace_back(name);
  }
  return names;
}

void check_assignments(const FittedPlanOptions& options) {
  for (const std::string& assignment : options.set) {
    const std::string_view key =
        trimmed(std::string_view(assignment).substr(0, assignment.find('=')));
    require(assignment.find('=') == std::string::npos || key.starts_with("cost.") ||
                key.starts_with("risk."),
            "{} {}: this key is fitted; accepted: keys of [cost] and [risk], such as "
            "cost.order=225; the others can be changed in the plan",
            option_words(options.style, "set"), assignment);
  }
}

}  // namespace

FittedPlan fitted_plan(const inventory::Fit& fit, const FittedPlanOptions& options) {
  check_assignments(options);
  InventoryToml given("", "the fitted plan");
  const std::string option = option_words(options.style, "set");
  for (const std::string& assignment : options.set) given.set(assignment, option);
  const std::vector<inventory::Costs> cost = given.costs_or(inventory::usual_costs);
  const Criterion criterion = given.criterion_or(inventory::usual_criterion());
  const std::size_t suggested =
      inventory::suggested_capacity(fit, cost, criterion, options.max_order);
  const std::size_t capacity = options.capacity.value_or(suggested);
  if (capacity < 1 || capacity > inventory::largest_capacity) {
    throw InvalidField("capacity", fmt::format("capacity = {}; accepted: 1 to {}", capacity,
                                               inventory::largest_capacity));
  }
  if (options.max_order && options.capacity && *options.max_order > capacity) {
    throw InvalidField("max_order", fmt::format("max_order = {}; accepted: 0 to the capacity, {}",
                                                *options.max_order, capacity));
  }
  const std::size_t max_order = std::min(options.max_order.value_or(capacity), capacity);
  std::vector<inventory::Warning> warnings = fit.warnings;
  using inventory::WarningCode;
  if (!options.capacity && suggested == inventory::largest_capacity) {
    warnings.push_back(
        {.code = WarningCode::stock_above_largest_capacity, .total = inventory::largest_capacity});
  } else if (options.capacity && capacity < suggested) {
    warnings.push_back(
        {.code = WarningCode::capacity_limits_orders, .count = capacity, .total = suggested});
  }
  const std::optional<std::size_t> useful =
      max_order < capacity
          ? std::optional(inventory::largest_useful_order(
                fitted_model(fit, {.cost = cost, .capacity = capacity}), criterion))
          : std::nullopt;
  if (useful && max_order < *useful) {
    warnings.push_back(
        {.code = WarningCode::max_order_limits_orders, .count = max_order, .total = *useful});
  }
  const PlanValues values{.records = options.records,
                          .capacity = capacity,
                          .max_order = options.max_order.value_or(capacity),
                          .capacity_given = options.capacity.has_value(),
                          .max_order_given = options.max_order.has_value(),
                          .cost = cost,
                          .placeholder_costs = placeholder_costs(given, options.set),
                          .loss = criterion.loss.to_string(),
                          .gamma = criterion.gamma};
  inventory::Model model(
      fitted_model(fit, {.cost = cost, .capacity = capacity, .max_order = max_order}));
  std::vector<std::string> texts = in_words(warnings, options.style);
  return {.toml = fitted_plan_text(fit, values, texts),
          .configuration = {std::move(model), criterion},
          .placeholder_costs = values.placeholder_costs,
          .warnings = std::move(texts)};
}

}  // namespace shortfall::io
