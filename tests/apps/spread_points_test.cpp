// Which rank computes which point of a sweep, with threads as ranks.
#include "apps/shortfall/spread_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "installation.hpp"
#include "shortfall/error.hpp"
#include "shortfall/formats/inventory_toml.hpp"
#include "tests/parallel/thread_communicator.hpp"

namespace shortfall::testing {
namespace spread_points {

using app::InventoryPoint;
using app::PointResult;
using app::Processes;
using app::SpreadPoints;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<InventoryPoint> some_points(std::size_t count) {
  const io::InventoryConfiguration plan =
      io::InventoryToml(SHORTFALL_EXAMPLES "/platelets3.toml").configuration();
  return std::vector<InventoryPoint>(count, {{}, plan});
}

/// The ranks that computed each point, and what the first got.
struct Spread {
  std::vector<std::vector<std::size_t>> ranks_of_point;
  std::vector<PointResult> results;
};

Spread spread(std::size_t ranks_in_all, std::size_t points, bool together = false) {
  Spread found{std::vector<std::vector<std::size_t>>(points), {}};
  const std::vector<InventoryPoint> sweep = some_points(points);
  std::mutex mutex;
  run_ranks(ranks_in_all, [&](detail::Communicator& ranks) {
    SpreadPoints spread_points(sweep, Processes(ranks, 1));
    if (together) spread_points.keep_together();
    auto results = spread_points.on_first(points, [&](std::size_t k) {
      const std::lock_guard lock(mutex);
      found.ranks_of_point[k].push_back(ranks.rank());
      PointResult result;
      result.outcomes = {{Status::converged, 0.1 * static_cast<double>(k)}};
      result.document = {{"point", k}};
      result.rows = {{std::to_string(k), "x"}};
      result.note = "note " + std::to_string(k);
      return result;
    });
    if (ranks.rank() == 0) found.results = std::move(results);
  });
  return found;
}

TEST(SpreadPoints, EachPointIsComputedOnceByOneRank) {
  const Spread found = spread(3, 7);
  EXPECT_THAT(found.ranks_of_point,
              ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2), ElementsAre(0),
                          ElementsAre(1), ElementsAre(2), ElementsAre(0)));
}

TEST(SpreadPoints, TheFirstRankGetsAllResultsInOrder) {
  const Spread found = spread(3, 7);
  ASSERT_EQ(found.results.size(), 7u);
  for (std::size_t k = 0; k < 7; ++k) {
    const PointResult& result = found.results[k];
    EXPECT_EQ(result.document, nlohmann::json({{"point", k}}));
    EXPECT_EQ(result.note, "note " + std::to_string(k));
    EXPECT_THAT(result.rows, ElementsAre(ElementsAre(std::to_string(k), "x")));
    ASSERT_EQ(result.outcomes.size(), 1u);
    EXPECT_EQ(result.outcomes[0].error_bound, 0.1 * static_cast<double>(k));
    EXPECT_THAT(result.refused, IsEmpty());
  }
}

TEST(SpreadPoints, AllRanksComputeTogetherWhatCannotBeSpread) {
  EXPECT_THAT(spread(3, 2).ranks_of_point, Each(::testing::UnorderedElementsAre(0, 1, 2)));
  EXPECT_THAT(spread(3, 7, true).ranks_of_point, Each(::testing::UnorderedElementsAre(0, 1, 2)));
}

TEST(SpreadPoints, TheFirstRefusedPointIsReportedWhoeverComputedIt) {
  const std::vector<InventoryPoint> sweep = some_points(6);
  std::string message;
  run_ranks(3, [&](detail::Communicator& ranks) {
    const SpreadPoints points(sweep, Processes(ranks, 1));
    try {
      points.on_first(6, [](std::size_t k) -> PointResult {
        if (k == 2 || k == 3) throw InvalidInput("point " + std::to_string(k));
        return {};
      });
      ADD_FAILURE() << "accepted";
    } catch (const InvalidInput& error) {
      message = error.what();
    } catch (const app::FailedElsewhere&) {
      EXPECT_NE(ranks.rank(), 0u);
    }
  });
  EXPECT_EQ(message, "point 2");
}

}  // namespace spread_points
}  // namespace shortfall::testing
