#include "parallel/threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace shortfall::detail {
namespace {

constexpr std::size_t calls = 1000;

void expect_this_thread(std::thread::id thread) {
  EXPECT_EQ(std::this_thread::get_id(), thread);
}

TEST(ParallelFor, CallsEachIndexOnce) {
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{2}, calls}) {
    std::vector<std::atomic<int>> called(count);
    parallel_for(count, [&](std::size_t k) { ++called[k]; });
    for (const std::atomic<int>& times : called) EXPECT_EQ(times, 1);
  }
}

TEST(ParallelFor, PassesAnExceptionOn) {
  for (const std::size_t count : {std::size_t{1}, calls}) {
    const auto throws = [](std::size_t) { throw std::runtime_error("stop"); };
    EXPECT_THROW(parallel_for(count, throws), std::runtime_error);
    EXPECT_THROW(Workers(0).run([&] { parallel_for(count, throws); }), std::runtime_error);
  }
}

TEST(Workers, RunEverythingOnOneThreadIfAskedTo) {
  const std::thread::id here = std::this_thread::get_id();
  Workers(1).run([&] {
    expect_this_thread(here);
    parallel_for(calls, [&](std::size_t) {
      expect_this_thread(here);
      parallel_for(3, [&](std::size_t) { expect_this_thread(here); });
    });
  });
}

/// Also after workers inside these, and after an exception.
TEST(Workers, KeepTheirLoopsUntilTheyAreDone) {
  const std::thread::id here = std::this_thread::get_id();
  Workers(1).run([&] {
    const auto inner = [] { parallel_for(calls, [](std::size_t) { throw std::logic_error(""); }); };
    EXPECT_THROW(Workers(2).run(inner), std::logic_error);
    parallel_for(calls, [&](std::size_t) { expect_this_thread(here); });
  });
}

TEST(Workers, GiveTheSameSumForAnyNumberOfThreads) {
  std::vector<double> x(100000);
  std::iota(x.begin(), x.end(), 0.1);
  const auto sum = [&] {
    return parallel_reduce(
        x.size(), 1000, 0.0,
        [&](std::size_t first, std::size_t last) {
          return std::accumulate(x.data() + first, x.data() + last, 0.0);
        },
        [](double& a, double b) { a += b; });
  };
  const double expected = sum();
  for (const int threads : {1, 2, 8}) {
    Workers workers(threads);
    for (int i = 0; i < 3; ++i) workers.run([&] { EXPECT_EQ(sum(), expected); });
  }
}

}  // namespace
}  // namespace shortfall::detail
