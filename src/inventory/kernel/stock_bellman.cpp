#include "inventory/kernel/stock_bellman.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::inventory {
namespace {

/// The expectile of level 1/2 is the mean, which is faster. Levels near 0 and 1 are treated as
/// general piecewise-linear losses: the special code for expectiles is fast because it does not
/// centre its sums, which costs digits in proportion to the ratio of the slopes.
AnyLoss simplest(const AnyLoss& loss, double largest_value) {
  const auto* const entropic = std::get_if<Entropic>(&loss.variant());
  if (entropic && is_close_to_mean(*entropic, largest_value)) return Mean();
  const auto* const expectile = std::get_if<Expectile>(&loss.variant());
  if (!expectile) return loss;
  const double tau = expectile->tau();
  if (tau == 0.5) return Mean();
  if (std::min(tau, 1.0 - tau) >= 0.01) return loss;
  return Piecewise({{-1.0, tau - 1.0}, {0.0, 0.0}, {1.0, tau}});
}

/// The highest cost of a period, without order costs.
double highest_cost_of(const Model& model) {
  double highest = 0.0;
  for (std::size_t day = 0; day < model.days(); ++day) {
    const Costs& cost = model.cost(day);
    highest =
        std::max({highest, (cost.holding + cost.wastage) * static_cast<double>(model.capacity()),
                  cost.shortage * static_cast<double>(model.max_demand())});
  }
  return highest;
}

double highest_order_cost_of(const Model& model) {
  double highest = 0.0;
  for (std::size_t day = 0; day < model.days(); ++day) {
    const Costs& cost = model.cost(day);
    const auto units = static_cast<double>(model.largest_order(day, 0));
    highest = std::max(highest, cost.order + cost.unit * units);
  }
  return highest;
}

double highest_value_of(const Model& model, double gamma) {
  return (highest_cost_of(model) + highest_order_cost_of(model)) / (1.0 - gamma) * (1.0 + 1e-12);
}

/// Numbers the different laws of arrival, by day.
std::vector<std::size_t> number_laws(const Model& model) {
  std::vector<std::size_t> law_of_day;
  std::size_t laws = 0;
  for (std::size_t day = 0; day < model.days(); ++day) {
    std::size_t same = 0;
    while (model.arrival(same) != model.arrival(day)) ++same;
    law_of_day.push_back(same < day ? law_of_day[same] : laws++);
  }
  return law_of_day;
}

std::vector<DeliveryLaw> delivery_laws(const Model& model, std::span<const std::size_t> law_of_day,
                                       RowKind kind) {
  std::vector<DeliveryLaw> laws;
  for (std::size_t day = 0; day < model.days(); ++day) {
    if (law_of_day[day] < laws.size()) continue;
    std::size_t largest = 0;
    for (std::size_t other = day; other < model.days(); ++other) {
      if (law_of_day[other] != law_of_day[day]) continue;
      largest = std::max(largest, model.largest_order(other, 0));
    }
    NestedBinomials exact(model.arrival(day), largest);
    CoarseDeliveries coarse;
    if (kind == RowKind::targets) coarse = CoarseDeliveries(exact, model.shelf_life());
    laws.push_back({std::move(exact), std::move(coarse)});
  }
  return laws;
}

/// The work of a stock in all sweeps of a pass, by total: the deliveries of all orders that it
/// allows, and what takes the same time for every stock. Only ratios matter.
std::vector<double> work_by_total(const Model& model, std::span<const std::size_t> law_of_day,
                                  const std::vector<DeliveryLaw>& deliveries) {
  constexpr double fixed_work = 32.0;  // deliveries that would take as long
  std::vector<double> work(model.capacity() + 1, 0.0);
  for (std::size_t t = 0; t < work.size(); ++t) {
    for (std::size_t day = 0; day < model.days(); ++day) {
      const NestedBinomials& law = deliveries[law_of_day[day]].exact;
      work[t] += fixed_work;
      for (std::size_t z = 0; z <= model.largest_order(day, t); ++z) {
        work[t] += static_cast<double>(law.deliveries(z));
      }
    }
  }
  return work;
}

/// Sums for expectiles are not centred at v.
RootMethod root_method(const AnyLoss& loss) {
  const bool expectile = std::holds_alternative<Expectile>(loss.variant());
  return {expectile ? SumKind::uncentred : SumKind::centred, Enclosure::by_slopes};
}

/// Limits for the laws of all orders: deliveries and demand together.
LawLimits limits_of(const Model& model, const std::vector<DeliveryLaw>& deliveries, RowKind kind) {
  double delivery_error = 0.0;
  double least_log = 0.0;
  for (const DeliveryLaw& law : deliveries) {
    delivery_error = std::max(delivery_error, law.exact.relative_error());
    least_log = std::min(least_log, law.exact.least_log());
  }
  double least_demand = 1.0;
  for (std::size_t day = 0; day < model.days(); ++day) {
    for (const double p : model.demand(day)) {
      if (p > 0.0) least_demand = std::min(least_demand, p);
    }
  }
  // Fresher ages are one sum; then come the fifth and the fourth, the three oldest, and demand.
  const std::size_t inner = inner_ages(kind);
  const std::size_t m = model.shelf_life();
  const auto z = model.max_order();
  const std::size_t single_ages = std::min(m, inner) > 3 ? std::min(m, inner) - 3 : 0;
  const double additions = StockIndex::count(m > inner ? m - inner : 0, z) +
                           static_cast<double>(single_ages * (z + 1)) +
                           StockIndex::count(std::min<std::size_t>(m, 3) - 1, z) +
                           static_cast<double>(model.max_demand() + 8);
  return {additions, demand_error + delivery_error, least_demand * portable::exp(least_log)};
}

}  // namespace

StockBellman::StockBellman(const Model& model, const Criterion& criterion, int threads,
                           shortfall::detail::Watch& watch)
    : model_(model),
      loss_(simplest(criterion.loss, highest_value_of(model, criterion.gamma))),
      gamma_(criterion.gamma),
      watch_(watch),
      workers_(threads),
      delivered_(model),
      law_of_day_(number_laws(model)),
      deliveries_(delivery_laws(model, law_of_day_, row_kind(loss_))),
      rounding_(loss_, limits_of(model, deliveries_, row_kind(loss_)), root_method(loss_)),
      batches_(model.stocks(), work_by_total(model, law_of_day_, deliveries_),
               watch.communicator()),
      targets_(model, loss_, delivered_, batches_) {}

void StockBellman::fill(const Sweep& sweep, std::span<const ActionIndex> orders) {
  targets_.fill(
      {&model_, sweep.day, &delivered_, model_.demand(sweep.day), sweep.next_values.data(), gamma_},
      orders, watch_);
}

ValueRange StockBellman::range_of(std::span<const double> values) {
  ValueRange range;
  workers_.run([&] { range = inventory::range_of(values, watch_.communicator()); });
  return range;
}

BackupSummary StockBellman::run(const Sweep& sweep, const OrderBounds* bounds) {
  const auto [lowest, highest] = inventory::range_of(sweep.next_values, watch_.communicator());
  const double base = gamma_ * sweep.next_values[0];
  const bool exact = sweep.deliveries == Deliveries::exact;
  const DeliveryLaw& law = deliveries_[law_of_day_[sweep.day]];
  const BackupJob job{.model = &model_,
                      .day = sweep.day,
                      .delivered = &delivered_,
                      .arrivals = &law.exact,
                      .layers = targets_.layers(),
                      .base = base,
                      .lowest_target = gamma_ * lowest - base,
                      .highest_target = gamma_ * highest - base + highest_cost(),
                      .goal = sweep.goal,
                      .values = sweep.values.data(),
                      .backed_up = sweep.backed_up.data(),
                      .orders = sweep.orders.data(),
                      .bounds = bounds,
                      .coarse = exact ? nullptr : &law.coarse,
                      .correction = sweep.correction.empty() ? nullptr : sweep.correction.data()};
  const std::span<const StockRange> batches = batches_.own();
  std::atomic<std::size_t> done = 0;
  const BackupSummary here = shortfall::detail::parallel_reduce(
      batches.size(), 1, BackupSummary(),
      [&](std::size_t i, std::size_t) {
        if (is_stopped()) return BackupSummary();
        const BackupSummary summary =
            backup_batch(loss_, job, batches[i], targets_.without_order(batches[i]));
        ++done;  // coarse passes are short: only exact ones are reported
        watch_.set_fraction(exact ? static_cast<double>(done) / static_cast<double>(batches.size())
                                  : 0.0);
        return summary;
      },
      [](BackupSummary& a, const BackupSummary& b) { a.merge(b); });
  watch_.agree();
  return over_all_ranks(here);
}

BackupSummary StockBellman::over_all_ranks(const BackupSummary& here) const {
  shortfall::detail::Communicator& communicator = watch_.communicator();
  std::array<double, 4> largest{-here.lowest_change, here.highest_change, here.root_error,
                                here.finite ? 0.0 : 1.0};
  communicator.max(largest);
  // Zeros without their sign: which of two is the largest may depend on the order of states.
  return {0.0 - largest[0], 0.0 + largest[1], 0.0 + largest[2], communicator.sum(here.rows),
          largest[3] == 0.0};
}

BackupSummary StockBellman::apply_orders(const Sweep& sweep) {
  BackupSummary summary;
  workers_.run([&] {
    fill(sweep, sweep.orders);
    summary = run(sweep, nullptr);
    if (!is_stopped()) batches_.gather(sweep.backed_up);
  });
  return summary;
}

BackupSummary StockBellman::reapply_orders(const Sweep& sweep) {
  BackupSummary summary;
  workers_.run([&] { summary = run(sweep, nullptr); });
  return summary;
}

BackupSummary StockBellman::improve(const Sweep& sweep, const OrderBounds& bounds) {
  BackupSummary summary;
  workers_.run([&] {
    fill(sweep, {});
    summary = run(sweep, &bounds);
    if (is_stopped()) return;
    batches_.gather(sweep.backed_up);
    batches_.gather(sweep.orders);
  });
  return summary;
}

bool StockBellman::has_coarse_deliveries() const {
  return std::ranges::any_of(deliveries_,
                             [](const DeliveryLaw& law) { return law.coarse.replaces_any(); });
}

double StockBellman::highest_cost() const {
  return highest_cost_of(model_);
}

double StockBellman::highest_value() const {
  return highest_value_of(model_, gamma_);
}

double StockBellman::rounding(double lowest, double highest) const {
  const double low = gamma_ * lowest;
  const double high = gamma_ * highest + highest_cost() + highest_order_cost_of(model_);
  const double largest = std::max(std::abs(low), std::abs(high));
  return rounding_.bound(12.0 * largest, high - low);
}

double StockBellman::memory_needed(const Model& model) {
  // By stock after delivery: the row's mean. By entry: a target.
  const double stocks = StockIndex::count(model.shelf_life(), model.capacity());
  // The tables of one law of arrival are small in comparison, those of seven are not: mostly the
  // ways to place at most z units on four ages or fewer.
  const std::vector<std::size_t> law_of_day = number_laws(model);
  const std::size_t laws = 1 + *std::ranges::max_element(law_of_day);
  const double ways =
      StockIndex::count(std::min<std::size_t>(model.shelf_life(), 4), model.max_order());
  return stocks * sizeof(double) + DeliveredStock::entry_count(model) * sizeof(double) +
         static_cast<double>(laws - 1) * ways * sizeof(NestedBinomials::Triple);
}

}  // namespace shortfall::inventory
