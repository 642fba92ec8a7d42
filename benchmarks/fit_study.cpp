#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "benchmarks/records_simulation.hpp"
#include "inventory/fit/arrival_fit.hpp"
#include "published/platelets.hpp"
#include "shortfall/inventory/fit/fit.hpp"
#include "shortfall/inventory/fit/fitted_model.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/model/demand.hpp"

/// How good fits are:
///   fit_study coverage [YEARS]                      how often 95 % intervals hold the truth
///   fit_study plans platelets|london DAYS [YEARS]   how much more plans from this many days
///                                                   cost than the best plan, evaluated in the true
///                                                   model
namespace shortfall::benchmarks {
namespace {

using namespace inventory;

/// A true model, the criterion, and the rule by which the records came about.
struct Hospital {
  Model model;
  Criterion criterion;
  std::size_t order_up_to;
};

Hospital platelets_hospital() {
  return {studies::platelets(5), {AnyLoss::parse("expectile:0.9"), 0.6}, 15};
}

/// The week of examples/london.toml.
Hospital london_hospital() {
  ModelParts parts;
  parts.capacity = 25;
  parts.max_order = {25};
  for (const double mean : {14.4, 16.7, 13.1, 14.2, 15.4, 9.3, 9.8}) {
    parts.demand.push_back(poisson_demand(mean, 40));
  }
  for (const std::vector<double>& shares :
       std::vector<std::vector<double>>{{.03, .11, .28, .33, .25},
                                        {.05, .13, .27, .35, .20},
                                        {.04, .14, .38, .18, .26},
                                        {.03, .09, .05, .07, .76},
                                        {.04, .03, .02, .29, .62},
                                        {0, 0, .11, .28, .61},
                                        {.01, .05, .19, .27, .48}}) {
    parts.arrival.push_back(Arrival::shares(shares));
  }
  parts.cost = {{.order = 225, .unit = 650, .holding = 130, .shortage = 3250, .wastage = 650}};
  return {Model(parts), {Mean(), 0.95}, 22};
}

/// The same model with the day as part of the state.
Model by_day(const Model& model) {
  ModelParts parts = model.parts();
  if (parts.demand.size() == 1) parts.demand.assign(7, parts.demand.front());
  return Model(std::move(parts));
}

double quantile(std::vector<double> values, double q) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
}

void study_plans(const std::string& name, std::size_t days, std::size_t years) {
  const Hospital hospital = name == "london" ? london_hospital() : platelets_hospital();
  const SolverOptions accurate{.tolerance = 1e-4};
  const std::map<std::size_t, Model> truth = {{hospital.model.days(), hospital.model},
                                              {7, by_day(hospital.model)}};
  const double best = inventory::solve(hospital.model, hospital.criterion, accurate).values[0];
  std::vector<double> excess;
  std::map<std::string, int> laws;
  for (std::size_t year = 0; year < years; ++year) {
    const Records records =
        simulated_records(hospital.model, hospital.order_up_to, days, 1000 * days + year);
    const Fit fit = fit_records(records, {.shelf_life = hospital.model.shelf_life()});
    ++laws[fmt::format("{}{}, arrival {}{}", name_of(fit.demand.law, demand_law_names),
                       fit.demand.by_weekday ? " by weekday" : "",
                       name_of(fit.arrival.law, arrival_law_names),
                       fit.arrival.shares.size() > 1 ? " by weekday" : "")];
    ModelParts parts = fitted_model(
        fit, {.cost = hospital.model.parts().cost, .capacity = hospital.model.capacity()});
    if (hospital.model.days() == 7 && parts.demand.size() == 1) {
      parts.demand.assign(7, parts.demand.front());
    }
    const Model fitted(std::move(parts));
    const Policy orders = inventory::solve(fitted, hospital.criterion, accurate).policy;
    const Model& true_model = truth.at(fitted.days());
    const double value =
        inventory::evaluate(true_model, hospital.criterion, orders, accurate).values[0];
    excess.push_back(value / best - 1.0);
    if (year % 20 == 19) fmt::print(stderr, "{} of {}\n", year + 1, years);
  }
  const auto good = std::ranges::count_if(excess, [](double e) { return e <= 0.01; });
  fmt::print("| {} | {} | {} | {:.2f} % | {:.2f} % | {:.2f} % | {:.1f} % |\n", name, days, years,
             100.0 * quantile(excess, 0.5), 100.0 * quantile(excess, 0.9),
             100.0 * quantile(excess, 1.0),
             100.0 * static_cast<double>(good) / static_cast<double>(years));
  for (const auto& [law, count] : laws) fmt::print(stderr, "{}: {}\n", law, count);
}

/// Counts how often intervals hold the truth, by kind of parameter.
class Coverage {
 public:
  void add(const std::string& kind, const Interval& interval, double truth) {
    Count& count = counts_[kind];
    ++count.all;
    count.held += interval.low <= truth && truth <= interval.high ? 1 : 0;
  }
  void print() const {
    fmt::print("| parameter | intervals | hold the truth |\n|---|---:|---:|\n");
    for (const auto& [kind, count] : counts_) {
      fmt::print("| {} | {} | {:.1f} % |\n", kind, count.all,
                 100.0 * static_cast<double>(count.held) / static_cast<double>(count.all));
    }
  }

 private:
  struct Count {
    std::size_t all = 0;
    std::size_t held = 0;
  };
  std::map<std::string, Count> counts_;
};

double mean_of(std::span<const double> law) {
  double mean = 0.0;
  for (std::size_t k = 0; k < law.size(); ++k) mean += static_cast<double>(k) * law[k];
  return mean;
}

/// Platelets: one day; its demand is cut at 20, so the truth is that of a longer law.
void cover_platelets(std::size_t year, Coverage& coverage) {
  constexpr double n = 11.064622;
  constexpr double mean = 6.165049;
  const std::vector<double> c0 = {1.9, 3.1, 3.1, 2.5};
  const std::vector<double> c1 = {-0.03, -0.06, -0.03, -0.09};
  const Model model({.capacity = 15,
                     .max_order = {15},
                     .arrival = {Arrival::logit(5, c0, c1)},
                     .demand = {negative_binomial_demand(n, mean, 60)},
                     .cost = {{}}});
  const Records records = simulated_records(model, 15, 365, year);
  const Fit fit = fit_records(
      records,
      {.shelf_life = 5, .distribution = DemandLaw::negative_binomial, .by_weekday = ByWeekday::no});
  coverage.add("mean, negative binomial", fit.demand.days[0].mean_interval, mean);
  coverage.add("n", fit.demand.days[0].n_interval, n);
  const inventory::detail::ArrivalLogit logit =
      inventory::detail::fit_arrival_logit(inventory::detail::deliveries_of(records), 5);
  for (std::size_t i = 0; i < 4; ++i) {
    coverage.add("c0 of the logit", logit.c0[i].interval, c0[i]);
    coverage.add("c1 of the logit", logit.c1[i].interval, c1[i]);
  }
  const Fit empirical = fit_records(
      records,
      {.shelf_life = 5, .distribution = DemandLaw::empirical, .by_weekday = ByWeekday::no});
  coverage.add("mean, empirical", empirical.demand.days[0].mean_interval, mean);
}

/// Weekdays with different negative binomial demand, stock-outs, plain shares.
void cover_week(std::size_t year, Coverage& coverage) {
  const std::vector<double> means = {7, 6, 5, 6, 8, 4, 3};
  const std::vector<double> shares = {0.02, 0.10, 0.30, 0.38, 0.20};
  std::vector<std::vector<double>> laws;
  for (const double mean : means) laws.push_back(negative_binomial_demand(8.0, mean, 60));
  const Model model({.capacity = 13,
                     .max_order = {13},
                     .arrival = {Arrival::shares(shares)},
                     .demand = laws,
                     .cost = {{}}});
  const Fit fit = fit_records(simulated_records(model, 13, 365, year),
                              {.shelf_life = 5, .by_weekday = ByWeekday::yes});
  for (std::size_t day = 0; day < 7; ++day) {
    coverage.add("mean of a weekday, law chosen", fit.demand.days[day].mean_interval, means[day]);
  }
  if (fit.demand.law == DemandLaw::negative_binomial &&
      !fit.demand.candidates.front().n_by_weekday) {
    coverage.add("n of all weekdays", fit.demand.days[0].n_interval, 8.0);
  }
  if (fit.arrival.shares.size() == 1) {
    for (std::size_t i = 0; i < 5; ++i) {
      coverage.add("shares", fit.arrival.shares[0][i].interval, shares[i]);
    }
  }
}

void cover_london(std::size_t year, Coverage& coverage) {
  const Hospital hospital = london_hospital();
  const Fit fit = fit_records(simulated_records(hospital.model, 20, 365, year), {.shelf_life = 5});
  for (std::size_t day = 0; day < 7 && fit.demand.days.size() == 7; ++day) {
    coverage.add("mean of a weekday, London", fit.demand.days[day].mean_interval,
                 mean_of(hospital.model.demand(day)));
    for (std::size_t i = 0; i < 5 && fit.arrival.shares.size() == 7; ++i) {
      const double truth = hospital.model.arrival(day).probabilities(1)[i];
      if (truth > 0.0) {
        coverage.add("shares of a weekday, London", fit.arrival.shares[day][i].interval, truth);
      }
    }
  }
}

void study_coverage(std::size_t years) {
  Coverage coverage;
  for (std::size_t year = 0; year < years; ++year) {
    cover_platelets(year, coverage);
    cover_week(year, coverage);
    cover_london(year, coverage);
    if (year % 100 == 99) fmt::print(stderr, "{} of {}\n", year + 1, years);
  }
  coverage.print();
}

int run(const std::vector<std::string>& words) {
  const auto number = [&](std::size_t i, std::size_t otherwise) {
    return words.size() > i ? std::strtoull(words[i].c_str(), nullptr, 10) : otherwise;
  };
  if (!words.empty() && words[0] == "coverage") {
    study_coverage(number(1, 1000));
  } else if (words.size() >= 3 && words[0] == "plans") {
    study_plans(words[1], number(2, 365), number(3, 200));
  } else {
    fmt::print(stderr, "accepted: coverage [YEARS], or plans platelets|london DAYS [YEARS]\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace shortfall::benchmarks

int main(int argc, char** argv) {
  return shortfall::benchmarks::run({argv + 1, argv + argc});
}
