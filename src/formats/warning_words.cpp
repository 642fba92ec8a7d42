#include "shortfall/formats/warning_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "formats/records_headings.hpp"
#include "shortfall/inventory/model/weekday.hpp"
#include "text/text.hpp"

namespace shortfall::io {
namespace {

using inventory::iso_date;
using inventory::Warning;
using inventory::WarningCode;
using inventory::weekday_name;

/// "Saturday and Sunday".
std::string names_of(const std::vector<std::size_t>& weekdays) {
  std::vector<std::string> names;
  for (const std::size_t weekday : weekdays) names.emplace_back(weekday_name(weekday));
  const std::string last = names.back();
  names.pop_back();
  return names.empty() ? last : fmt::format("{} and {}", fmt::join(names, ", "), last);
}

std::string percent(double change) {
  return fmt::format("{:.0f} %", 100.0 * std::abs(change));
}

/// "2026-11-16, 2026-11-18 and 2 other days".
std::string dates_in_words(const std::vector<std::chrono::sys_days>& dates) {
  constexpr std::size_t named = 5;
  std::vector<std::string> texts;
  for (const auto date : dates) {
    if (texts.size() < named) texts.push_back(iso_date(date));
  }
  const std::size_t others = dates.size() - texts.size();
  return fmt::format("{}{}", fmt::join(texts, ", "),
                     others > 0 ? fmt::format(" and {}", counted(others, "other day")) : "");
}

/// "line 1, line 9 and 2 more".
std::string first_of(const std::vector<std::string>& names) {
  constexpr std::size_t named = 5;
  const std::size_t count = std::min(named, names.size());
  return fmt::format(
      "{}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count), ", "),
      names.size() > count ? fmt::format(" and {} more", names.size() - count) : "");
}

/// "there is no row from 2026-01-01 to 2026-01-20 (20 days)", for up to five gaps.
std::string gaps_in_words(const std::vector<inventory::Gap>& gaps) {
  constexpr std::size_t named = 5;
  std::vector<std::string> texts;
  for (const auto& [first, last] : gaps) {
    if (texts.size() == named) break;
    texts.push_back(fmt::format("from {} to {} ({} days)", iso_date(first), iso_date(last),
                                (last - first).count() + 1));
  }
  const std::size_t others = gaps.size() - texts.size();
  return fmt::format(
      "there is no row {}{}", fmt::join(texts, ", "),
      others > 0 ? fmt::format(" and in {}", counted(others, "other long gap")) : "");
}

std::string few_days_of_weekday(const Warning& w) {
  return fmt::format(
      "too few days: {} has {} with known demand, and {} are needed to fit weekdays separately",
      weekday_name(w.weekdays.front()), w.count, w.total);
}

std::string level_shift(const Warning& w, OptionStyle style) {
  const std::string date = iso_date(w.dates.front());
  return fmt::format("demand {} by {} on {}{} (p = {:.1g}); {} uses only the days from then on",
                     w.number < 0.0 ? "fell" : "rose", percent(w.number),
                     w.code == WarningCode::level_shift_or_later ? "or after " : "", date, w.p,
                     option_words(style, "since", date));
}

std::string trend(const Warning& w, OptionStyle style) {
  const std::string last = fmt::format("{}", w.count);
  return fmt::format("demand {} by {} {} (p = {:.1g}), and the plan assumes its average{}",
                     w.number < 0.0 ? "falls" : "grows", percent(w.number),
                     w.total > 0 ? fmt::format("over these {} days", w.total) : "a year", w.p,
                     w.count > 0 ? fmt::format("; {} uses only the last {} days",
                                               option_words(style, "last", last), last)
                                 : "");
}

std::string contradicted(const Warning& w, const char* law, const char* others, OptionStyle style) {
  return fmt::format(
      "demand does not look {} (p = {:.1g}): the chance of large or small demands may be wrong; {} "
      "may fit better",
      law, w.p, option_words(style, "distribution", others));
}

/// With figures of docs/plans_from_records.md: platelets, whose plans lose most.
std::string few_days(std::size_t days) {
  return fmt::format(
      "only {}: in a study, half of the plans from 30 days cost at least 5.7 % more than the best "
      "plan, and the worst 33 %; from 90 days 1.7 and 17 %, from a year 0.2 and 6 %",
      counted(days, "day"));
}

std::string stray_rows(const Warning& w) {
  const char* const weekday = weekday_name(w.weekdays.front());
  return fmt::format(
      "{} has a row on {} of {} only: assumed closed, without demand or orders, and {} left out: "
      "{}",
      weekday, w.dates.size(), counted(w.total, "day"), w.dates.size() == 1 ? "it is" : "these are",
      dates_in_words(w.dates));
}

std::string of_fit(const Warning& w, OptionStyle style) {
  switch (w.code) {
    case WarningCode::few_days:
      return few_days(w.count);
    case WarningCode::frequent_stockouts:
      return fmt::format("the stock ran out on {} of {}: large demands are known from few days",
                         w.count, counted(w.total, "day"));
    case WarningCode::unused_columns:
      return "columns that are not used: " + inventory::columns_in_words(w.names);
    case WarningCode::columns_mapped:
      return fmt::format("columns read by their meaning: {}; {} says otherwise",
                         fmt::join(w.names, ", "), heading_option(style, "demand", "NAME"));
    case WarningCode::lines_skipped:
      return "lines that are no rows, left out: " + first_of(w.names);
    case WarningCode::missing_rows:
      return fmt::format(
          "{}: assumed closed; if rows are missing, add them, or use only the later days "
          "with {}",
          gaps_in_words(w.gaps),
          option_words(style, "since", iso_date(w.gaps.back().last + std::chrono::days(1))));
    case WarningCode::deliveries_differ:
      return "received units do not add up to what was ordered on " + dates_in_words(w.dates);
    case WarningCode::closed_weekdays:
      return fmt::format("there are no rows for {}: assumed closed, without demand or orders",
                         names_of(w.weekdays));
    case WarningCode::stray_rows:
      return stray_rows(w);
    case WarningCode::unlikely_demand:
      return fmt::format(
          "a demand of {} on {}, where no other day has more than {}: if it is a typing error, "
          "correct it, because the plan counts it",
          w.count, iso_date(w.dates.front()), w.total);
    case WarningCode::weekdays_without_orders:
      return fmt::format("nothing was ever ordered on {}, so the plan does not order then",
                         names_of(w.weekdays));
    case WarningCode::weekday_with_few_days:
      return few_days_of_weekday(w);
    case WarningCode::weekdays_not_separated:
      return few_days_of_weekday(w) + "; all days are fitted together";
    case WarningCode::poisson_suffices:
      return "demand varies no more than Poisson demand: the negative binomial law that fits best "
             "is Poisson";
    case WarningCode::poisson_contradicted:
      return contradicted(w, "Poisson", "negative-binomial or empirical", style);
    case WarningCode::negative_binomial_contradicted:
      return contradicted(w, "negative binomial", "empirical", style);
    case WarningCode::largest_demands_unknown:
      return fmt::format(
          "the stock ran out on the days with the largest demands: their true demand is unknown "
          "for up to {:.0f} % of days, and the empirical law uses the recorded numbers",
          std::ceil(100.0 * w.number));
    case WarningCode::level_shift:
    case WarningCode::level_shift_or_later:
      return level_shift(w, style);
    case WarningCode::trend:
      return trend(w, style);
    case WarningCode::dependent_days:
      return fmt::format(
          "busy days {} (correlation {:.2f} from one day to the next), but the plan assumes "
          "independent days",
          w.number > 0.0 ? "follow busy days" : "follow quiet days", w.number);
    case WarningCode::few_units_on_weekday:
      return fmt::format("only {} units arrived on a {}: their ages are uncertain", w.count,
                         weekday_name(w.weekdays.front()));
    case WarningCode::ages_unknown:
      return "the age of units on arrival is not in the records: the plan assumes that they are "
             "fresh";
    default:
      return {};
  }
}

std::string of_plan_or_backtest(const Warning& w, OptionStyle style) {
  switch (w.code) {
    case WarningCode::stock_above_largest_capacity:
      return fmt::format(
          "the best stock may be above {}, the largest capacity; count in packs of several units",
          w.total);
    case WarningCode::capacity_limits_orders:
      return fmt::format(
          "the capacity {} may limit the best orders{}; {} should not", w.count,
          w.number > 0.0 ? fmt::format(": they fill it on {:.2g} % of days", 100.0 * w.number) : "",
          w.total);
    case WarningCode::max_order_limits_orders:
      return fmt::format("the largest order {} may limit the best orders; {} would not", w.count,
                         w.total);
    case WarningCode::start_above_capacity:
      return fmt::format(
          "the first days imply {} units in stock, more than the capacity of {}: all policies "
          "start with {} of them",
          w.count, w.total, w.total);
    case WarningCode::demand_censored:
      return fmt::format(
          "the stock ran out on {} of {}: what was missing beyond the recorded demand is not known "
          "and costs nothing here, which favours rules with a small stock",
          w.count, counted(w.total, "day"));
    case WarningCode::closed_for_long:
      return gaps_in_words(w.gaps) + ": assumed closed, without demand or orders";
    case WarningCode::plan_may_know_days:
      return fmt::format(
          "the same plan is used on all days: if it was fitted to them, it has seen the demand "
          "that it is tested on, which flatters it; {} fits it to earlier days only",
          style == OptionStyle::argument ? "backtest(.., refit=DAYS)"
                                         : "inventory backtest --refit DAYS");
    case WarningCode::ages_drawn:
      return "the records have no ages on arrival: those of all policies are drawn from the plan";
    case WarningCode::refit_failed:
      return fmt::format("the plan could not be fitted again on {}: {}", iso_date(w.dates.front()),
                         w.names.front());
    case WarningCode::actual_above_capacity:
      return fmt::format("actual: stock and delivery exceeded the capacity of {} on {}", w.total,
                         counted(w.count, "day"));
    case WarningCode::actual_not_explained:
      return fmt::format("actual: {} supplied that the records do not explain; counted as met",
                         counted(w.count, "unit"));
    case WarningCode::actual_waste_differs:
      return fmt::format(
          "actual: {} wasted according to the records, but {} according to deliveries and demand "
          "if the oldest units are used first; the records are used",
          counted(w.count, "unit"), w.total);
    default:
      return {};
  }
}

}  // namespace

std::string in_words(const Warning& warning, OptionStyle style) {
  std::string words = of_fit(warning, style);
  return words.empty() ? of_plan_or_backtest(warning, style) : words;
}

std::vector<std::string> in_words(const std::vector<Warning>& warnings, OptionStyle style) {
  std::vector<std::string> texts;
  for (const Warning& warning : warnings) texts.push_back(in_words(warning, style));
  return texts;
}

}  // namespace shortfall::io
