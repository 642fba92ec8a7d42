#include "apps/shortfall/fit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "apps/shortfall/text_table.hpp"
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

std::string n_text(const Fit& fit) {
  if (fit.demand.law != DemandLaw::negative_binomial) return "";
  const bool each = fit.demand.candidates.front().n_by_weekday;
  std::string text = "n of the negative binomial law:";
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
      return "Age on arrival: not in the records, taken as fresh.\n";
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

}  // namespace

std::string fit_text(const Fit& fit, const io::FittedPlan& plan, const std::string& out) {
  std::string text =
      fmt::format("Rows: {}, from {} to {}{}.\n\nDemand: {}.\n\n{}\n{}", fit.days,
                  inventory::iso_date(fit.first), inventory::iso_date(fit.last),
                  fit.holidays > 0 ? fmt::format(", {}", io::counted(fit.holidays, "holiday")) : "",
                  law_in_words(fit), demand_table(fit), n_text(fit));
  if (fit.demand.goodness) {
    text +=
        fmt::format("Goodness of fit: p = {:.2g}; below 0.01, the days would contradict the law.\n",
                    fit.demand.goodness->p);
  }
  text += "\n" + arrival_text(fit.arrival) + "\n";
  for (const std::string& warning : plan.warnings) text += fmt::format("Warning: {}.\n", warning);
  if (!plan.warnings.empty()) text += "\n";
  text += out.empty() ? "Nothing was written; --out PLAN.toml writes the plan.\n"
                      : fmt::format(
                            "The plan is in {}. Replace its costs by your own, then:\n"
                            "  shortfall inventory solve {}\n",
                            out, out);
  return text;
}

}  // namespace shortfall::app
