#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/fit_report.hpp"
#include "apps/shortfall/general_arguments.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "apps/shortfall/stopwatch.hpp"
#include "files/atomic_file.hpp"
#include "files/input_file.hpp"
#include "report/fit_document.hpp"
#include "require.hpp"
#include "shortfall/error.hpp"
#include "shortfall/formats/fitted_plan.hpp"
#include "shortfall/formats/records_csv.hpp"
#include "shortfall/inventory/fit.hpp"
#include "shortfall/inventory/stock_index.hpp"

namespace shortfall::app {
namespace {

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
  io::DateOrder dates = io::DateOrder::automatic;
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

void check_fit(const InventoryFitOptions& options) {
  check_is_file("--out", options.out);
  check_different("--out", options.out, "the records", options.records);
}

io::FittedPlan plan_of(const inventory::Fit& fit, const InventoryFitOptions& options) {
  const auto given = [](std::uint64_t value) {
    return value > 0 ? std::optional<std::size_t>(value) : std::nullopt;
  };
  try {
    return io::fitted_plan(fit, {.records = io::input_name(options.records),
                                 .capacity = given(options.capacity),
                                 .max_order = given(options.max_order),
                                 .set = options.set});
  } catch (const InvalidField& error) {
    const std::string option =
        std::string(error.field()) == "capacity" ? "--capacity" : "--max-order";
    throw InvalidInput(fmt::format("{}: {}", option, error.what()));
  }
}

inventory::Fit fit_of(const InventoryFitOptions& options) {
  const inventory::Records records = io::read_records_csv(
      options.records, {.dates = options.dates, .shelf_life = options.shelf_life});
  try {
    return inventory::fit_records(
        inventory::within(records, {.since = options.first_day, .last = options.last}),
        {.shelf_life = options.shelf_life,
         .distribution = law_of(options.distribution),
         .by_weekday = options.by_weekday});
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", io::input_name(options.records), error.what()));
  }
}

ExitCode run_inventory_fit(const InventoryFitOptions& options) {
  // Fail before the work, not after it, if the file cannot be written.
  if (!options.out.empty()) io::AtomicFile{options.out};
  const Stopwatch stopwatch;
  const inventory::Fit fit = fit_of(options);
  const io::FittedPlan plan = plan_of(fit, options);
  const double seconds = stopwatch.seconds();
  const auto write_plan = [&] {
    if (!options.out.empty()) io::write_file(options.out, plan.toml);
  };
  write_then_print(write_plan, [&] {
    if (options.json) {
      nlohmann::json document = report::fit_document(fit, plan);
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
  grammar
      ->add_option("records", options->records,
                   "CSV with one row per day: date,demand and, if known, stockout (1 if the stock "
                   "ran out), ordered, received_1,..,received_M (units by days left), wasted; -: "
                   "standard input")
      ->required();
  grammar
      ->add_option("--shelf-life", options->shelf_life,
                   "Days that a fresh unit can be used, including the day it arrives")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{inventory::longest_shelf_life}))
      ->required();
  grammar->add_option("--out", options->out, "Write the plan to this TOML file")
      ->check(not_empty());
  add_choice(grammar, "--distribution", options->distribution, law_choice_names,
             "Law of demand; auto: the smallest BIC");
  add_choice(grammar, "--by-weekday", options->by_weekday, inventory::by_weekday_names,
             "A mean for each weekday; auto: the smallest BIC");
  add_parsed(
      grammar, "--since",
      [options](const std::string& text) {
        options->first_day = inventory::parse_iso_date(text);
        require(options->first_day.has_value(),
                "{} is no date; accepted: a date such as 2026-11-16, in a year from 1900 to 2199",
                text);
      },
      "Use only the days from this date on, such as 2026-01-01");
  add_limit("--last", options->last, 100000, "Use only the last days, such as 365");
  add_choice(grammar, "--dates", options->dates, io::date_order_names,
             "Order of day, month and year, where the records do not tell");
  add_limit("--capacity", options->capacity, inventory::largest_capacity,
            "Limit on stock and order together; default: one that does not limit the best orders");
  add_limit("--max-order", options->max_order, inventory::largest_capacity,
            "Largest order; default: the capacity");
  add_repeated(grammar, "--set", options->set,
               "A cost or the attitude to risk in the plan, such as cost.order=225 or "
               "risk.loss=mean; may be repeated");
  add_general_options(grammar, *options, Randomness::none);
  grammar.add_check([options] { check_fit(*options); });
  grammar->footer(
      "JSON: days, first, last, holidays, closed, demand (one or seven entries: distribution, "
      "mean,\n"
      "      mean_low, mean_high, n, n_low, n_high, ..), by_weekday, candidates, goodness_of_fit,\n"
      "      trend, shift, arrival, log_likelihood, capacity, max_order, warnings, seconds\n\n"
      "Example: shortfall inventory fit examples/records.csv --shelf-life 5 --out plan.toml");
}

}  // namespace shortfall::app
