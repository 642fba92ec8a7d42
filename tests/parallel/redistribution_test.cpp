#include "parallel/redistribution.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/parallel/thread_communicator.hpp"

namespace shortfall::testing {
namespace {

using detail::Communicator;
using detail::Redistribution;

/// All ways to give ten values to three ranks, in steps of two, some of which get none.
std::vector<std::vector<std::size_t>> divisions() {
  std::vector<std::vector<std::size_t>> all;
  for (std::size_t first = 0; first <= 10; first += 2) {
    for (std::size_t second = first; second <= 10; second += 2)
      all.push_back({0, first, second, 10});
  }
  return all;
}

TEST(Redistribution, GivesEachRankTheValuesItWants) {
  std::vector<double> all(10);
  std::iota(all.begin(), all.end(), 1.0);
  for (const auto& given : divisions()) {
    for (const auto& wanted : divisions()) {
      run_ranks(3, [&](Communicator& ranks) {
        const auto part = [&](const std::vector<std::size_t>& begin) {
          const std::size_t first = begin[ranks.rank()];
          return std::span(all).subspan(first, begin[ranks.rank() + 1] - first);
        };
        const Redistribution redistribute(ranks, given, wanted);
        std::vector<double> found(redistribute.wanted());
        for (int round = 0; round < 2; ++round) {
          std::ranges::fill(found, 0.0);
          redistribute(part(given), found);
          EXPECT_TRUE(std::ranges::equal(found, part(wanted)));
        }
      });
    }
  }
}

}  // namespace
}  // namespace shortfall::testing
