#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <span>

#include "parallel/threads.hpp"
#include "shortfall/features/dense.hpp"
#include "shortfall/learn/averaged.hpp"
#include "shortfall/learn/averager_td.hpp"
#include "shortfall/learn/runner.hpp"
#include "shortfall/learn/td.hpp"
#include "shortfall/learn/trajectory.hpp"
#include "shortfall/mdp/random_streams.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "shortfall/numbers/portable_math.hpp"
#include "shortfall/theory/averager_fixed_point.hpp"
#include "shortfall/theory/averager_steps.hpp"
#include "studies/averagers.hpp"
#include "studies/counterexample.hpp"

namespace shortfall::studies {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using learn::LearnerStatus;

constexpr std::array<double, 4> path_starts = {-1.0, 0.1, 1.0, 10.0};
constexpr std::array<double, 2> run_discounts = {0.5, 0.8};

/// The same random numbers for every learner.
template <class Learner>
void add_path(const CounterexampleChain& example, Learner learner, AveragerPathRow row,
              const StudyOptions& options, std::vector<AveragerPathRow>& rows) {
  const MatrixXd phi = example.example.features / example.example.features.maxCoeff();
  const features::Dense map(phi);
  const ChainSampler sampler(example.chain);
  pcg64 bits = stream_generator(options.seed, 0);
  learn::Trajectory path(sampler, learn::StartLaw(example.q), bits);
  learner.start_from(std::array{row.start});
  const std::uint64_t last = options.scale == Scale::full ? 1'000'000 : 100'000;
  std::uint64_t n = 0;
  for (const std::uint64_t end : learn::log_spaced(100, last, 8)) {
    for (; n < end; ++n) {
      const auto step = path.step(bits);
      (void)learner.update(map.row(step.x), step.cost, map.row(step.next));
    }
    row.iteration = n;
    row.theta = learner.theta()[0];
    rows.push_back(row);
  }
}

/// The covariance of √n times the mean of n iterates around θ*, for independent samples: A⁻¹ C A⁻ᵀ
/// with the Jacobian A of the drift and the covariance C of the scores φ_i ℓ(δ_i).
MatrixXd covariance_of_mean(const theory::AveragerOperator& averager, const VectorXd& theta) {
  const MatrixXd& phi = averager.phi();
  const Index d = averager.dimension();
  MatrixXd jacobian = MatrixXd::Zero(d, d);
  MatrixXd scores = MatrixXd::Zero(d, d);
  for (std::size_t x = 0; x < averager.chain().states(); ++x) {
    const Outcomes::Row row = averager.chain().law(x);
    const auto state = static_cast<Index>(x);
    for (std::size_t o = 0; o < row.next.size(); ++o) {
      const double mass = averager.q()[x] * row.probability[o];
      const VectorXd next = averager.gamma() * phi.row(row.next[o]).transpose();
      VectorXd score(d);
      for (Index i = 0; i < d; ++i) {
        const LossPoint at = averager.loss().at(row.cost[o] + next.dot(theta) - theta[i]);
        score[i] = phi(state, i) * at.value;
        jacobian.row(i) +=
            mass * phi(state, i) * at.left_slope * (next - VectorXd::Unit(d, i)).transpose();
      }
      scores += mass * score * score.transpose();
    }
  }
  const MatrixXd inverse = jacobian.inverse();
  return inverse * scores * inverse.transpose();
}

struct RunEnd {
  double score = 0.0;
  bool averager_diverged = false;
  bool td_diverged = false;
  bool outside_box = false;
};

RunEnd run_learners(const AveragerProblem& problem, const AnyLoss& loss, double gamma,
                    std::uint64_t updates, pcg64 bits) {
  const theory::AveragerOperator averager(problem.chain, loss, gamma, problem.phi, problem.q);
  const VectorXd limit = theory::averager_fixed_point(averager, {.tolerance = 1e-8}).theta;
  const theory::AveragerBox box =
      theory::averager_box(averager, VectorXd::Zero(averager.dimension()));
  // The largest step that keeps the weights in the box, then decreasing.
  constexpr double held = 1000.0, power = 2.0 / 3.0;
  const learn::PolynomialStep step(box.largest_step * portable::pow(held, power), held, power);
  const auto d = static_cast<std::size_t>(averager.dimension());
  learn::Averaged own(learn::AveragerTd<AnyLoss>(d, loss, gamma, step), updates / 2);
  learn::Td<AnyLoss> td(d, loss, gamma, step);
  const features::Dense map(problem.phi);
  const ChainSampler sampler(problem.chain);
  const AliasTable states(problem.q);
  const double slack = 1e-9 * (box.high - box.low);
  RunEnd end;
  for (std::uint64_t n = 0; n < updates; ++n) {
    const auto x = static_cast<StateIndex>(states(bits));
    const auto [cost, next] = sampler.step(x, bits);
    (void)own.update(map.row(x), cost, map.row(next));
    (void)td.update(map.row(x), cost, map.row(next));
    const auto [low, high] = std::ranges::minmax(own.last().theta());
    end.outside_box |= !(low >= box.low - slack && high <= box.high + slack);
  }
  const VectorXd& weights = averager.visits();
  const Eigen::Map<const VectorXd> mean(own.theta().data(), averager.dimension());
  const auto kept = static_cast<double>(updates - updates / 2);
  const double variance = weights.dot(covariance_of_mean(averager, limit) * weights) / kept;
  end.score = weights.dot(mean - limit) / std::sqrt(variance);
  end.averager_diverged = own.status() == LearnerStatus::diverged;
  end.td_diverged = td.status() == LearnerStatus::diverged;
  return end;
}

AveragerRunsRow runs_row(const AnyLoss& loss, double gamma, std::uint64_t updates,
                         const std::vector<RunEnd>& ends) {
  AveragerRunsRow row{
      .loss = loss.to_string(), .gamma = gamma, .updates = updates, .runs = ends.size()};
  const auto runs = static_cast<double>(ends.size());
  for (const RunEnd& end : ends) {
    row.averager_diverged += end.averager_diverged ? 1U : 0U;
    row.td_diverged += end.td_diverged ? 1U : 0U;
    row.outside_box += end.outside_box ? 1U : 0U;
    row.mean_square_score += end.score * end.score / runs;
    row.largest_score = std::max(row.largest_score, std::abs(end.score));
    row.within_95 += std::abs(end.score) <= 1.959963984540054 ? 1.0 / runs : 0.0;
  }
  return row;
}

}  // namespace

std::vector<AveragerPathRow> averager_paths(double p, library::DeltaRoot root,
                                            const StudyOptions& options) {
  const CounterexampleChain example(p, root);
  const MatrixXd phi = example.example.features / example.example.features.maxCoeff();
  const learn::PolynomialStep step(8.0 / phi.squaredNorm(), 1000.0);  // those of `counterexample`
  const Expectile& loss = example.example.loss;
  const double gamma = example.example.gamma;
  std::vector<AveragerPathRow> rows;
  for (const double start : path_starts) {
    AveragerPathRow row{.p = p, .root = example.root_name(), .algorithm = "td", .start = start};
    add_path(example, learn::Td<Expectile>(1, loss, gamma, step), row, options, rows);
    row.algorithm = "averager-td";
    add_path(example, learn::AveragerTd<Expectile>(1, loss, gamma, step), row, options, rows);
  }
  return rows;
}

AveragerRunScale averager_run_scale(Scale scale) {
  if (scale == Scale::full) return {.models = 50, .updates = 200'000};
  return {.models = 3, .updates = 20'000};
}

std::vector<AveragerRunsRow> averager_runs(const AveragerRunScale& scale,
                                           const StudyOptions& options,
                                           const OnProgress& on_progress) {
  std::vector<AveragerRunsRow> rows;
  std::atomic<std::size_t> done = 0;
  const std::size_t runs = averager_features.size() * scale.models;
  const std::size_t all = averager_losses.size() * run_discounts.size() * runs;
  for (const std::string_view spec : averager_losses) {
    const AnyLoss loss = AnyLoss::parse(spec);
    for (const double gamma : run_discounts) {
      std::vector<RunEnd> ends(runs);
      detail::Workers(options.threads).run([&] {
        detail::parallel_for(runs, [&](std::size_t r) {
          const std::size_t model = r / averager_features.size();
          const AveragerProblem problem = averager_problem(
              averager_features[r % averager_features.size()], options.seed, model);
          ends[r] = run_learners(problem, loss, gamma, scale.updates,
                                 stream_generator(derive_seed(options.seed, 1), r));
          on_progress(static_cast<double>(++done) / static_cast<double>(all));
        });
      });
      rows.push_back(runs_row(loss, gamma, scale.updates, ends));
    }
  }
  return rows;
}

}  // namespace shortfall::studies
