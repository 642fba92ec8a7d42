#include "shortfall/inventory/model/model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pcg_random.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/model/weekday.hpp"
#include "tests/files_for_tests.hpp"
#include "tests/inventory/model/models_for_tests.hpp"

namespace shortfall::inventory {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using Stock = std::vector<std::uint8_t>;

ModelParts small_parts() {
  return {.capacity = 4,
          .max_order = {3},
          .arrival = {Arrival::fresh(3)},
          .demand = {{0.5, 0.25, 0.25}},
          .cost = {{.order = 7.0, .holding = 1.0, .shortage = 10.0, .wastage = 3.0}}};
}

Stock aged(const Stock& w, std::size_t demand) {
  Stock next(w.size() - 1);
  age(w, demand, next);
  return next;
}

TEST(Age, TakesTheOldestFirst) {
  EXPECT_THAT(aged({2, 3, 1}, 0), ElementsAre(3, 1));
  EXPECT_THAT(aged({2, 3, 1}, 1), ElementsAre(3, 1));  // one unit expires
  EXPECT_THAT(aged({2, 3, 1}, 2), ElementsAre(3, 1));
  EXPECT_THAT(aged({2, 3, 1}, 4), ElementsAre(1, 1));
  EXPECT_THAT(aged({2, 3, 1}, 5), ElementsAre(0, 1));
  EXPECT_THAT(aged({2, 3, 1}, 6), ElementsAre(0, 0));
  EXPECT_THAT(aged({2, 3, 1}, 1000), ElementsAre(0, 0));
  EXPECT_THAT(aged({9}, 1), ElementsAre());
}

/// X'_j = (w_{j+1} - (D - w_1 - .. - w_j)⁺)⁺.
TEST(Age, FollowsThePublishedFormula) {
  pcg64 generator(2);
  for (int trial = 0; trial < 2000; ++trial) {
    Stock w(1 + draw_index(generator, 10));
    for (std::uint8_t& units : w) units = static_cast<std::uint8_t>(draw_index(generator, 25));
    const auto demand = static_cast<int>(draw_index(generator, 120));
    const Stock next = aged(w, static_cast<std::size_t>(demand));
    int older = 0;
    for (std::size_t j = 1; j < w.size(); ++j) {
      older += w[j - 1];
      EXPECT_EQ(next[j - 1], std::max(w[j] - std::max(demand - older, 0), 0));
    }
    // Every unit is sold, expires or remains.
    const int before = std::accumulate(w.begin(), w.end(), 0);
    const int after = std::accumulate(next.begin(), next.end(), 0);
    EXPECT_EQ(before, std::min(demand, before) + std::max(w[0] - demand, 0) + after);
  }
}

TEST(Model, ChargesForRemainingLostAndExpiredUnits) {
  const Model model(small_parts());
  EXPECT_EQ(model.period_cost(0, {4, 2}, 1), 3.0 + 3.0);  // three left, one of which expires
  EXPECT_EQ(model.period_cost(0, {4, 2}, 2), 2.0);
  EXPECT_EQ(model.period_cost(0, {4, 4}, 4), 0.0);
  EXPECT_EQ(model.period_cost(0, {1, 1}, 3), 20.0);
  EXPECT_EQ(model.period_cost(0, {3, 3}, 0), 3.0 + 9.0);  // expiring units also incur holding
}

TEST(Model, ReturnsItsParameters) {
  const Model model(small_parts());
  EXPECT_EQ(model.shelf_life(), 3);
  EXPECT_EQ(model.capacity(), 4);
  EXPECT_EQ(model.days(), 1);
  EXPECT_EQ(model.max_demand(), 2);
  EXPECT_EQ(model.states(), 15);
  EXPECT_EQ(model.largest_order(0, 0), 3);  // max_order binds
  EXPECT_EQ(model.largest_order(0, 1), 3);
  EXPECT_EQ(model.largest_order(0, 2), 2);  // the capacity binds
  EXPECT_EQ(model.largest_order(0, 4), 0);
}

TEST(Model, OfThePartsOfAnotherHasTheSameBits) {
  pcg64 generator(5);
  std::size_t rescaled = 0;
  for (int n = 0; n < 200; ++n) {
    const Model model = testing::random_model(generator);
    const Model twin = Model::with_parts(model.parts());
    EXPECT_EQ(twin.parts().demand, model.parts().demand);
    EXPECT_EQ(twin.parts().arrival, model.parts().arrival);
    EXPECT_EQ(twin.states(), model.states());
    if (Model(model.parts()).parts().demand != model.parts().demand) ++rescaled;
  }
  EXPECT_GT(rescaled, 0);  // which is why there is with_parts
  ModelParts wrong = small_parts();
  wrong.demand = {{0.5, 0.25}};
  EXPECT_THAT([&] { Model::with_parts(wrong); },
              ThrowsMessage<InvalidInput>(HasSubstr("demand probabilities sum to 0.75")));
}

TEST(Model, HasTheDayInItsStateWithSevenLaws) {
  ModelParts parts = small_parts();
  parts.demand.assign(7, {1.0});
  parts.demand[3] = {0.0, 0.0, 0.0, 0.0, 0.0, 1.0};
  const Model model(parts);
  EXPECT_EQ(model.days(), 7);
  EXPECT_EQ(model.states(), 7 * 15);
  EXPECT_EQ(model.max_demand(), 5);
  EXPECT_EQ(model.demand(3).size(), 6);
}

TEST(Model, HasTheStatesOfThePublishedModels) {
  EXPECT_EQ(testing::paper_model(3).states(), 231);
  EXPECT_EQ(testing::paper_model(5).states(), 10626);
  EXPECT_EQ(testing::paper_model(8).states(), 888030);
}

template <class Change>
void expect_refused(Change&& change, const char* message) {
  ModelParts parts = small_parts();
  change(parts);
  EXPECT_THAT([&] { static_cast<void>(Model(parts)); },
              ThrowsMessage<InvalidInput>(HasSubstr(message)));
}

TEST(Model, RejectsSizesOutOfRange) {
  expect_refused([](ModelParts& p) { p.arrival = {Arrival::fresh(11)}; },
                 "shelf life = 11; accepted: 1 to 10");
  expect_refused([](ModelParts& p) { p.capacity = p.max_order[0] = 0; },
                 "capacity = 0; accepted: 1 to 250");
  expect_refused([](ModelParts& p) { p.capacity = 251; }, "capacity = 251; accepted: 1 to 250");
  expect_refused([](ModelParts& p) { p.max_order = {5}; }, "largest order = 5; accepted: 0 to 4");
  expect_refused(
      [](ModelParts& p) {
        p.arrival = {Arrival::fresh(10)};
        p.capacity = 250;
      },
      "stock vectors; accepted: below 4.29e9");
  ModelParts extreme = small_parts();
  extreme.arrival = {Arrival::fresh(10)};
  extreme.max_order = {0};
  EXPECT_EQ(Model(extreme).states(), 715);  // binomial(13, 4)
}

TEST(Model, RejectsInvalidDemandLawsAndCountsOtherThanOneAndSeven) {
  expect_refused([](ModelParts& p) { p.demand = {}; },
                 "0 demand laws; accepted: one, or seven for Monday to Sunday");
  expect_refused([](ModelParts& p) { p.demand.assign(2, {1.0}); }, "2 demand laws; accepted: one");
  expect_refused([](ModelParts& p) { p.demand.assign(8, {1.0}); }, "8 demand laws; accepted: one");
  expect_refused([](ModelParts& p) { p.demand = {{}}; }, "0 demand probabilities");
  expect_refused([](ModelParts& p) { p.demand = {{0.5, 0.4}}; }, "demand probabilities sum to 0.9");
}

TEST(Model, RejectsCostsThatAreNegativeOrNotFinite) {
  expect_refused([](ModelParts& p) { p.cost[0].order = -1.0; },
                 "order cost = -1; accepted: a number from 0 to 1e+100");
  expect_refused([](ModelParts& p) { p.cost[0].holding = -0.5; }, "holding cost = -0.5; accepted");
  expect_refused([](ModelParts& p) { p.cost[0].shortage = std::nan(""); },
                 "shortage cost = nan; accepted");
  expect_refused([](ModelParts& p) { p.cost[0].wastage = std::numeric_limits<double>::infinity(); },
                 "wastage cost = inf; accepted");
}

TEST(Model, HasSevenDaysIfAnyPartHasSevenEntries) {
  ModelParts parts = small_parts();
  parts.max_order = {3, 3, 3, 3, 3, 1, 0};
  const Model orders(parts);
  EXPECT_EQ(orders.days(), 7);
  EXPECT_EQ(orders.max_order(), 3);
  EXPECT_EQ(orders.largest_order(5, 0), 1);
  EXPECT_EQ(orders.largest_order(6, 0), 0);
  EXPECT_EQ(orders.demand(6).size(), orders.demand(0).size());
  parts = small_parts();
  parts.cost.assign(7, parts.cost[0]);
  parts.cost[2].unit = 4.0;
  const Model costs(parts);
  EXPECT_EQ(costs.days(), 7);
  EXPECT_EQ(costs.order_cost(2, 0), 0.0);
  EXPECT_EQ(costs.order_cost(2, 3), 7.0 + 12.0);
  EXPECT_EQ(costs.order_cost(1, 3), 7.0);
  parts = small_parts();
  parts.arrival = std::vector(7, Arrival::fresh(3));
  EXPECT_EQ(Model(parts).days(), 7);
}

TEST(Model, RejectsOtherNumbersOfEntries) {
  expect_refused(
      [](ModelParts& p) {
        p.max_order = {1, 2};
      },
      "2 largest orders; accepted: one, or seven for Monday to Sunday");
  expect_refused([](ModelParts& p) { p.max_order = {1, 1, 1, 1, 1, 1, 9}; },
                 "largest order = 9; accepted: 0 to 4");
  expect_refused([](ModelParts& p) { p.cost.resize(3); }, "3 sets of costs; accepted: one");
  expect_refused([](ModelParts& p) { p.arrival.clear(); }, "0 laws of arrival; accepted: one");
  expect_refused([](ModelParts& p) { p.cost[0].unit = -1.0; }, "unit cost = -1; accepted");
  expect_refused(
      [](ModelParts& p) {
        p.arrival.assign(7, Arrival(p.arrival[0]));
        p.arrival[3] = Arrival::fresh(4);
      },
      "shelf lives 3 and 4; accepted: the same on all days");
}

TEST(Model, RejectsInfeasibleOrders) {
  const Model model(small_parts());
  const auto refuses = [&](const Policy& orders, const char* message) {
    EXPECT_THAT([&] { model.check_orders(orders); },
                ThrowsMessage<InvalidInput>(HasSubstr(message)));
  };
  Policy largest(15, 0);
  for (std::size_t x = 0; x < 6; ++x) largest[x] = x < 3 ? 3 : 2;  // totals 0 and 1, then 2
  model.check_orders(largest);
  refuses(Policy(14, 0), "14 orders for 15 states; accepted: one for each");
  Policy orders = largest;
  orders[0] = 4;
  refuses(orders, "order 4 in state 0, with 0 units in stock; accepted: 0 to 3");
  orders = largest;
  orders[4] = 3;
  refuses(orders, "order 3 in state 4, with 2 units in stock; accepted: 0 to 2");
  orders = largest;
  orders[14] = -1;
  refuses(orders, "order -1 in state 14, with 4 units in stock; accepted: 0 to 0");
}

TEST(Model, ChecksTheOrdersOfEveryDay) {
  ModelParts parts = small_parts();
  parts.demand.assign(7, {1.0});
  const Model model(parts);
  Policy orders(model.states(), 0);
  orders.back() = 1;  // Sunday, full
  EXPECT_THAT([&] { model.check_orders(orders); },
              ThrowsMessage<InvalidInput>(HasSubstr("order 1 in state 104, with 4 units")));
}

using io::expect_rejected;

TEST(Weekday, IsReadFromItsNameOrThreeLetters) {
  EXPECT_EQ(parse_weekday("mon"), 0u);
  EXPECT_EQ(parse_weekday("Sunday"), 6u);
  EXPECT_EQ(parse_weekday("WED"), 2u);
  expect_rejected([] { (void)parse_weekday("tuseday"); },
                  {"did you mean tuesday?; accepted: mon, tue, wed, thu, fri, sat, sun"});
}

TEST(Weekday, MayBeToday) {
  EXPECT_EQ(parse_weekday("Today", 3), 3u);
  expect_rejected([] { (void)parse_weekday("toady", 3); }, {"did you mean today?", "sun or today"});
  expect_rejected([] { (void)parse_weekday("today"); }, {"'today' is not a day"});
}

}  // namespace
}  // namespace shortfall::inventory
