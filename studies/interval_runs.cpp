#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>

#include "parallel/threads.hpp"
#include "shortfall/features/dense.hpp"
#include "shortfall/learn/averaged.hpp"
#include "shortfall/learn/newton.hpp"
#include "shortfall/learn/td.hpp"
#include "shortfall/learn/trajectory.hpp"
#include "shortfall/mdp/random_streams.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "studies/intervals.hpp"

namespace shortfall::studies {
namespace {

using learn::Interval;
using learn::IntervalMethod;
using learn::IntervalStatus;

double share(std::size_t part, std::size_t all) {
  return all == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(all);
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double root_mean_square(const std::vector<double>& values) {
  return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0) /
                   static_cast<double>(values.size()));
}

double median_size(std::vector<double> values) {
  for (double& value : values) value = std::abs(value);
  std::ranges::sort(values);
  return 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
}

/// Errors over the deviations of n updates.
void summarise_errors(const CellTally& tally, const Eigen::VectorXd& deviation,
                      IntervalCell& cell) {
  constexpr double normal_median = 0.6744897501960817;  // of |N|
  const auto states = static_cast<double>(tally.states.size());
  for (std::size_t x = 0; x < tally.states.size(); ++x) {
    const StateTally& here = tally.states[x];
    const double scale = deviation[static_cast<Eigen::Index>(x)];
    const double error = root_mean_square(here.errors) / scale;
    cell.error += error / states;
    cell.median_error += median_size(here.errors) / (normal_median * scale) / states;
    cell.largest_error = std::max(cell.largest_error, error);
    cell.largest_bias = std::max(cell.largest_bias, std::abs(mean_of(here.errors)) / scale);
  }
}

/// Coverage and widths of the intervals that there are.
void summarise_intervals(const CellTally& tally, const Eigen::VectorXd& deviation,
                         const std::vector<double>& q, IntervalCell& cell) {
  const auto states = static_cast<double>(tally.states.size());
  std::size_t intervals = 0, not_yet = 0, short_batches = 0;
  cell.least_coverage = infinity;
  for (std::size_t x = 0; x < tally.states.size(); ++x) {
    const StateTally& here = tally.states[x];
    const double half_width = normal_quantile_95 * deviation[static_cast<Eigen::Index>(x)];
    const double covered = share(here.covered, here.half_widths.size());
    intervals += here.half_widths.size();
    not_yet += here.not_yet;
    short_batches += here.short_batches;
    cell.batch_correlation += here.batch_correlation;
    if (here.half_widths.empty()) continue;
    cell.coverage += covered / states;
    cell.width += mean_of(here.half_widths) / half_width / states;
    cell.median_width += median_size(here.half_widths) / half_width / states;
    if (covered < cell.least_coverage) {
      cell.least_coverage = covered;
      cell.least_visits = q[x] * static_cast<double>(cell.n);
    }
  }
  cell.not_yet = share(not_yet, not_yet + intervals);
  cell.short_batches = share(short_batches, intervals);
  cell.batch_correlation /= static_cast<double>(std::max<std::size_t>(intervals, 1));
  if (intervals == 0) {
    cell.coverage = cell.least_coverage = cell.least_visits = infinity;
    cell.width = cell.median_width = infinity;
  }
}

struct IntervalKind {
  std::string_view algorithm;
  std::optional<IntervalMethod> method;
};
constexpr std::array<IntervalKind, 4> interval_kinds = {
    {{"newton", IntervalMethod::batch_means},
     {"newton", IntervalMethod::random_scaling},
     {"newton-as-published", {}},
     {"averaged-td", IntervalMethod::random_scaling}}};

using Tally = std::vector<std::array<CellTally, interval_kinds.size()>>;  // by number of updates

using NewtonAny = learn::Newton<AnyLoss>;
using AveragedTd = learn::Averaged<learn::Td<AnyLoss>>;

/// Steps that begin at 0.56 and reach 0.02 after 10^5 updates: rows of features have norms of at
/// most 1 on the random chain, and its slowest direction learns at a rate of 0.005.
AveragedTd averaged_td(const IntervalProblem& problem) {
  constexpr std::uint64_t from = 4000;
  const learn::PolynomialStep step(100.0, 1000.0, 0.75);
  return {learn::Td<AnyLoss>(static_cast<std::size_t>(problem.phi.cols()), problem.loss,
                             problem.gamma, step),
          from};
}

/// All learners along one path.
class PathOfLearners {
 public:
  PathOfLearners(const IntervalProblem& problem, const features::Dense& rows,
                 const IntervalScale& scale, std::size_t run)
      : rows_(rows),
        truth_(problem.values()),
        newton_(rows.dimension(), problem.loss, problem.gamma) {
    if (run < scale.published_runs) {
      published_.emplace(rows.dimension(), problem.loss, problem.gamma,
                         learn::NewtonOptions{.variant = learn::NewtonVariant::as_published});
    }
    if (run < scale.td_runs && problem.setting.chain == "random") {
      td_.emplace(averaged_td(problem));
    }
  }

  void update(StateIndex x, double cost, StateIndex next) {
    (void)newton_.update(rows_.row(x), cost, rows_.row(next));
    if (published_) (void)published_->update(rows_.row(x), cost, rows_.row(next));
    if (td_) (void)td_->update(rows_.row(x), cost, rows_.row(next));
  }

  void record(std::array<CellTally, interval_kinds.size()>& cells) const {
    record_one(newton_, interval_kinds[0].method, cells[0]);
    record_one(newton_, interval_kinds[1].method, cells[1]);
    if (published_) record_one(*published_, interval_kinds[2].method, cells[2]);
    if (td_) record_one(*td_, interval_kinds[3].method, cells[3]);
  }

 private:
  template <class L>
  void record_one(const L& learner, std::optional<IntervalMethod> method, CellTally& cell) const {
    ++cell.runs;
    cell.states.resize(static_cast<std::size_t>(truth_.size()));
    for (std::size_t x = 0; x < cell.states.size(); ++x) {
      const std::span<const double> phi = rows_.row(static_cast<StateIndex>(x));
      const double truth = truth_[static_cast<Eigen::Index>(x)];
      cell.states[x].errors.push_back(learner.value(phi) - truth);
      if (method) {
        add_interval(learner.interval(phi, {.level = 0.95, .method = method}), truth,
                     cell.states[x]);
      }
    }
  }

  const features::Dense& rows_;
  Eigen::VectorXd truth_;
  NewtonAny newton_;
  std::optional<NewtonAny> published_ = {};
  std::optional<AveragedTd> td_ = {};
};

IntervalSettingRow setting_row(const IntervalProblem& problem) {
  return {
      .chain = problem.setting.chain,
      .features = problem.setting.features,
      .tau = problem.setting.tau,
      .states = problem.chain.states(),
      .d = static_cast<std::size_t>(problem.phi.cols()),
      .gamma = problem.gamma,
      .least_probability = *std::ranges::min_element(problem.q),
      .least_coverage_without_autocovariances = problem.least_coverage_without_autocovariances()};
}

std::vector<IntervalCell> cells_of(const Tally& tally, const IntervalProblem& problem,
                                   const IntervalScale& scale) {
  std::vector<IntervalCell> cells;
  for (std::size_t k = 0; k < scale.updates.size(); ++k) {
    const auto n = static_cast<double>(scale.updates[k]);
    for (std::size_t i = 0; i < interval_kinds.size(); ++i) {
      if (tally[k][i].runs == 0) continue;
      cells.push_back({.chain = problem.setting.chain,
                       .features = problem.setting.features,
                       .tau = problem.setting.tau,
                       .d = static_cast<std::size_t>(problem.phi.cols()),
                       .n = scale.updates[k],
                       .algorithm = std::string(interval_kinds[i].algorithm),
                       .method = interval_kinds[i].method
                                     ? std::string(to_string(*interval_kinds[i].method))
                                     : "",
                       .runs = tally[k][i].runs});
      const Eigen::VectorXd deviation = problem.deviations() / std::sqrt(n);
      summarise(tally[k][i], deviation, problem.q, cells.back());
    }
  }
  return cells;
}

}  // namespace

void CellTally::add(const CellTally& more) {
  runs += more.runs;
  states.resize(std::max(states.size(), more.states.size()));
  for (std::size_t x = 0; x < more.states.size(); ++x) {
    StateTally& here = states[x];
    const StateTally& there = more.states[x];
    here.covered += there.covered;
    here.not_yet += there.not_yet;
    here.short_batches += there.short_batches;
    here.batch_correlation += there.batch_correlation;
    std::ranges::copy(there.half_widths, std::back_inserter(here.half_widths));
    std::ranges::copy(there.errors, std::back_inserter(here.errors));
  }
}

void add_interval(const Interval& interval, double truth, StateTally& sum) {
  if (interval.status == IntervalStatus::not_yet) {
    ++sum.not_yet;
    return;
  }
  if (interval.low <= truth && truth <= interval.high) ++sum.covered;
  if (interval.status == IntervalStatus::short_batches) ++sum.short_batches;
  sum.batch_correlation += interval.batch_correlation;
  sum.half_widths.push_back(0.5 * (interval.high - interval.low));
}

void summarise(const CellTally& tally, const Eigen::VectorXd& deviation,
               const std::vector<double>& q, IntervalCell& cell) {
  summarise_errors(tally, deviation, cell);
  summarise_intervals(tally, deviation, q, cell);
}

IntervalScale interval_scale(Scale scale) {
  if (scale == Scale::full) return {1000, 100, 500, {10'000, 100'000}};
  return {100, 20, 50, {10'000}};
}

IntervalTables interval_runs(const IntervalProblem& problem, const IntervalScale& scale,
                             const StudyOptions& options, const OnProgress& on_progress) {
  const ChainSampler sampler(problem.chain);
  const features::Dense rows(problem.phi);
  std::atomic<std::size_t> done = 0;
  const auto run = [&](std::size_t r, Tally& tally) {
    pcg64 bits = stream_generator(options.seed, r);
    learn::Trajectory path(sampler, learn::StartAt<StateIndex>{0}, bits);
    PathOfLearners learners(problem, rows, scale, r);
    std::uint64_t n = 0;
    for (std::size_t k = 0; k < scale.updates.size(); ++k) {
      for (; n < scale.updates[k]; ++n) {
        const auto step = path.step(bits);
        learners.update(step.x, step.cost, step.next);
      }
      learners.record(tally[k]);
    }
    on_progress(static_cast<double>(++done) / static_cast<double>(scale.runs));
  };
  Tally tally(scale.updates.size());
  detail::Workers(options.threads).run([&] {
    constexpr std::size_t block = 4;
    tally = detail::parallel_reduce(
        scale.runs, block, tally,
        [&](std::size_t first, std::size_t last) {
          Tally part(scale.updates.size());
          for (std::size_t r = first; r < last; ++r) run(r, part);
          return part;
        },
        [](Tally& sum, const Tally& part) {
          for (std::size_t k = 0; k < sum.size(); ++k) {
            for (std::size_t i = 0; i < interval_kinds.size(); ++i) sum[k][i].add(part[k][i]);
          }
        });
  });
  return {.settings = {setting_row(problem)}, .cells = cells_of(tally, problem, scale)};
}

}  // namespace shortfall::studies
