#include "studies/interval_runs.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
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
#include "studies/interval_tally.hpp"

namespace shortfall::studies {
namespace {

using learn::IntervalMethod;

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
