// Features, and the loops that draw them for a learner, allocate nothing while they run.
// (The learners with linear features are counted in a separate program.)
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "shortfall/features/aggregation.hpp"
#include "shortfall/features/hats.hpp"
#include "shortfall/features/normalised.hpp"
#include "shortfall/features/normalised_radial.hpp"
#include "shortfall/features/polynomial.hpp"
#include "shortfall/features/random_fourier.hpp"
#include "shortfall/features/random_relu.hpp"
#include "shortfall/features/tabular.hpp"
#include "shortfall/features/tile_coding.hpp"
#include "shortfall/learn/q_learning.hpp"
#include "shortfall/learn/runner.hpp"
#include "shortfall/learn/stochastic_value_iteration.hpp"
#include "shortfall/learn/td.hpp"
#include "shortfall/mdp/library.hpp"
#include "tests/counted_allocations.hpp"

namespace shortfall {
namespace {

ChainSampler machine() {
  return ChainSampler(under_policy(library::machine_replacement(), {0, 0, 0, 0, 0, 1, 1, 1, 1, 1}));
}

TEST(FeatureMaps, AllocateNothing) {
  using features::Polynomial;
  const std::vector<std::array<int, 3>> states{{1, 2, 3}, {4, 0, 2}, {7, 7, 1}, {0, 1, 0}};
  const auto map =
      features::Normalised<Polynomial>::fit(Polynomial({.variables = 3, .degree = 3}), states);
  const features::RandomFeatureOptions random{.scaling = {{0, 0, 0}, {1, 1, 1}}, .count = 49};
  const features::RandomRelu relu(random);
  const features::RandomFourier fourier({.features = random});
  const features::Tabular tabular(50);
  std::vector<double> phi(50);
  const long before = testing::allocations;
  double sum = 0.0;
  for (int n = 0; n < 100; ++n) {
    map.write(states[1], std::span(phi).first(map.dimension()));
    sum += phi[0];
    relu.write(states[2], phi);
    fourier.write(states[3], phi);
    tabular.write(StateIndex{7}, phi);
  }
  EXPECT_EQ(testing::allocations, before);
  EXPECT_EQ(sum, 100.0);
}

TEST(FeatureMaps, OfAveragersAllocateNothing) {
  using namespace features;
  const Hats hats({{0, 1, 2}, {0, 5}});
  const TileCoding tiles({.low = {0, 0}, .high = {2, 5}, .tiles = {4, 4}});
  const NormalisedRadial radial({.centres = {0, 0, 1, 1, 2, 5}, .widths = {1, 1}});
  const Aggregation aggregation({0, 1, 0});
  ActiveFeatures active(8);
  std::vector<double> phi(tiles.dimension());
  const std::array x{0.5, 2.5};
  const long before = testing::allocations;
  double sum = 0.0;
  const auto use = [&](const auto& map, const auto& state) {
    map.write(state, std::span(phi).first(map.dimension()));
    map.write_active(state, active);
    sum += static_cast<double>(active.size());
  };
  for (int n = 0; n < 100; ++n) {
    use(hats, x);
    use(tiles, x);
    use(radial, x);
    use(aggregation, StateIndex{1});
  }
  EXPECT_EQ(testing::allocations, before);
  EXPECT_GE(sum, 1400.0);  // 4, 8, at least 1 and 1
}

TEST(TabularLearners, AllocateNothing) {
  const ChainSampler chain = machine();
  const Mdp model = library::machine_replacement();
  const MdpSampler sampler(model);
  learn::SynchronousValueIteration synchronous(10, AnyLoss::parse("expectile:0.9"), 0.9);
  learn::AsynchronousValueIteration asynchronous(10, AnyLoss::parse("mean"), 0.9);
  learn::QLearning q(model, AnyLoss::parse("soft-quantile:0.8,2"), 0.9);
  pcg64 bits(1);
  learn::Trajectory path(chain, learn::StartAt{StateIndex{0}}, bits);
  StateIndex x = 0;
  const long before = testing::allocations;
  for (int n = 0; n < 10'000; ++n) {
    (void)synchronous.sweep(chain, bits);
    const auto transition = path.step(bits);
    (void)asynchronous.update(transition.x, transition.cost, transition.next);
    (void)q.sweep(sampler, bits);
    x = q.step(sampler, x, learn::EpsilonGreedy(0.1), bits);
  }
  EXPECT_EQ(testing::allocations, before);
  EXPECT_EQ(q.status(), learn::LearnerStatus::ok);
}

/// A replication allocates at the start, and then nothing more, however long it is.
TEST(Runner, AllocatesNothingDuringIterations) {
  const ChainSampler chain = machine();
  const features::Tabular map(10);
  const features::Dense rows(Eigen::MatrixXd::Identity(10, 10));
  const learn::ErrorMetric metric{rows, std::vector<double>(10, 0.1)};
  const auto count = [&](std::uint64_t iterations) {
    const std::vector<std::uint64_t> record_at{iterations};
    learn::Replication run;
    learn::detail::Recorder recorder(metric, record_at, run);
    pcg64 bits(1);
    const learn::Td<AnyLoss> td(10, AnyLoss::parse("expectile:0.9"), 0.5);
    const long before = testing::allocations;
    learn::detail::replicate(td, learn::Trajectory(chain, learn::StartAt{StateIndex{0}}, bits), map,
                             bits, recorder);
    return testing::allocations - before;
  };
  EXPECT_EQ(count(10), count(10'000));
}

}  // namespace
}  // namespace shortfall
