#include "shortfall/learn/runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <cstring>
#include <pcg_random.hpp>
#include <string>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/features/tabular.hpp"
#include "shortfall/learn/newton.hpp"
#include "shortfall/learn/td.hpp"
#include "shortfall/learn/td_lambda.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "shortfall/mdp/stationary.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/theory/projection.hpp"
#include "tests/mdp/chains_for_tests.hpp"

namespace shortfall::learn {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

const StartAt<StateIndex> at_zero{0};

Chain chain_of_policy(const library::RandomMdp& random) {
  return under_policy(random.model, random.policy);
}

/// The random model of 10 states with 5 features; the references are two arbitrary vectors.
struct RandomExperiment {
  explicit RandomExperiment(std::uint64_t seed = 3)
      : generator(seed),
        random(library::random_mdp({.features = 5}, generator)),
        chain(chain_of_policy(random)),
        sampler(chain),
        phi(random.features) {
    metric.q = stationary_law(chain).probability;
    for (std::size_t x = 0; x < 10; ++x) {
      metric.projected_value.push_back(draw_normal(generator));
      metric.fixed_point.push_back(10.0 * draw_normal(generator));
    }
  }
  Simulation<ChainSampler, features::Dense, StartAt<StateIndex>> simulation() const {
    return {sampler, phi, at_zero};
  }

  pcg64 generator;
  library::RandomMdp random;
  Chain chain;
  ChainSampler sampler;
  features::Dense phi;
  ErrorMetric metric{phi, {}};
};

Td<AnyLoss> expectile_td(std::size_t d) {
  return Td<AnyLoss>(d, Expectile(0.8), 0.5);
}

/// Bitwise equal, or both NaN.
void expect_same(std::span<const double> a, std::span<const double> b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size_bytes()), 0);
}

void expect_same(const Replications& a, const Replications& b) {
  ASSERT_EQ(a.runs.size(), b.runs.size());
  for (std::size_t r = 0; r < a.runs.size(); ++r) {
    expect_same(a.runs[r].theta, b.runs[r].theta);
    expect_same(a.runs[r].to_projected_value, b.runs[r].to_projected_value);
    expect_same(a.runs[r].to_fixed_point, b.runs[r].to_fixed_point);
    expect_same(a.runs[r].first_component, b.runs[r].first_component);
  }
  const auto numbers = [](const Record& record) {
    const auto& [iteration, best, fixed, value, first, diverged, singular] = record;
    return std::vector{best->mean,  best->standard_error,  best->median,
                       fixed->mean, fixed->standard_error, fixed->median,
                       first.mean,  first.standard_error,  first.median};
  };
  ASSERT_EQ(a.records.size(), b.records.size());
  for (std::size_t k = 0; k < a.records.size(); ++k) {
    expect_same(numbers(a.records[k]), numbers(b.records[k]));
  }
}

TEST(Runner, IsBitwiseIdenticalForAnyNumberOfThreads) {
  const RandomExperiment experiment;
  RunnerOptions options{.replications = 7, .record_at = log_spaced(1, 3000, 4)};
  const Replications one = run_replications(expectile_td(5), experiment.simulation(),
                                            experiment.metric, options, {.threads = 1});
  for (const int threads : {2, 4, 0}) {
    expect_same(one, run_replications(expectile_td(5), experiment.simulation(), experiment.metric,
                                      options, {.threads = threads}));
  }
  options.seed = 2;
  const Replications other =
      run_replications(expectile_td(5), experiment.simulation(), experiment.metric, options);
  EXPECT_NE(one.runs[0].theta, other.runs[0].theta);
  EXPECT_NE(one.runs[0].theta, one.runs[1].theta);
}

/// The second method: the loop written out, and distances by the q-norm of `theory`.
TEST(Runner, FindsTheDistancesOfAReplicationRunByHand) {
  const RandomExperiment experiment;
  const std::vector<std::uint64_t> record_at{0, 1, 10, 500};
  const Replications found =
      run_replications(expectile_td(5), experiment.simulation(), experiment.metric,
                       {.replications = 3, .seed = 12, .record_at = record_at});
  const Eigen::MatrixXd phi = experiment.random.features;
  const auto norm = [&](std::span<const double> theta, const std::vector<double>& reference) {
    const Eigen::VectorXd difference = phi * Eigen::Map<const Eigen::VectorXd>(theta.data(), 5) -
                                       Eigen::Map<const Eigen::VectorXd>(reference.data(), 10);
    return theory::q_norm(difference, experiment.metric.q);
  };
  for (std::size_t r = 0; r < 3; ++r) {
    Td<AnyLoss> td = expectile_td(5);
    pcg64 bits(12, r);
    StateIndex x = 0;
    std::size_t k = 0;
    for (std::uint64_t n = 0; n <= 500; ++n) {
      if (n == record_at[k]) {
        // Some ten roundings of each of ten terms.
        const double best = norm(td.theta(), experiment.metric.projected_value);
        const double fixed = norm(td.theta(), experiment.metric.fixed_point);
        EXPECT_NEAR(found.runs[r].to_projected_value[k], best, 1e-13 * best);
        EXPECT_NEAR(found.runs[r].to_fixed_point[k], fixed, 1e-13 * fixed);
        EXPECT_EQ(found.runs[r].first_component[k], td.theta()[0]);
        ++k;
      }
      if (n == 500) break;
      const auto [cost, next] = experiment.sampler.step(x, bits);
      (void)td.update(experiment.phi.row(x), cost, experiment.phi.row(next));
      x = next;
    }
    expect_same(found.runs[r].theta, td.theta());
    EXPECT_THAT(found.runs[r].status, Each(LearnerStatus::not_settled));  // 500 updates
    EXPECT_EQ(td.status(), LearnerStatus::not_settled);
  }
}

TEST(Runner, SummarisesOverReplicationsAtEachIteration) {
  const RandomExperiment experiment;
  const Replications found =
      run_replications(expectile_td(5), experiment.simulation(), experiment.metric,
                       {.replications = 4, .record_at = {5, 50}});
  ASSERT_THAT(found.records, SizeIs(2));
  for (std::size_t k = 0; k < 2; ++k) {
    const Record& record = found.records[k];
    std::vector<double> best;
    std::vector<double> first;
    for (const Replication& run : found.runs) {
      best.push_back(run.to_projected_value[k]);
      first.push_back(run.first_component[k]);
    }
    EXPECT_EQ(record.iteration, k == 0 ? 5 : 50);
    EXPECT_EQ(record.to_projected_value->mean, summarise(best).mean);
    EXPECT_EQ(record.to_projected_value->standard_error, summarise(best).standard_error);
    EXPECT_EQ(record.first_component.median, summarise(first).median);
    EXPECT_EQ(record.diverged, 0);
    EXPECT_EQ(record.singular, 0);
  }
}

TEST(Runner, MeasuresOnlyDistancesWithAReference) {
  RandomExperiment experiment;
  experiment.metric.projected_value.clear();
  const Replications found =
      run_replications(expectile_td(5), experiment.simulation(), experiment.metric,
                       {.replications = 2, .record_at = {3}});
  EXPECT_FALSE(found.records[0].to_projected_value.has_value());
  EXPECT_TRUE(found.records[0].to_fixed_point.has_value());
  EXPECT_THAT(found.runs[0].to_projected_value, SizeIs(0));
}

/// Boyan's chain from its first state, and the same by hand. The trace of TD(λ) would reveal
/// a missed end.
TEST(Runner, RestartsWhenTheChainEnds) {
  const Mdp model = library::boyan_chain();
  Policy policy(14, 0);
  policy[13] = no_action;
  const ChainSampler sampler(under_policy(model, policy));
  const features::Dense phi(library::boyan_features());
  const TdLambda<AnyLoss> learner(4, Expectile(0.8), 1.0, 0.7);
  const Replications found = run_replications(learner, Simulation{sampler, phi, at_zero},
                                              {.phi = phi, .q = std::vector<double>(14, 0.1)},
                                              {.replications = 2, .record_at = {1000}});
  for (std::size_t r = 0; r < 2; ++r) {
    TdLambda<AnyLoss> by_hand = learner;
    pcg64 bits(1, r);
    StateIndex x = 0;
    for (int n = 0; n < 1000; ++n) {
      const auto [cost, next] = sampler.step(x, bits);
      if (sampler.is_terminal(next)) {
        (void)by_hand.update_terminal(phi.row(x), cost);
        x = 0;
      } else {
        (void)by_hand.update(phi.row(x), cost, phi.row(next));
        x = next;
      }
    }
    expect_same(found.runs[r].theta, by_hand.theta());
  }
}

/// Stored rows and computed rows are two paths through the loop.
TEST(Runner, IsTheSameWithComputedAndWithStoredFeatures) {
  const RandomExperiment experiment;
  const features::Tabular written(10);
  const features::Dense kept(Eigen::MatrixXd::Identity(10, 10));
  ErrorMetric metric = experiment.metric;
  metric.phi = kept;
  const RunnerOptions options{.replications = 2, .record_at = {1, 777}};
  expect_same(run_replications(expectile_td(10), Simulation{experiment.sampler, written, at_zero},
                               metric, options),
              run_replications(expectile_td(10), Simulation{experiment.sampler, kept, at_zero},
                               metric, options));
}

/// Sums its costs, and diverges once they exceed a limit.
class Fragile {
 public:
  explicit Fragile(double limit) : limit_(limit) {}
  LearnerStatus update(std::span<const double>, double cost, std::span<const double>) {
    if (status_ == LearnerStatus::diverged) return status_;
    ++updates_;
    if (sum_ + cost > limit_) return status_ = LearnerStatus::diverged;
    sum_ += cost;
    return status_;
  }
  LearnerStatus update_terminal(std::span<const double> phi, double cost) {
    return update(phi, cost, phi);
  }
  double value(std::span<const double>) const { return sum_; }
  std::span<const double> theta() const { return {&sum_, 1}; }
  std::size_t dimension() const { return 1; }
  std::uint64_t updates() const { return updates_; }
  LearnerStatus status() const { return status_; }

 private:
  double limit_;
  double sum_ = 0.0;
  std::uint64_t updates_ = 0;
  LearnerStatus status_ = LearnerStatus::ok;
};

TEST(Runner, CountsDivergedReplicationsWithInfiniteDistance) {
  const ChainSampler sampler(testing::chain_of({{{0.5, 0, 0.0}, {0.5, 0, 1.0}}}));
  const features::Tabular one(1);
  const ErrorMetric metric{features::Dense({1.0}, 1), {1.0}, {}, {0.0}};
  const auto run = [&](double limit) {
    return run_replications(Fragile(limit), Simulation{sampler, one, at_zero}, metric,
                            {.replications = 9, .record_at = {1, 20, 40}});
  };
  // The sum of 40 costs of 0 or 1 is 20 with deviation 3: never above 40, above 22 for
  // some of nine.
  const Replications whole = run(40.0);
  const Replications fragile = run(22.0);
  std::size_t broken = 0;
  std::vector<double> kept;
  for (std::size_t r = 0; r < 9; ++r) {
    const double sum = whole.runs[r].theta[0];
    const bool has_diverged = sum > 22.0;
    broken += has_diverged ? 1 : 0;
    EXPECT_EQ(fragile.runs[r].status[2],
              has_diverged ? LearnerStatus::diverged : LearnerStatus::ok);
    EXPECT_EQ(fragile.runs[r].to_fixed_point[2], has_diverged ? infinity : sum);
    EXPECT_EQ(std::isnan(fragile.runs[r].first_component[2]), has_diverged);
    EXPECT_EQ(fragile.runs[r].theta[0], has_diverged ? 22.0 : sum);
    if (!has_diverged) kept.push_back(sum);
  }
  ASSERT_GT(broken, 0);
  ASSERT_LT(broken, 5);
  EXPECT_EQ(whole.records[2].diverged, 0);
  EXPECT_EQ(fragile.records[0].diverged, 0);
  const Record& last = fragile.records[2];
  EXPECT_EQ(last.diverged, broken);
  EXPECT_EQ(last.to_fixed_point->mean, infinity);
  EXPECT_EQ(last.to_fixed_point->standard_error, infinity);
  EXPECT_LE(last.to_fixed_point->median, 22.0);
  EXPECT_EQ(last.first_component.mean, summarise(kept).mean);
  EXPECT_EQ(last.first_component.standard_error, summarise(kept).standard_error);

  const Replications hopeless = run(-1.0);
  EXPECT_EQ(hopeless.records[0].diverged, 9);
  EXPECT_EQ(hopeless.records[0].to_fixed_point->median, infinity);
  EXPECT_TRUE(std::isnan(hopeless.records[0].first_component.mean));
}

TEST(Runner, MeasuresTheDistanceToTheValue) {
  RandomExperiment experiment;
  experiment.metric.value = experiment.metric.fixed_point;
  const RunnerOptions options{.replications = 3, .record_at = {10, 100}};
  const Replications found =
      run_replications(expectile_td(5), experiment.simulation(), experiment.metric, options);
  for (const Replication& run : found.runs) expect_same(run.to_value, run.to_fixed_point);
  EXPECT_EQ(found.records[1].to_value->mean, found.records[1].to_fixed_point->mean);
  experiment.metric.value.pop_back();
  EXPECT_THAT(
      [&] {
        (void)run_replications(expectile_td(5), experiment.simulation(), experiment.metric,
                               options);
      },
      ThrowsMessage<InvalidInput>(HasSubstr("the value has 9 entries")));
}

/// From state 0 the chain moves on to 1, where it stays at cost 1: without restarts, state 0 has
/// one update.
TEST(Runner, RestartsPathsAfterAnyStep) {
  const ChainSampler sampler(testing::chain_of({{{1.0, 1, 0.0}}, {{1.0, 1, 1.0}}}));
  const features::Tabular states(2);
  const ErrorMetric metric{features::Dense({1.0, 0.0, 0.0, 1.0}, 2), {0.5, 0.5}};
  const Td<AnyLoss> td(2, Mean(), 0.5);
  const auto run = [&](double restart) {
    return run_replications(td, Simulation{sampler, states, at_zero}, metric,
                            {.replications = 1, .record_at = {2000}, .restart = restart})
        .runs[0]
        .theta;
  };
  EXPECT_EQ(run(0.0)[0], 0.0);          // one update, at θ = 0 and cost 0
  EXPECT_NEAR(run(0.0)[1], 2.0, 1e-9);  // 1 / (1 - 0.5)
  // Half of the steps, Σ η / 2 = 24, update each state: errors of e^-12 remain.
  EXPECT_NEAR(run(0.5)[0], 1.0, 1e-3);  // the next value is that of 1, restart or not
  EXPECT_NEAR(run(0.5)[1], 2.0, 1e-3);
}

/// A trace must not lead from one episode into the next.
TEST(Runner, EndsTracesWhereAPathRestarts) {
  const Chain chain = testing::chain_of({{{1.0, 1, 0.0}}, {{1.0, 1, 1.0}}});
  const ChainSampler sampler(chain);
  const features::Tabular states(2);
  const ErrorMetric metric{features::Dense({1.0, 0.0, 0.0, 1.0}, 2), {0.5, 0.5}};
  constexpr std::uint64_t updates = 50;
  const TdLambda<AnyLoss> learner(2, AnyLoss(Mean()), 0.5, 0.9);
  const Replications found =
      run_replications(learner, Simulation{sampler, states, at_zero}, metric,
                       {.replications = 1, .record_at = {updates}, .restart = 0.3});
  TdLambda<AnyLoss> by_hand = learner;
  pcg64 bits(1, 0);
  Trajectory path(sampler, at_zero, bits, 0.3);
  std::vector<double> phi(2), next(2);
  for (std::uint64_t n = 0; n < updates; ++n) {
    const auto step = path.step(bits);
    states.write(step.x, phi);
    states.write(step.next, next);
    (void)by_hand.update(phi, step.cost, next);
    if (step.restarts) by_hand.start_episode();
  }
  expect_same(found.runs[0].theta, by_hand.theta());
}

TEST(Runner, KeepsTheIntervalsAtTheEnd) {
  const RandomExperiment experiment;
  const Newton<AnyLoss> newton(5, Expectile(0.8), 0.5, {.warmup = 50});
  const RunnerOptions options{.replications = 2, .record_at = {3000}, .confidence = 0.9};
  const Replications found =
      run_replications(newton, experiment.simulation(), experiment.metric, options);
  for (const Replication& run : found.runs) {
    ASSERT_EQ(run.intervals.size(), 10u);
    for (std::size_t x = 0; x < 10; ++x) {
      double value = 0.0;
      for (std::size_t i = 0; i < 5; ++i) value += experiment.phi.row(x)[i] * run.theta[i];
      EXPECT_NEAR(run.intervals[x].value, value, 1e-9);
      EXPECT_LT(run.intervals[x].low, value);
      EXPECT_GT(run.intervals[x].high, value);
    }
  }
  EXPECT_THROW(
      (void)run_replications(expectile_td(5), experiment.simulation(), experiment.metric, options),
      InvalidInput);
}

TEST(Runner, CountsSingularReplications) {
  RandomExperiment experiment;
  Eigen::MatrixXd dependent = experiment.random.features;
  dependent.col(4) = dependent.col(0);
  const features::Dense phi(dependent);
  const Replications found =
      run_replications(Newton<AnyLoss>(5, Expectile(0.8), 0.5, {.warmup = 50}),
                       Simulation{experiment.sampler, phi, at_zero}, experiment.metric,
                       {.replications = 3, .record_at = {20, 200}});
  EXPECT_EQ(found.records[0].singular, 0);  // warming up
  EXPECT_EQ(found.records[1].singular, 3);
  EXPECT_EQ(found.records[1].diverged, 0);
  EXPECT_TRUE(std::isfinite(found.records[1].to_fixed_point->mean));
}

TEST(Runner, ReportsFinishedReplications) {
  const RandomExperiment experiment;
  std::vector<std::uint64_t> reported;
  (void)run_replications(expectile_td(5), experiment.simulation(), experiment.metric,
                         {.replications = 4, .record_at = {10}},
                         {.monitor = [&](const Progress& progress) {
                           reported.push_back(progress.done);
                           return Request::proceed;
                         }});
  EXPECT_TRUE(std::ranges::is_sorted(reported));
  EXPECT_EQ(reported.back(), 4);
}

TEST(Runner, SummarisesFinishedReplicationsIfStopped) {
  const RandomExperiment experiment;
  Execution execution{.threads = 1};
  const auto run = [&] {
    return run_replications(expectile_td(5), experiment.simulation(), experiment.metric,
                            {.replications = 20, .record_at = {10, 100}}, execution);
  };
  const Replications whole = run();
  execution.monitor = [](const Progress& progress) {
    return progress.done < 7 ? Request::proceed : Request::stop;
  };
  const Replications part = run();
  ASSERT_EQ(part.runs.size(), 7);
  for (std::size_t r = 0; r < 7; ++r) EXPECT_EQ(part.runs[r].theta, whole.runs[r].theta);
  EXPECT_EQ(part.records.size(), 2);
  execution.monitor = [](const Progress&) { return Request::stop; };
  EXPECT_TRUE(run().records.empty());
}

TEST(Runner, RejectsInconsistentArguments) {
  const RandomExperiment experiment;
  const auto run = [&](const ErrorMetric& metric, const RunnerOptions& options) {
    return
        [&] { (void)run_replications(expectile_td(5), experiment.simulation(), metric, options); };
  };
  const RunnerOptions brief{.replications = 1, .record_at = {1}};
  ErrorMetric narrow = experiment.metric;
  narrow.phi = features::Dense(std::vector<double>(20, 1.0), 2);
  EXPECT_THAT(run(narrow, brief),
              ThrowsMessage<InvalidInput>(HasSubstr("5 weights; accepted: 2, one per feature")));
  ErrorMetric no_law = experiment.metric;
  no_law.q.pop_back();
  EXPECT_THAT(run(no_law, brief), ThrowsMessage<InvalidInput>(
                                      HasSubstr("q has 9 entries; accepted: one for each of 10")));
  no_law.q.push_back(-1.0);
  EXPECT_THAT(run(no_law, brief), ThrowsMessage<InvalidInput>(HasSubstr("q has entry -1")));
  ErrorMetric short_reference = experiment.metric;
  short_reference.fixed_point.pop_back();
  EXPECT_THAT(run(short_reference, brief),
              ThrowsMessage<InvalidInput>(HasSubstr("the fixed point has 9 entries")));
  const RunnerOptions none{.replications = 0, .record_at = {1}};
  EXPECT_THAT(run(experiment.metric, none),
              ThrowsMessage<InvalidInput>(HasSubstr("0 replications")));
  const RunnerOptions empty{.record_at = {}};
  EXPECT_THAT(run(experiment.metric, empty),
              ThrowsMessage<InvalidInput>(HasSubstr("no iterations to record")));
  const RunnerOptions twice{.record_at = {1, 5, 5}};
  EXPECT_THAT(run(experiment.metric, twice),
              ThrowsMessage<InvalidInput>(HasSubstr("iteration 5 is recorded after 5")));
}

TEST(Runner, PropagatesExceptionsOfARun) {
  const ChainSampler sampler(testing::chain_of({{{1.0, 1, 1.0}}, {}}));
  const features::Tabular map(2);
  const ErrorMetric metric{features::Dense({1, 0, 0, 1}, 2), {0.5, 0.5}};
  EXPECT_THAT(
      [&] {
        (void)run_replications(expectile_td(2), Simulation{sampler, map, StartAt{StateIndex{1}}},
                               metric, {.record_at = {1}});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("starts in a terminal state")));
}

}  // namespace
}  // namespace shortfall::learn
