// Computations on several ranks and threads have the bits of those in one process.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "inventory/kernel/memory.hpp"
#include "shortfall/errors/error.hpp"
#include "tests/inventory/kernel/losses_for_tests.hpp"
#include "tests/inventory/train/training_for_tests.hpp"
#include "tests/parallel/thread_communicator.hpp"

namespace shortfall::inventory {
namespace on_ranks_test {

using namespace shortfall::testing;
using detail::Communicator;

void expect_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a[k]), std::bit_cast<std::uint64_t>(b[k]))
        << "element " << k << ": " << a[k] << " and " << b[k];
  }
}

void expect_same(const Solution& a, const Solution& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.policy, b.policy);
  EXPECT_EQ(a.iterations, b.iterations);
  expect_same_bits(a.values, b.values);
  expect_same_bits({a.error_bound}, {b.error_bound});
  ASSERT_EQ(a.trace.size(), b.trace.size());
  for (std::size_t k = 0; k < a.trace.size(); ++k) {
    expect_same_bits({a.trace[k].residual, a.trace[k].error_bound},
                     {b.trace[k].residual, b.trace[k].error_bound});
  }
}

struct Setting {
  std::size_t ranks;
  int threads;
};
const std::vector<Setting> some_settings = {{2, 1}, {3, 2}, {4, 1}};
const std::vector<Setting> all_settings = {{1, 1}, {1, 2}, {2, 1}, {2, 2},
                                           {3, 1}, {3, 2}, {4, 1}, {4, 2}};

/// All that can be computed, on ranks and without.
void expect_the_bits_of_one_process(const Model& model, const Criterion& criterion,
                                    const std::vector<Setting>& settings = some_settings) {
  SCOPED_TRACE(criterion.loss.to_string());
  const SolverOptions options{.tolerance = 1e-7};
  const SolverOptions rough{.tolerance = 0.5};
  const Solution optimum = solve(model, criterion, options);
  const Policy myopic = myopic_policy(model, criterion);
  const Solution of_myopic = evaluate(model, criterion, myopic, options);
  const Solution published = solve_as_published(model, criterion, rough);
  const Solution of_published = evaluate_as_published(model, criterion, myopic, rough);
  const Policy greedy = greedy_policy(model, criterion, of_myopic.values);
  for (const auto& [ranks, threads_of_each] : settings) {
    // clang 14 captures no structured bindings.
    run_ranks(ranks, [&, threads = threads_of_each](Communicator& communicator) {
      const Execution execution{.threads = threads, .processes = &communicator};
      expect_same(solve(model, criterion, options, execution), optimum);
      EXPECT_EQ(myopic_policy(model, criterion, execution), myopic);
      expect_same(evaluate(model, criterion, myopic, options, execution), of_myopic);
      EXPECT_EQ(greedy_policy(model, criterion, of_myopic.values, execution), greedy);
      expect_same(solve_as_published(model, criterion, rough, execution), published);
      expect_same(evaluate_as_published(model, criterion, myopic, rough, execution), of_published);
    });
  }
}

TEST(OnRanks, EveryLossHasTheBitsOfOneProcess) {
  const Model model = paper_model(3, paper_costs, 8);
  expect_the_bits_of_one_process(model, expectile(0.2), all_settings);
  for (const char* const loss :
       {"mean", "expectile:0.999", "entropic:0.05", "truncated-entropic:0.1,20",
        "soft-quantile:0.9,0.5", "piecewise:-1:-1,0:0,1:3"}) {
    expect_the_bits_of_one_process(model, {AnyLoss::parse(loss), 0.6});
  }
  expect_the_bits_of_one_process(model, {CustomLoss(Wavy()), 0.6});
}

TEST(OnRanks, AWeekHasTheBitsOfOneProcess) {
  const Model model = week_of(Arrival::shares({0.2, 0.3, 0.5}), 5);
  for (const char* const loss : {"mean", "expectile:0.8", "soft-quantile:0.9,0.5"}) {
    expect_the_bits_of_one_process(model, {AnyLoss::parse(loss), 0.8});
  }
}

/// Orders of four units and more have coarse deliveries; see coarse_passes_test.cpp.
TEST(OnRanks, CoarsePassesHaveTheBitsOfOneProcess) {
  expect_the_bits_of_one_process(paper_model(8, paper_costs, 5), expectile(0.9), all_settings);
  expect_the_bits_of_one_process(week_of(studies::platelets_arrival(8), 4), expectile(0.3));
}

/// Shelf lives 1 to 4, weeks, closed days, and fewer states than ranks.
TEST(OnRanks, RandomModelsHaveTheBitsOfOneProcess) {
  pcg64 bits(71);
  for (int k = 0; k < 8; ++k) {
    const Model model = random_model(bits);
    expect_the_bits_of_one_process(model, {k % 2 == 0 ? AnyLoss(Expectile(0.7)) : Mean(), 0.9});
  }
}

/// A given start takes other branches, and so does a tolerance that cannot be reached.
TEST(OnRanks, OtherOptionsHaveTheBitsOfOneProcess) {
  const Model model = paper_model(8, paper_costs, 5);
  const Criterion criterion = expectile(0.9);
  const std::vector<double> start(model.states(), 40.0);
  for (const SolverOptions& options :
       {SolverOptions{.tolerance = 1e-6, .start = start}, SolverOptions{.tolerance = 1e-300},
        SolverOptions{.max_iterations = 1}}) {
    const Solution optimum = solve(model, criterion, options);
    const Policy orders = base_stock_policy(model, 4);
    const Solution of_orders = evaluate(model, criterion, orders, options);
    run_ranks(3, [&](Communicator& communicator) {
      const Execution execution{.processes = &communicator};
      expect_same(solve(model, criterion, options, execution), optimum);
      expect_same(evaluate(model, criterion, orders, options, execution), of_orders);
    });
  }
}

using Solver = std::function<Solution(const SolverOptions&, const Execution&)>;

/// One rank of three has a monitor, which asks to stop at its n-th call. All ranks then have the
/// same result, whose bound holds, wherever the request came.
void expect_all_ranks_stop(const Solution& exact, const Solver& solver) {
  bool is_stopped = true;
  std::size_t certified = 0;
  std::size_t calls = 0;
  for (std::size_t limit = 1; is_stopped; limit += 1 + calls / 8) {
    std::vector<Solution> found(3);
    calls = 0;
    run_ranks(3, [&](Communicator& communicator) {
      Execution execution{.threads = 1, .processes = &communicator};
      if (communicator.rank() == 1) {
        execution.monitor = [&](const Progress&) {
          return ++calls < limit ? Request::proceed : Request::stop;
        };
      }
      found[communicator.rank()] = solver({.tolerance = 1e-7}, execution);
    });
    is_stopped = found[1].status == Status::stopped;
    EXPECT_LE(calls, limit);
    expect_same(found[0], found[1]);
    expect_same(found[2], found[1]);
    ASSERT_EQ(found[0].values.size(), exact.values.size());
    if (!std::isfinite(found[0].error_bound)) continue;
    ++certified;
    for (std::size_t x = 0; x < exact.values.size(); ++x) {
      ASSERT_LE(std::abs(found[0].values[x] - exact.values[x]),
                found[0].error_bound + exact.error_bound);
    }
  }
  EXPECT_GE(certified, 2);
}

TEST(OnRanks, ARequestToStopOnOneStopsAll) {
  for (const Model& model : {paper_model(3, paper_costs, 9), paper_model(8, paper_costs, 4)}) {
    const Criterion criterion = expectile(0.8);
    const Solution optimum = solve(model, criterion, {.tolerance = 1e-9});
    expect_all_ranks_stop(optimum, [&](const SolverOptions& options, const Execution& execution) {
      return solve(model, criterion, options, execution);
    });
    const Policy orders = base_stock_policy(model, 4);
    const Solution value = evaluate(model, criterion, orders, {.tolerance = 1e-9});
    expect_all_ranks_stop(value, [&](const SolverOptions& options, const Execution& execution) {
      return evaluate(model, criterion, orders, options, execution);
    });
  }
}

TEST(OnRanks, AMyopicPolicyIsEmptyIfOneIsStopped) {
  const Model model = paper_model(3);
  run_ranks(2, [&](Communicator& communicator) {
    Execution execution{.processes = &communicator};
    if (communicator.rank() == 1) execution.monitor = [](const Progress&) { return Request::stop; };
    EXPECT_TRUE(myopic_policy(model, expectile(0.7), execution).empty());
  });
}

TEST(MemoryPerRank, IsRefusedOnAllRanks) {
  const Model model = paper_model(8, paper_costs, 60);
  EXPECT_THAT(
      [&] {
        run_ranks(2, [&](Communicator& communicator) {
          (void)solve(model, expectile(0.9), {}, {.processes = &communicator});
        });
      },
      ::testing::ThrowsMessage<InvalidInput>(
          ::testing::AllOf(::testing::HasSubstr("shelf life 8 with capacity 60 needs"),
                           ::testing::HasSubstr("on each of 2 ranks; accepted: at most the"),
                           ::testing::HasSubstr("fewer ranks on a machine"))));
}

/// What is known about orders is divided: for 21 orders 104 bytes per state, of which one of two
/// ranks has at most three fifths. To gather values, it needs 8 bytes more.
TEST(MemoryPerRank, IsLessThanThatOfOneProcess) {
  const Model model = paper_model(8);
  const auto states = static_cast<double>(model.states());
  EXPECT_EQ(memory_per_rank(model, 1), memory_needed(model));
  const double of_two = memory_per_rank(model, 2);
  EXPECT_DOUBLE_EQ(of_two, memory_needed(model) + (8.0 - 0.4 * 104.0) * states);
  EXPECT_LT(memory_per_rank(model, 16), of_two);
}

}  // namespace on_ranks_test
}  // namespace shortfall::inventory
