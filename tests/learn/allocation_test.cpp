// Updates allocate nothing: counted, including inversions and flushes, for every loss.
#include <gtest/gtest.h>

#include "shortfall/learn/averaged.hpp"
#include "shortfall/learn/averager_newton.hpp"
#include "shortfall/learn/averager_td.hpp"
#include "shortfall/learn/newton.hpp"
#include "shortfall/learn/td.hpp"
#include "shortfall/learn/td_lambda.hpp"
#include "tests/counted_allocations.hpp"
#include "tests/learn/averagers_for_tests.hpp"
#include "tests/learn/transitions_for_tests.hpp"
#include "tests/risk/losses_for_tests.hpp"
#include "tests/sanitized.hpp"

namespace shortfall::learn {
namespace {

constexpr std::size_t many = testing::is_sanitized() ? 33 : 150;  // no multiple of 4

template <class A>
void expect_no_allocation(A learner, std::uint64_t updates) {
  testing::RandomTransitions stream(learner.dimension());
  const long before = testing::allocations;
  for (std::uint64_t n = 0; n < updates; ++n) {
    stream.advance();
    learner.update(stream.phi(), stream.cost(), stream.phi_next());
    learner.update_terminal(stream.phi_next(), 1.0);
    if (learner.status() != LearnerStatus::diverged) (void)learner.value(stream.phi());
  }
  EXPECT_EQ(testing::allocations, before);
}

TEST(Learners, AllocateNothing) {
  const PolynomialStep step(0.01, 100.0, 1.0);
  for (const std::size_t d : {std::size_t{1}, std::size_t{10}, many}) {
    for (const AnyLoss& loss : testing::all_losses()) {
      expect_no_allocation(Td<AnyLoss>(d, loss, 0.5, step), 100);
      expect_no_allocation(TdLambda<AnyLoss>(d, loss, 0.5, 0.9, step), 100);
      expect_no_allocation(Averaged(Td<AnyLoss>(d, loss, 0.5, step), 10), 100);
      expect_no_allocation(Td<AnyLoss>(d, loss, 0.5), 300);
      expect_no_allocation(TdLambda<AnyLoss>(d, loss, 0.5, 0.9), 300);
    }
  }
}

TEST(Newton, AllocatesNothingWhenItInverts) {
  for (const std::size_t d : {std::size_t{1}, std::size_t{3}, many}) {
    for (const AnyLoss& loss : testing::all_losses()) {
      expect_no_allocation(Newton<AnyLoss>(d, loss, 0.5, {.warmup = d, .refactor_every = 50}), 200);
    }
    // Slopes are judged from 32 batches on.
    expect_no_allocation(Newton<AnyLoss>(d, Expectile(0.9), 0.5, {.warmup = d}), 700);
  }
}

template <class A>
void expect_averager_allocates_nothing(A learner, std::uint64_t updates) {
  testing::RandomCells stream(learner.dimension(), 3);
  const long before = testing::allocations;
  for (std::uint64_t n = 0; n < updates; ++n) {
    stream.advance();
    learner.update(stream.phi(), stream.cost(), stream.phi_next());
    learner.update(stream.sparse(), stream.cost(), stream.sparse_next(), stream.weight());
    learner.update_terminal(stream.sparse_next(), 1.0);
    if (learner.status() != LearnerStatus::diverged) (void)learner.value(stream.sparse());
  }
  EXPECT_EQ(testing::allocations, before);
}

TEST(Averagers, AllocateNothing) {
  for (const std::size_t d : {std::size_t{1}, std::size_t{10}, many}) {
    for (const AnyLoss& loss : testing::all_losses()) {
      const AveragerTd<AnyLoss> td(d, loss, 0.5, PolynomialStep(0.01, 100.0, 1.0));
      expect_averager_allocates_nothing(td, 100);
      expect_averager_allocates_nothing(Averaged(td, 10), 100);
      expect_averager_allocates_nothing(
          AveragerNewton<AnyLoss>(d, loss, 0.5, {.warmup = d, .refactor_every = 50}), 100);
    }
  }
}

}  // namespace
}  // namespace shortfall::learn
