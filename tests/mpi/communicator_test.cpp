// Run by mpirun on three ranks: every rank runs all tests, so that they meet in collectives. What
// is expected is computed by each rank for itself, from what it knows of the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

#include "mpi/mpi_communicator.hpp"

namespace shortfall::mpi {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

/// With all elements in one call of MPI, and with few, as if there were more than an int can count.
class EveryCount : public ::testing::TestWithParam<std::size_t> {
 protected:
  std::size_t rank() const { return ranks_.rank(); }
  std::size_t size() const { return ranks_.size(); }

  MpiCommunicator ranks_{MPI_COMM_WORLD, GetParam()};
};

std::vector<double> numbers_of(std::size_t rank, std::size_t count) {
  std::mt19937_64 random(rank + 1);
  std::vector<double> numbers(count);
  for (double& x : numbers) x = std::ldexp(static_cast<double>(random() >> 11) - 0x1p52, -40);
  return numbers;
}

TEST_P(EveryCount, MaximaAreThoseOfAllRanks) {
  std::vector<double> numbers = numbers_of(rank(), 100);
  ranks_.max(numbers);
  std::vector<double> expected = numbers_of(0, 100);
  for (std::size_t r = 1; r < size(); ++r) {
    const std::vector<double> other = numbers_of(r, 100);
    for (std::size_t i = 0; i < 100; ++i) expected[i] = std::max(expected[i], other[i]);
  }
  EXPECT_THAT(numbers, ElementsAreArray(expected));
  const double first = numbers_of(rank(), 1)[0];
  double least = first;
  for (std::size_t r = 0; r < size(); ++r) least = std::min(least, numbers_of(r, 1)[0]);
  EXPECT_EQ(ranks_.min(first), least);
}

TEST_P(EveryCount, InfinityAndTheSignOfZeroArePartOfAMaximum) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bool is_last = rank() + 1 == size();
  std::vector<double> numbers = {is_last ? infinity : 1e308,
                                 is_last ? -1e308 : -infinity,
                                 is_last ? 0.0 : -0.0,
                                 is_last ? -0.0 : 0.0,
                                 -0.0,
                                 rank() == 0 ? -5e-324 : -0.0};
  ranks_.max(numbers);
  EXPECT_EQ(numbers[0], infinity);
  EXPECT_EQ(numbers[1], -1e308);
  for (const std::size_t i : {2u, 3u}) EXPECT_EQ(std::bit_cast<std::uint64_t>(numbers[i]), 0) << i;
  for (const std::size_t i : {4u, 5u}) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(numbers[i]), std::uint64_t{1} << 63) << i;
  }
}

TEST_P(EveryCount, AnyAndAllAskEveryRank) {
  for (std::size_t r = 0; r < size(); ++r) {
    EXPECT_TRUE(ranks_.any(rank() == r));
    EXPECT_FALSE(ranks_.all(rank() != r));
  }
  EXPECT_FALSE(ranks_.any(false));
  EXPECT_TRUE(ranks_.all(true));
}

TEST_P(EveryCount, SumsHave64Bits) {
  std::vector<std::uint64_t> counts(50);
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = (std::uint64_t{1} << 40) * i + rank();
  ranks_.sum(counts);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    EXPECT_EQ(counts[i], (std::uint64_t{1} << 40) * i * size() + size() * (size() - 1) / 2);
  }
}

/// Parts of different sizes, the first one empty.
TEST_P(EveryCount, GatherCopiesEveryPartToEveryRank) {
  std::vector<std::size_t> begin = {0};
  for (std::size_t r = 0; r < size(); ++r) begin.push_back(begin.back() + 37 * r * r);
  std::vector<std::uint32_t> expected(begin.back());
  std::iota(expected.begin(), expected.end(), 7u);
  std::vector<std::uint32_t> whole(begin.back(), 0u);
  std::copy(expected.begin() + static_cast<std::ptrdiff_t>(begin[rank()]),
            expected.begin() + static_cast<std::ptrdiff_t>(begin[rank() + 1]),
            whole.begin() + static_cast<std::ptrdiff_t>(begin[rank()]));
  ranks_.gather(std::span(whole), begin);
  EXPECT_THAT(whole, ElementsAreArray(expected));
}

std::vector<std::byte> letter(std::size_t from, std::size_t to) {
  std::vector<std::byte> bytes((from == 0 ? 0 : 100 * from) + to);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(i * 31 + from * 7 + to);
  }
  return bytes;
}

TEST_P(EveryCount, TradeDeliversEachLetter) {
  std::vector<std::vector<std::byte>> letters;
  for (std::size_t r = 0; r < size(); ++r) letters.push_back(letter(rank(), r));
  const auto received = ranks_.all_to_all(letters);
  ASSERT_EQ(received.size(), size());
  for (std::size_t r = 0; r < size(); ++r) EXPECT_EQ(received[r], letter(r, rank())) << r;
}

/// Rank r has 20 + r values, and reads some of them of every other rank, some twice; the last rank
/// reads nothing, and nobody reads from rank 1.
detail::HaloPlan plan_of(std::size_t rank, std::size_t size) {
  detail::HaloPlan plan;
  for (std::size_t owner = 0; owner < size && rank + 1 < size; ++owner) {
    if (owner == rank || owner == 1) continue;
    for (std::size_t k = 0; k < 15; ++k) {
      plan.owner.push_back(static_cast<std::uint32_t>(owner));
      plan.index.push_back(static_cast<std::uint32_t>((k * 13 + rank) % (20 + owner)));
    }
  }
  return plan;
}

/// The halo of ranks before this one, and after it, apart from each other.
struct Halo {
  explicit Halo(const detail::HaloPlan& plan, std::size_t rank)
      : before(static_cast<std::size_t>(
            std::ranges::count_if(plan.owner, [&](std::uint32_t owner) { return owner < rank; }))),
        after(plan.owner.size() - before.size()) {}
  double operator[](std::size_t k) const {
    return k < before.size() ? before[k] : after[k - before.size()];
  }

  std::vector<double> before;
  std::vector<double> after;
};

double value_of(std::size_t rank, std::size_t index, int time) {
  return static_cast<double>(1000 * rank + index) + 0.25 * time;
}

TEST_P(EveryCount, AHaloHasTheNewestValuesOfTheOthers) {
  const detail::HaloPlan plan = plan_of(rank(), size());
  const auto exchange = ranks_.plan_exchange(plan);
  std::vector<double> own(20 + rank());
  Halo halo(plan, rank());
  for (int time = 0; time < 20; ++time) {
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = value_of(rank(), i, time);
    exchange->start(own, halo.before, halo.after);
    exchange->finish();
    for (std::size_t k = 0; k < plan.owner.size(); ++k) {
      ASSERT_EQ(halo[k], value_of(plan.owner[k], plan.index[k], time)) << k;
    }
  }
}

/// An exchange that an exception interrupts is completed, if all ranks have begun it.
TEST_P(EveryCount, AnExchangeMayBeLeftUnfinished) {
  const detail::HaloPlan plan = plan_of(rank(), size());
  std::vector<double> own(20 + rank(), 1.0);
  Halo halo(plan, rank());
  ranks_.plan_exchange(plan)->start(own, halo.before, halo.after);
  EXPECT_THAT(halo.before, ::testing::Each(1.0));
  EXPECT_THAT(halo.after, ::testing::Each(1.0));
}

INSTANTIATE_TEST_SUITE_P(Counts, EveryCount, ::testing::Values(7, MpiCommunicator::largest_count));

TEST(MpiCommunicator, AgreesWithOneProcessOnOneRank) {
  MpiCommunicator alone(MPI_COMM_SELF);
  EXPECT_EQ(alone.rank(), 0);
  EXPECT_EQ(alone.size(), 1);
  std::vector<double> numbers = {-0.0, 3.0};
  alone.max(numbers);
  EXPECT_THAT(numbers, ElementsAre(-0.0, 3.0));
  EXPECT_TRUE(std::signbit(numbers[0]));
  EXPECT_EQ(alone.sum(std::uint64_t{5}), 5);
  const std::vector<std::vector<std::byte>> letters(1, letter(1, 2));
  EXPECT_EQ(alone.all_to_all(letters), letters);
}

TEST(MpiCommunicator, FailuresOfMpiAreExceptions) {
  EXPECT_THROW(MpiCommunicator(MPI_COMM_NULL), std::runtime_error);
}

}  // namespace
}  // namespace shortfall::mpi
