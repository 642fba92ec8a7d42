// The points of a sweep on several ranks, with threads as ranks.
#include "apps/shortfall/spread_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <string>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "tests/formats/inventory_for_tests.hpp"
#include "tests/parallel/thread_communicator.hpp"

namespace shortfall::testing {
namespace spread_points {

using app::FailedElsewhere;
using app::InventoryPoint;
using app::PointResult;
using app::Processes;
using app::SpreadPoints;

/// The small inventory at seven discount factors.
std::vector<InventoryPoint> seven_points() {
  std::vector<InventoryPoint> points;
  for (const char* const gamma : {"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"}) {
    io::InventoryToml small(io::small_inventory, "small.toml");
    small.set(std::string("risk.gamma=") + gamma);
    points.push_back({{}, small.configuration()});
  }
  return points;
}

PointResult solve(const InventoryPoint& point, const Processes& processes) {
  const Solution solution =
      inventory::solve(point.configuration.model, point.configuration.criterion, {},
                       {.threads = 2, .processes = &processes.communicator()});
  return {.outcomes = {{solution.status, solution.error_bound}},
          .document = solution.values,
          .rows = {{std::to_string(solution.iterations)}},
          .note = "",
          .refused = ""};
}

/// Every rank solves its own points at the same time as the others, on two threads.
TEST(SpreadPoints, HaveTheResultsOfOneProcessInOrder) {
  const std::vector<InventoryPoint> points = seven_points();
  std::vector<PointResult> expected;
  for (const InventoryPoint& point : points) expected.push_back(solve(point, {}));
  for (const std::size_t size : {1u, 2u, 3u, 7u, 8u}) {  // eight compute each point together
    std::atomic<std::size_t> computed = 0;
    run_ranks(size, [&](detail::Communicator& ranks) {
      const Processes processes(ranks, 1);
      const SpreadPoints spread(points, processes);
      const auto results = spread.on_first(points.size(), [&](std::size_t k) {
        ++computed;
        return solve(points[k], spread.for_a_point());
      });
      if (!processes.is_first()) return;
      ASSERT_EQ(results.size(), points.size());
      for (std::size_t k = 0; k < points.size(); ++k) {
        EXPECT_EQ(results[k].document, expected[k].document);
        EXPECT_EQ(results[k].rows, expected[k].rows);
        ASSERT_EQ(results[k].outcomes.size(), 1u);
        EXPECT_EQ(results[k].outcomes[0].status, expected[k].outcomes[0].status);
        EXPECT_EQ(results[k].outcomes[0].error_bound, expected[k].outcomes[0].error_bound);
      }
    });
    EXPECT_EQ(computed, points.size() * (size == 8 ? size : 1));
  }
}

/// Points 2 and 4 are refused, by different ranks: the message is that of point 2.
TEST(SpreadPoints, ReportTheFirstPointThatIsRefused) {
  const std::vector<InventoryPoint> points = seven_points();
  for (const std::size_t size : {1u, 3u, 5u}) {
    std::atomic<std::size_t> refused = 0;
    run_ranks(size, [&](detail::Communicator& ranks) {
      const Processes processes(ranks, 1);
      const SpreadPoints spread(points, processes);
      try {
        spread.on_first(points.size(), [&](std::size_t k) -> PointResult {
          if (k == 2 || k == 4) throw InvalidInput("point " + std::to_string(k));
          return {};
        });
        ADD_FAILURE() << "not refused on rank " << ranks.rank();
      } catch (const InvalidInput& error) {
        EXPECT_EQ(ranks.rank(), 0u);
        EXPECT_STREQ(error.what(), "point 2");
        ++refused;
      } catch (const FailedElsewhere&) {
        EXPECT_NE(ranks.rank(), 0u);
        ++refused;
      }
    });
    EXPECT_EQ(refused, size);
  }
}

/// Bounds that are infinite arrive as such.
TEST(SpreadPoints, KeepEveryBitOfANumber) {
  const std::vector<InventoryPoint> points = seven_points();
  const double infinity = std::numeric_limits<double>::infinity();
  run_ranks(4, [&](detail::Communicator& ranks) {
    const Processes processes(ranks, 1);
    const SpreadPoints spread(points, processes);
    const auto results = spread.on_first(points.size(), [&](std::size_t k) -> PointResult {
      return {.outcomes = {{Status::stopped, infinity}, {Status::converged, 0.1 / double(k + 1)}},
              .document = 0.1 * double(k),
              .rows = {},
              .note = "note",
              .refused = ""};
    });
    if (!processes.is_first()) return;
    for (std::size_t k = 0; k < points.size(); ++k) {
      EXPECT_EQ(results[k].outcomes.at(0).error_bound, infinity);
      EXPECT_EQ(results[k].outcomes.at(0).status, Status::stopped);
      EXPECT_EQ(results[k].outcomes.at(1).error_bound, 0.1 / double(k + 1));
      EXPECT_EQ(results[k].document, 0.1 * double(k));
      EXPECT_EQ(results[k].note, "note");
    }
  });
}

}  // namespace spread_points
}  // namespace shortfall::testing
