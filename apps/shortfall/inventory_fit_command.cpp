#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/options.hpp"
#include "apps/shortfall/output.hpp"
#include "errors/require.hpp"
#include "files/atomic_file.hpp"
#include "files/input_file.hpp"
#include "report/inventory_results.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/formats/fitted_plan.hpp"
#include "shortfall/formats/records_csv.hpp"
#include "shortfall/inventory/fit/fit.hpp"
#include "shortfall/inventory/model/stock_index.hpp"
#include "text/text.hpp"

namespace shortfall::app {
namespace {

using inventory::ArrivalLaw;
using inventory::DemandLaw;
using inventory::Fit;

std::string law_in_words(const Fit& fit) {
  const char* const law = fit.demand.law == DemandLaw::poisson             ? "Poisson"
                          : fit.demand.law == DemandLaw::negative_binomial ? "negative binomial"
                                                                           : "as recorded";
  return fmt::format("{}, {}", law, fit.demand.by_weekday ? "by weekday" : "the same on every day");
}

void add_day(TextTable& table, const std::string& name, const inventory::DemandOfDay& day) {
  table.add({name, fmt::format("{:.3f}", day.mean),
             fmt::format("{:.3f} to {:.3f}", day.mean_interval.low, day.mean_interval.high),
             fmt::format("{}", day.days), fmt::format("{}", day.stockouts)});
}

std::string demand_table(const Fit& fit) {
  TextTable table;
  table.add({"day", "mean demand", "95 % interval", "days", "stock-outs"});
  if (!fit.demand.by_weekday) {
    const auto open = std::ranges::find(fit.demand.days, false, &inventory::DemandOfDay::closed);
    add_day(table, "all", *open);
  }
  for (std::size_t i = 0; i < fit.demand.days.size(); ++i) {
    const inventory::DemandOfDay& day = fit.demand.days[i];
    if (day.closed) {
      table.add({inventory::weekday_name(i), "closed", "", "0", ""});
    } else if (fit.demand.by_weekday) {
      add_day(table, inventory::weekday_name(i), day);
    }
  }
  return table.text();
}

/// What a stock-out is taken to mean, and why.
std::string stockout_text(const Fit& fit) {
  using inventory::StockoutMeaning;
  using inventory::StockoutSource;
  if (fit.stockout_source == StockoutSource::none) return "";
  const bool is_more = fit.stockout == StockoutMeaning::more_than;
  const char* const other = is_more ? "at-least" : "more-than";
  return fmt::format(
      "On a day with a stock-out, demand was {} the row says{}.\n",
      is_more ? "more than" : "at least what",
      fit.stockout_source == StockoutSource::option ? std::string()
      : fit.stockout_source == StockoutSource::records
          ? ": the recorded deliveries show it"
          : fmt::format("; --stockout {} if it was {}", other, is_more ? "at least that" : "more"));
}

std::string n_text(const Fit& fit) {
  if (fit.demand.law != DemandLaw::negative_binomial) return "";
  const bool each = fit.demand.candidates.front().n_by_weekday;
  std::string text = "n of the negative binomial distribution:";
  for (std::size_t i = 0; i < (each ? fit.demand.days.size() : 1); ++i) {
    const inventory::DemandOfDay& day = fit.demand.days[i];
    if (day.closed && each) continue;
    const std::string high =
        std::isfinite(day.n_interval.high) ? fmt::format("{:.3g}", day.n_interval.high) : "any";
    text += fmt::format("{} {:.3g} ({:.3g} to {})",
                        each ? fmt::format(" {}", inventory::weekday_name(i)) : "", day.n,
                        day.n_interval.low, high);
  }
  return text + "\n";
}

std::string arrival_text(const inventory::ArrivalFit& arrival) {
  switch (arrival.law) {
    case ArrivalLaw::unknown:
      return "Age on arrival: not in the records, assumed fresh.\n";
    case ArrivalLaw::fresh:
      return fmt::format("Age on arrival: all {} units were fresh.\n", arrival.units);
    case ArrivalLaw::logit:
      return fmt::format(
          "Age on arrival: depends on the size of the order (p = {:.1g}), from {} units.\n",
          arrival.order_p, arrival.units);
    case ArrivalLaw::shares:
      break;
  }
  TextTable table;
  std::vector<std::string> header = {"days left"};
  for (std::size_t i = 0; i < arrival.shares[0].size(); ++i) {
    header.push_back(fmt::format("{}", i + 1));
  }
  table.add(header);
  for (std::size_t day = 0; day < arrival.shares.size(); ++day) {
    std::vector<std::string> row = {arrival.shares.size() == 1 ? "all"
                                                               : inventory::weekday_name(day)};
    for (const inventory::Share& share : arrival.shares[day]) {
      row.push_back(fmt::format("{:.1f} %", 100.0 * share.value));
    }
    table.add(row);
  }
  return fmt::format("Age on arrival, {}, from {} units:\n\n{}",
                     arrival.shares.size() == 1 ? "the same on every day" : "by weekday",
                     arrival.units, table.text());
}

std::string fit_text(const Fit& fit, const io::FittedPlan& plan, const std::string& out) {
  std::string text =
      fmt::format("Rows: {}, from {} to {}{}.\n\nDemand: {}.\n\n{}\n{}{}", fit.days,
                  inventory::iso_date(fit.first), inventory::iso_date(fit.last),
                  fit.holidays > 0 ? fmt::format(", {}", io::counted(fit.holidays, "holiday")) : "",
                  law_in_words(fit), demand_table(fit), stockout_text(fit), n_text(fit));
  if (fit.demand.goodness) {
    text += fmt::format(
        "Goodness of fit: p = {:.2g}; below 0.01, the days would contradict this distribution.\n",
        fit.demand.goodness->p);
  }
  text += "\n" + arrival_text(fit.arrival) + "\n";
  for (const std::string& warning : plan.warnings) text += fmt::format("Warning: {}.\n", warning);
  if (!plan.warnings.empty()) text += "\n";
  text += out.empty() ? "Nothing was written; --out PLAN.toml writes the plan.\n"
                      : fmt::format(
                            "The plan is in {}. Replace its costs with your own, then:\n"
                            "  shortfall inventory solve {}\n",
                            out, out);
  return text;
}

/// "auto", or one of the laws.
enum class LawChoice { automatic, poisson, negative_binomial, empirical };
constexpr Names<LawChoice, 4> law_choice_names = {
    {{"auto", LawChoice::automatic},
     {"poisson", LawChoice::poisson},
     {"negative-binomial", LawChoice::negative_binomial},
     {"empirical", LawChoice::empirical}}};

struct InventoryFitOptions : GeneralOptions {
  std::string records;
  std::uint64_t shelf_life = 0;
  std::string out;
  LawChoice distribution = LawChoice::automatic;
  inventory::ByWeekday by_weekday = inventory::ByWeekday::automatic;
  inventory::StockoutMeaning stockout = inventory::StockoutMeaning::automatic;
  io::DateOrder dates = io::DateOrder::automatic;
  std::vector<io::ColumnHeading> columns;
  std::optional<std::chrono::sys_days> first_day;
  std::uint64_t last = 0;
  std::uint64_t capacity = 0;
  std::uint64_t max_order = 0;
  std::vector<std::string> set;
};

std::optional<inventory::DemandLaw> law_of(LawChoice choice) {
  if (choice == LawChoice::automatic) return std::nullopt;
  return value_named(name_of(choice, law_choice_names), inventory::demand_law_names,
                     "distribution");
}

io::FittedPlan plan_of(const inventory::Fit& fit, const InventoryFitOptions& options) {
  const auto given = [](std::uint64_t value) {
    return value > 0 ? std::optional<std::size_t>(value) : std::nullopt;
  };
  try {
    return io::fitted_plan(fit, {.records = io::input_name(options.records),
                                 .capacity = given(options.capacity),
                                 .max_order = given(options.max_order),
                                 .set = options.set,
                                 .style = io::OptionStyle::command_line});
  } catch (const InvalidField& error) {
    const std::string option =
        std::string(error.field()) == "capacity" ? "--capacity" : "--max-order";
    throw InvalidInput(fmt::format("{}: {}", option, error.what()));
  }
}

inventory::Fit fit_of(const InventoryFitOptions& options) {
  const inventory::Records records =
      io::read_records_csv(options.records, {.dates = options.dates,
                                             .columns = options.columns,
                                             .shelf_life = options.shelf_life,
                                             .style = io::OptionStyle::command_line});
  try {
    return inventory::fit_records(
        inventory::within(records, {.since = options.first_day, .last = options.last}),
        {.shelf_life = options.shelf_life,
         .distribution = law_of(options.distribution),
         .by_weekday = options.by_weekday,
         .stockout = options.stockout});
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", io::input_name(options.records), error.what()));
  }
}

ExitCode run_inventory_fit(const InventoryFitOptions& options) {
  const Stopwatch stopwatch;
  const inventory::Fit fit = fit_of(options);
  const io::FittedPlan plan = plan_of(fit, options);
  const double seconds = stopwatch.seconds();
  const auto write_plan = [&] {
    if (!options.out.empty()) io::write_file(options.out, plan.toml);
  };
  write_then_print(write_plan, [&] {
    if (options.json) {
      nlohmann::json document = report::document_of(report::fit_report(fit, plan));
      document["seconds"] = seconds;
      print_json(document);
    } else {
      print(fit_text(fit, plan, options.out));
    }
  });
  return success;
}

}  // namespace

void add_inventory_fit(const CommandGroup& group) {
  const auto options = std::make_shared<InventoryFitOptions>();
  const Grammar grammar = group.add("fit", "Turn daily records into a plan",
                                    [options] { return run_inventory_fit(*options); });
  const auto add_limit = [&](const std::string& name, std::uint64_t& value, std::uint64_t most,
                             const std::string& help) {
    grammar->add_option(name, value, help)
        ->check(CLI::Range(std::uint64_t{1}, most).description(""));
  };
  add_input(grammar, "records", options->records,
            "CSV with one row per day: date,demand and optionally stockout (1 if the stock "
            "ran out), ordered, received_1,..,received_M (units by days left), wasted; -: "
            "standard input")
      ->required();
  grammar
      ->add_option("--shelf-life", options->shelf_life,
                   "Days that a fresh unit can be used, including the day it arrives")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{inventory::longest_shelf_life}))
      ->required();
  add_output(grammar, "--out", options->out, "Write the plan to this TOML file");
  add_choice(grammar, "--distribution", options->distribution, law_choice_names,
             "Distribution of demand; auto: the one with the smallest BIC");
  add_choice(grammar, "--by-weekday", options->by_weekday, inventory::by_weekday_names,
             "Whether each weekday has its own mean; auto: whichever has the smaller BIC");
  add_choice(grammar, "--stockout", options->stockout, inventory::stockout_meaning_names,
             "What a stock-out says: demand was at least what the row says, or more than that; "
             "auto: what deliveries show, otherwise at least");
  add_parsed(
      grammar, "--since",
      [options](const std::string& text) {
        options->first_day = inventory::parse_iso_date(text);
        require(
            options->first_day.has_value(),
            "{} is not a date; accepted: a date such as 2026-11-16, in a year from 1900 to 2199",
            text);
      },
      "Use only the days from this date on, such as 2026-01-01");
  grammar.offer("--since", {});
  add_limit("--last", options->last, 100000, "Use only the last days, such as 365");
  add_columns(grammar, options->columns);
  add_choice(grammar, "--dates", options->dates, io::date_order_names,
             "Order of day, month and year, where the records do not show it");
  add_limit("--capacity", options->capacity, inventory::largest_capacity,
            "Limit on stock and order together; default: one that does not limit the best orders");
  add_limit("--max-order", options->max_order, inventory::largest_capacity,
            "Largest order; default: the capacity");
  add_repeated(grammar, "--set", options->set,
               "A cost or the attitude to risk in the plan, such as cost.order=225 or "
               "risk.loss=mean; may be repeated");
  offer_keys(grammar, "--set", {"cost", "risk"});
  add_general_options(grammar, *options, Randomness::none);
  grammar->footer(
      "JSON: days, first, last, holidays, closed, demand (one or seven entries: distribution, "
      "mean,\n"
      "      mean_low, mean_high, n, n_low, n_high, ..), by_weekday, stockout (at-least or\n"
      "      more-than), stockout_source (none, option, records, assumed), candidates,\n"
      "      goodness_of_fit,\n"
      "      trend, shift, arrival, log_likelihood, capacity, max_order, warnings, seconds\n\n"
      "Example: shortfall inventory fit examples/records.csv --shelf-life 5 --out plan.toml");
}

}  // namespace shortfall::app
