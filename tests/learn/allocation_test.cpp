// Updates allocate nothing: counted, over inversions and flushes, for every loss.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "learn/transitions_for_tests.hpp"
#include "risk/losses_for_tests.hpp"
#include "shortfall/learn/averaged.hpp"
#include "shortfall/learn/newton.hpp"
#include "shortfall/learn/td.hpp"
#include "shortfall/learn/td_lambda.hpp"

namespace {
std::atomic<long> allocations{0};

void* counted(void* memory) {
  ++allocations;
  if (memory != nullptr) return memory;
  throw std::bad_alloc();
}
}  // namespace

// Not inlined: GCC would see malloc behind `new` and free behind `delete` and call them mismatched.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return counted(std::malloc(size));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto bytes = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(bytes, (size + bytes - 1) / bytes * bytes));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace shortfall::learn {
namespace {

template <class A>
void expect_no_allocation(A learner, std::uint64_t updates) {
  const std::size_t d = learner.dimension();
  testing::RandomTransitions one(d, 1);
  testing::RandomTransitions other(d, 2);
  one.advance();
  other.advance();
  const long before = allocations;
  double sum = 0.0;
  for (std::uint64_t n = 0; n < updates; ++n) {
    const auto& stream = n % 3 == 0 ? one : other;
    (void)learner.update(stream.phi(), stream.cost(), stream.phi_next());
    (void)learner.update_terminal(stream.phi_next(), 1.0);
    sum += learner.value(stream.phi());
  }
  EXPECT_EQ(allocations, before);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(Learners, AllocateNothing) {
  const PolynomialStep step(0.01, 100.0, 1.0);
  for (const std::size_t d : {1u, 10u, 150u}) {
    for (const AnyLoss& loss : testing::all_losses()) {
      expect_no_allocation(Td<AnyLoss>(d, loss, 0.5, step), 100);
      expect_no_allocation(TdLambda<AnyLoss>(d, loss, 0.5, 0.9, step), 100);
      expect_no_allocation(Averaged(Td<AnyLoss>(d, loss, 0.5, step), 10), 100);
    }
  }
}

TEST(Newton, AllocatesNothingWhenItInvertsEither) {
  for (const std::size_t d : {1u, 3u}) {
    Newton<AnyLoss> newton(d, AnyLoss::parse("expectile:0.9"), 0.5,
                           {.warmup = d, .refactor_every = 5});
    expect_no_allocation(newton, 500);
  }
}

}  // namespace
}  // namespace shortfall::learn
