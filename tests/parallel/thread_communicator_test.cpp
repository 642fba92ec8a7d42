#include "tests/parallel/thread_communicator.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace shortfall::testing {
namespace {

using detail::Communicator;

TEST(Ranks, CombineWhatEachOfThemHas) {
  for (const std::size_t size : {1u, 2u, 3u, 5u}) {
    run_ranks(size, [&](Communicator& ranks) {
      const auto here = static_cast<double>(ranks.rank());
      const auto last = static_cast<double>(size - 1);
      EXPECT_EQ(ranks.size(), size);
      EXPECT_EQ(ranks.max(here), last);
      EXPECT_EQ(ranks.min(here), 0.0);
      EXPECT_EQ(ranks.sum(ranks.rank() + 1), size * (size + 1) / 2);
      EXPECT_TRUE(ranks.any(here == last));
      EXPECT_FALSE(ranks.any(false));
      EXPECT_TRUE(ranks.all(true));
      EXPECT_EQ(ranks.all(here == 0.0), size == 1);
      std::array<double, 2> numbers{here, -here};
      ranks.max(numbers);
      EXPECT_EQ(numbers, (std::array<double, 2>{last, 0.0}));
    });
  }
}

/// Rank r has r elements, so that the first has none.
TEST(Ranks, GatherPartsOfDifferentSizes) {
  constexpr std::size_t size = 4;
  const std::vector<std::size_t> begin{0, 0, 1, 3, 6};
  std::vector<int> all(6);
  std::iota(all.begin(), all.end(), 10);
  run_ranks(size, [&](Communicator& ranks) {
    std::vector<int> whole(all.size(), -1);
    for (std::size_t k = begin[ranks.rank()]; k < begin[ranks.rank() + 1]; ++k) whole[k] = all[k];
    ranks.gather(std::span(whole), begin);
    EXPECT_EQ(whole, all);
  });
}

TEST(Ranks, GatherOnTheFirst) {
  run_ranks(4, [&](Communicator& ranks) {
    const std::vector<int> own(ranks.rank(), static_cast<int>(ranks.rank()));
    const std::vector<int> all = ranks.gather_on_first<int>(own);
    const bool is_first = ranks.rank() == 0;
    EXPECT_EQ(all, is_first ? std::vector<int>({1, 2, 2, 3, 3, 3}) : std::vector<int>());
  });
  run_ranks(1, [&](Communicator& ranks) {
    EXPECT_EQ(ranks.gather_on_first<int>(std::vector<int>{5, 6}), (std::vector<int>{5, 6}));
  });
}

TEST(Ranks, TradeAMessageWithEachOther) {
  run_ranks(3, [&](Communicator& ranks) {
    std::vector<std::vector<std::byte>> sent(3);
    for (std::size_t r = 0; r < 3; ++r) sent[r].assign(r, std::byte(10 * ranks.rank() + r));
    const auto received = ranks.all_to_all(sent);
    ASSERT_EQ(received.size(), 3);
    for (std::size_t r = 0; r < 3; ++r) {
      EXPECT_EQ(received[r],
                std::vector<std::byte>(ranks.rank(), std::byte(10 * r + ranks.rank())));
    }
  });
}

/// Each rank has two values and reads the second one of every other rank.
TEST(Ranks, ExchangeWhatTheyReadOfOthers) {
  run_ranks(3, [&](Communicator& ranks) {
    detail::HaloPlan plan;
    for (std::uint32_t r = 0; r < 3; ++r) {
      if (r == ranks.rank()) continue;
      plan.owner.push_back(r);
      plan.index.push_back(1);
    }
    const auto exchange = ranks.plan_exchange(plan);
    for (double round = 0.0; round < 3.0; ++round) {
      const std::array<double, 2> own{-1.0, 10.0 * round + static_cast<double>(ranks.rank())};
      std::array<double, 2> halo{};
      const std::span<double> both(halo);
      exchange->start(own, both.first(ranks.rank()), both.subspan(ranks.rank()));
      exchange->finish();
      EXPECT_EQ(halo[0], 10.0 * round + (ranks.rank() == 0 ? 1.0 : 0.0));
      EXPECT_EQ(halo[1], 10.0 * round + (ranks.rank() == 2 ? 1.0 : 2.0));
    }
  });
}

TEST(Ranks, ThatCallDifferentThingsAreToldSo) {
  EXPECT_THROW(run_ranks(2,
                         [](Communicator& ranks) {
                           if (ranks.rank() == 0) (void)ranks.max(1.0);
                           if (ranks.rank() == 1) (void)ranks.sum(std::uint64_t{1});
                         }),
               RanksDisagree);
  EXPECT_THROW(run_ranks(2,
                         [](Communicator& ranks) {
                           std::vector<double> numbers(1 + ranks.rank());
                           ranks.max(std::span(numbers));
                         }),
               RanksDisagree);
  EXPECT_THROW(run_ranks(3,
                         [](Communicator& ranks) {
                           if (ranks.rank() != 1) (void)ranks.any(true);
                         }),
               RanksDisagree);
}

TEST(Ranks, ThrowWhatOneOfThemHasThrown) {
  EXPECT_THROW(run_ranks(3,
                         [](Communicator& ranks) {
                           if (ranks.rank() == 1) throw std::domain_error("of rank 1");
                           (void)ranks.any(true);
                         }),
               std::domain_error);
}

}  // namespace
}  // namespace shortfall::testing
