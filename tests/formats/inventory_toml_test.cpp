#include "shortfall/formats/inventory_toml.hpp"

#include <string>
#include <vector>

#include "shortfall/inventory/model/demand.hpp"
#include "tests/files_for_tests.hpp"
#include "tests/formats/inventory_for_tests.hpp"

namespace shortfall::io {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

class InventoryTomlTest : public FileTest {
 protected:
  InventoryConfiguration read(const std::string& text,
                              const std::vector<std::string>& assignments = {}) const {
    InventoryToml toml(file(text, "in.toml"));
    for (const std::string& assignment : assignments) toml.set(assignment);
    return toml.configuration();
  }

  /// The message for the small inventory with one line changed.
  std::string refusal(const std::string& old_line, const std::string& new_line) const {
    return failure_of<InvalidInput>([&] { read(with_line(small_inventory, old_line, new_line)); });
  }

  /// The message for the small inventory with these assignments.
  std::string set_refusal(const std::vector<std::string>& assignments) const {
    return failure_of<InvalidInput>([&] { read(small_inventory, assignments); });
  }
};

TEST_F(InventoryTomlTest, ReadsEveryKey) {
  const auto [model, criterion] = read(small_inventory);
  EXPECT_EQ(model.shelf_life(), 3u);
  EXPECT_EQ(model.capacity(), 3u);
  EXPECT_EQ(model.largest_order(0, 0), 2u);
  EXPECT_EQ(model.days(), 1u);
  EXPECT_EQ(model.states(), 10u);
  EXPECT_THAT(model.demand(0), ElementsAreArray(inventory::negative_binomial_demand(2.5, 1.25, 4)));
  EXPECT_THAT(
      model.arrival(0).probabilities(2),
      ElementsAreArray(inventory::Arrival::logit(3, {1, 0.5}, {-0.2, -0.1}).probabilities(2)));
  EXPECT_EQ(model.cost(0).order, 1.0);
  EXPECT_EQ(model.cost(0).holding, 0.5);
  EXPECT_EQ(model.cost(0).shortage, 6.0);
  EXPECT_EQ(model.cost(0).wastage, 2.0);
  EXPECT_EQ(criterion.loss.to_string(), "expectile:0.7");
  EXPECT_EQ(criterion.gamma, 0.6);
}

TEST_F(InventoryTomlTest, KnowsWhichCostsArePlaceholdersUntilTheyAreSet) {
  using ::testing::ElementsAre;
  InventoryToml plan(
      with_line(small_inventory, "wastage", "wastage = 2\nplaceholders = [\"wastage\", \"order\"]"),
      "plan");
  EXPECT_THAT(plan.placeholder_costs(), ElementsAre("order", "wastage"));
  plan.set("cost.holding=2");
  plan.set("cost.order=2");
  EXPECT_THAT(plan.placeholder_costs(), ElementsAre("wastage"));
  EXPECT_TRUE(InventoryToml(small_inventory, "plan").placeholder_costs().empty());
  InventoryToml other(small_inventory, "plan");
  for (const char* const given : {"[\"orders\"]", "[1]", "true", "order"}) {
    other.set(std::string("cost.placeholders=") + given);
    const std::string message = failure_of<InvalidInput>([&] { (void)other.placeholder_costs(); });
    EXPECT_THAT(message, ::testing::HasSubstr("accepted: a list of order, unit, holding")) << given;
  }
}

TEST_F(InventoryTomlTest, OrdersUpToTheCapacityWithoutMaxOrder) {
  EXPECT_EQ(read(with_line(small_inventory, "max_order", "")).model.largest_order(0, 1), 2u);
}

TEST_F(InventoryTomlTest, ReadsSevenDaysIfAnyParameterHasSeven) {
  const auto model =
      read(with_line(small_inventory, "mean", "mean = [1, 2, 3, 0, 1.5, 1, 2]")).model;
  ASSERT_EQ(model.days(), 7u);
  EXPECT_THAT(model.demand(2), ElementsAreArray(inventory::negative_binomial_demand(2.5, 3, 4)));
  const auto by_n = read(with_line(small_inventory, "n =", "n = [1, 2, 3, 4, 5, 6, 7]")).model;
  EXPECT_THAT(by_n.demand(6), ElementsAreArray(inventory::negative_binomial_demand(7, 1.25, 4)));
  const std::vector<std::string> poisson = {"demand.distribution=poisson",
                                            "demand.mean=[1,2,3,0,1.5,1,2]"};
  EXPECT_THAT(read(small_inventory, poisson).model.demand(4),
              ElementsAreArray(inventory::poisson_demand(1.5, 4)));
  const auto empirical =
      read(small_inventory, {"demand.distribution=empirical",
                             "demand.probabilities=[[1],[0,1],[1],[1],[1],[0.5,0.25,0.25],[1]]"});
  EXPECT_THAT(empirical.model.demand(5), ElementsAreArray({0.5, 0.25, 0.25}));
}

TEST_F(InventoryTomlTest, ReadsWeeksOfOrdersCostsAndDeliveries) {
  const auto orders = read(small_inventory, {"inventory.max_order=[3,2,1,0,3,2.0,0]"}).model;
  ASSERT_EQ(orders.days(), 7u);
  EXPECT_THAT(orders.parts().max_order, ElementsAreArray({3, 2, 1, 0, 3, 2, 0}));
  EXPECT_THAT(read(small_inventory, {"inventory.max_order=250"}).model.parts().max_order,
              ElementsAreArray({3}))
      << "the capacity";
  EXPECT_THAT(orders.demand(5),
              ElementsAreArray(inventory::negative_binomial_demand(2.5, 1.25, 4)));
  const auto costs = read(small_inventory, {"cost.order=[1,2,3,4,5,6,7]", "cost.unit=0.5"}).model;
  ASSERT_EQ(costs.days(), 7u);
  EXPECT_EQ(costs.cost(6), (inventory::Costs{7.0, 0.5, 0.5, 6.0, 2.0}));
  EXPECT_EQ(read(small_inventory).model.cost(0).unit, 0.0);
  const auto shares = read(small_inventory, {"arrival.shares=[0.25,0,0.75]"}).model;
  EXPECT_EQ(shares.days(), 1u);
  EXPECT_EQ(shares.arrival(0), inventory::Arrival::shares({0.25, 0.0, 0.75}));
  const std::string week = "[[1,0,0],[0,1,0],[0,0,1],[0.5,0.5,0],[0,0.5,0.5],[0.5,0,0.5],[0,0,1]]";
  const auto by_day = read(small_inventory, {"arrival.shares=" + week}).model;
  ASSERT_EQ(by_day.days(), 7u);
  EXPECT_EQ(by_day.arrival(4), inventory::Arrival::shares({0.0, 0.5, 0.5}));
  const std::string c0 = "[[0,1],[0,2],[0,3],[0,4],[0,5],[0,6],[0,7]]";
  const auto logits = read(small_inventory, {"arrival.c0=" + c0}).model;
  ASSERT_EQ(logits.days(), 7u);
  EXPECT_EQ(logits.arrival(2), inventory::Arrival::logit(3, {0, 3}, {-0.2, -0.1}));
}

TEST_F(InventoryTomlTest, SetReplacesOtherKindsOfArrivalAndOrdersAboveANewCapacity) {
  const std::string with_shares =
      with_line(with_line(small_inventory, "c0", "shares = [0.5, 0.25, 0.25]"), "c1", "");
  EXPECT_FALSE(read(with_shares).model.arrival(0).depends_on_order());
  EXPECT_TRUE(read(with_shares, {"arrival.fresh=true"}).model.arrival(0).is_fresh());
  EXPECT_TRUE(read(with_shares, {"arrival.c0=[1,2]", "arrival.c1=[0,0]"})
                  .model.arrival(0)
                  .depends_on_order());
  const std::string closed =
      with_line(small_inventory, "max_order", "max_order = [3, 3, 3, 3, 3, 3, 0]");
  EXPECT_EQ(read(closed, {"inventory.capacity=5"}).model.largest_order(6, 0), 0u);
  EXPECT_EQ(read(closed, {"inventory.capacity=2"}).model.days(), 1u);  // meant for the old one
}

TEST_F(InventoryTomlTest, RefusesWrongWeeksAndShares) {
  struct Case {
    std::string assignment;
    std::string message;
  };
  for (const auto& [assignment, message] : std::vector<Case>{
           {"inventory.max_order=[1,2]",
            "found a list of 2; accepted: an integer from 0 to 250, or seven for Monday to Sunday"},
           {"inventory.max_order=[1,2,3,251,1,1,1]",
            "entry 4 is 251; accepted: an integer from 0 to 250"},
           {"inventory.max_order=[1,2,0.5,0,1,1,1]", "entry 3 is 0.5; accepted: an integer from 0"},
           {"inventory.max_order=251",
            "found 251; accepted: an integer from 0 to 250, or seven for"},
           {"cost.unit=-1", "found -1; accepted: a number from 0 to 1e100, or seven"},
           {"cost.order=[1,2,3]",
            "found a list of 3; accepted: a number from 0 to 1e100, or seven"},
           {"cost.order=[1,2,3,-4,5,6,7]", "entry 4 is -4; accepted: a number from 0 to 1e100"},
           {"arrival.shares=[0.5,0.5]",
            "2 shares, but the shelf life is 3; accepted: 3, for 1, .., 3 periods left"},
           {"arrival.shares=[50,25,25]",
            "entry 1 is 50, did you mean 0.5?; accepted: a number from"},
           {"arrival.shares=[0.5,0.25,0.2]", "shares on arrival sum to 0.95; accepted: 1 within"},
           {"arrival.shares=0.5",
            "found 0.5; accepted: a list, each a number from 0 to 1; or seven"},
           {"arrival.shares=[[1,0,0],[1,0,0]]", "found 2 lists"},
           {"arrival.shares=[[1,0,0],[1,0,0],[1,0],[1,0,0],[1,0,0],[1,0,0],[1,0,0]]",
            "list 3: 2 shares, but the shelf life is 3"},
           {"arrival.shares=[[1,0,0],[0,0,0],[1,0,0],[1,0,0],[1,0,0],[1,0,0],[1,0,0]]",
            "list 2: shares on arrival sum to 0;"}}) {
    EXPECT_THAT(set_refusal({assignment}), HasSubstr("--set " + assignment + ": ")) << assignment;
    EXPECT_THAT(set_refusal({assignment}), HasSubstr(message)) << assignment;
  }
  EXPECT_THAT(refusal("c1", "c1 = [1, 2]\nshares = [1, 0, 0]"),
              HasSubstr("line 13, key arrival.shares: cannot be combined with c0 and c1; accepted: "
                        "fresh = true, or shares, or c0 and c1"));
  EXPECT_THAT(set_refusal({"arrival.fresh=true", "arrival.shares=[1,0,0]"}),
              HasSubstr("--set arrival.shares=[1,0,0]: cannot be combined with fresh = true"));
}

TEST_F(InventoryTomlTest, TakesValuesFromTheCommandLine) {
  EXPECT_EQ(read(small_inventory, {"cost.order=80"}).model.cost(0).order, 80.0);
  EXPECT_EQ(read(small_inventory, {"cost.order = .5"}).model.cost(0).order, 0.5);
  EXPECT_EQ(read(small_inventory, {"cost.order=1", "cost.order=2"}).model.cost(0).order, 2.0);
  EXPECT_EQ(read(small_inventory, {"inventory.capacity=7.0"}).model.capacity(), 7u);
  const std::string word = "risk.loss=truncated-entropic:0.5,3";
  EXPECT_EQ(read(small_inventory, {word}).criterion.loss.to_string(), "truncated-entropic:0.5,3");
  EXPECT_EQ(read(small_inventory, {"risk.loss=\"mean\""}).criterion.loss.to_string(), "mean");
}

TEST_F(InventoryTomlTest, SetReplacesConflictingValuesOfTheFile) {
  EXPECT_EQ(read(small_inventory, {"risk.tau=0.25"}).criterion.loss.to_string(), "expectile:0.25");
  EXPECT_EQ(read(small_inventory, {"risk.tau=0.25", "risk.loss=mean"}).criterion.loss.to_string(),
            "mean");
  EXPECT_TRUE(read(small_inventory, {"arrival.fresh=true"}).model.arrival(0).is_fresh());
  EXPECT_FALSE(read(with_line(with_line(small_inventory, "c0", "fresh = true"), "c1", ""),
                    {"arrival.c0=[1,2]", "arrival.c1=[0,0]"})
                   .model.arrival(0)
                   .is_fresh());
  EXPECT_EQ(read(small_inventory, {"demand.distribution=poisson"}).model.max_demand(), 4u);
  const auto empirical =
      read(small_inventory, {"demand.distribution=empirical", "demand.probabilities=[0.5,0.5]"});
  EXPECT_EQ(empirical.model.max_demand(), 1u);
  EXPECT_EQ(read(small_inventory, {"inventory.capacity=1"}).model.largest_order(0, 0), 1u);
}

TEST_F(InventoryTomlTest, AShelfLifeOfOneNeedsNoArrival) {
  const std::string text = with_line(with_line(small_inventory, "c0", ""), "c1", "");
  EXPECT_EQ(read(text, {"inventory.shelf_life=1"}).model.states(), 1u);
  EXPECT_EQ(read(text, {"inventory.shelf_life=1", "arrival.c0=[]", "arrival.c1=[]"}).model.states(),
            1u);
}

TEST_F(InventoryTomlTest, NamesFileLineAndKeyOfAProblem) {
  const std::string name = path("in.toml");
  EXPECT_EQ(refusal("order", "order = -1"),
            name + ", line 14, key cost.order: found -1; accepted: a number from 0 to 1e100, or " +
                "seven for Monday to Sunday");
  EXPECT_EQ(refusal("order", "order = \"10\""),
            name +
                ", line 14, key cost.order: found the text \"10\"; accepted: a number from 0 to "
                "1e100, or " +
                "seven for Monday to Sunday");
  EXPECT_EQ(refusal("order", ""),
            name +
                ": key cost.order is missing; accepted: a number from 0 to 1e100, or seven for " +
                "Monday to Sunday");
  EXPECT_EQ(
      set_refusal({"cost.order=-1"}),
      "--set cost.order=-1: found -1; accepted: a number from 0 to 1e100, or seven for Monday "
      "to Sunday");
}

TEST_F(InventoryTomlTest, RefusesValuesOutOfRange) {
  struct Case {
    std::string assignment;
    std::string accepted;
  };
  for (const auto& [assignment, accepted] :
       std::vector<Case>{{"inventory.shelf_life=0", "an integer from 1 to 10"},
                         {"inventory.shelf_life=11", "an integer from 1 to 10"},
                         {"inventory.shelf_life=2.5", "an integer from 1 to 10"},
                         {"inventory.capacity=0", "an integer from 1 to 250"},
                         {"inventory.capacity=251", "an integer from 1 to 250"},
                         {"inventory.capacity=9223372036854775807", "an integer from 1 to 250"},
                         {"inventory.max_order=-1", "an integer from 0 to 250"},
                         {"inventory.max_order=251", "an integer from 0 to 250"},
                         {"demand.n=0", "above 0"},
                         {"demand.n=inf", "above 0"},
                         {"demand.mean=-1", "from 0"},
                         {"demand.mean=nan", "from 0"},
                         {"demand.max=-1", "an integer from 0 to 1000"},
                         {"demand.max=1001", "an integer from 0 to 1000"},
                         {"arrival.c0=[1,1e7]", "from -1e6 to 1e6"},
                         {"cost.order=1.1e100", "from 0 to 1e100"},
                         {"cost.holding=1e999", "from 0 to 1e100"},
                         {"cost.shortage=-inf", "from 0 to 1e100"},
                         {"risk.gamma=0", "strictly between 0 and 1"},
                         {"risk.gamma=1", "strictly between 0 and 1"},
                         {"risk.tau=1", "strictly between 0 and 1"},
                         {"risk.loss=expectile:2", "strictly between 0 and 1"}}) {
    const std::string message = set_refusal({assignment});
    EXPECT_THAT(message, ::testing::StartsWith("--set " + assignment + ": ")) << assignment;
    EXPECT_THAT(message, HasSubstr("accepted: ")) << assignment;
    EXPECT_THAT(message, HasSubstr(accepted)) << assignment;
  }
}

TEST_F(InventoryTomlTest, SuggestsTheNumberMeantByAPercentage) {
  EXPECT_THAT(set_refusal({"risk.tau=90"}), HasSubstr("found 90, did you mean 0.9?; accepted"));
  EXPECT_THAT(set_refusal({"risk.gamma=60"}), HasSubstr("found 60, did you mean 0.6?; accepted"));
  EXPECT_THAT(set_refusal({"risk.loss=expectile:90"}), HasSubstr("did you mean 0.9?; accepted"));
  for (const auto assignment : {"risk.tau=1.5", "risk.tau=100", "risk.tau=-50", "risk.gamma=1"}) {
    EXPECT_THAT(set_refusal({assignment}), ::testing::Not(HasSubstr("did you mean")));
  }
}

TEST_F(InventoryTomlTest, RefusesValuesOfAnotherType) {
  EXPECT_THAT(set_refusal({"cost.order=[1]"}), HasSubstr("a list of 1"));
  EXPECT_THAT(set_refusal({"cost.order=true"}), HasSubstr("found true"));
  EXPECT_THAT(set_refusal({"cost.order=2024-01-01"}), HasSubstr("a date"));
  EXPECT_THAT(set_refusal({"cost.order=8O"}), HasSubstr("the text \"8O\""));
  EXPECT_THAT(set_refusal({"risk.loss=3"}), HasSubstr("found 3; accepted: mean, expectile:TAU"));
  EXPECT_THAT(set_refusal({"arrival.fresh=1"}), HasSubstr("found 1; accepted: true or false"));
  EXPECT_THAT(set_refusal({"arrival.c0=1"}), HasSubstr("found 1; accepted: a list"));
  EXPECT_THAT(set_refusal({"arrival.c0=[1,\"a\"]"}), HasSubstr("entry 2 is the text \"a\""));
  EXPECT_THAT(set_refusal({"demand.distribution=3"}), HasSubstr("\"negative-binomial\""));
  EXPECT_THAT(refusal("wastage", "wastage.x = 3"), HasSubstr("line 17, key cost.wastage: found a"));
}

TEST_F(InventoryTomlTest, SuggestsTheLikelyNameOfAnUnknownKey) {
  EXPECT_THAT(refusal("order", "ordr = 1"),
              HasSubstr("line 14, key cost.ordr: this key is not known, did you mean cost.order?"));
  EXPECT_THAT(refusal("holding", "hodling = 1"), HasSubstr("did you mean cost.holding?"));
  EXPECT_THAT(refusal("[cost]", "[costs]"),
              HasSubstr("line 13, table [costs]: this table is not known, did you mean [cost]?"));
  EXPECT_THAT(set_refusal({"gamma=0.5"}), HasSubstr("did you mean risk.gamma?"));
  EXPECT_THAT(set_refusal({"inventory.order=1"}), HasSubstr("did you mean cost.order?"));
  const std::string far = set_refusal({"cost.something=1"});
  EXPECT_THAT(far, ::testing::Not(HasSubstr("did you mean")));
  EXPECT_THAT(
      far, HasSubstr("accepted: cost.order, cost.unit, cost.holding, cost.shortage, cost.wastage"));
}

TEST_F(InventoryTomlTest, ReportsTheFirstUnknownKeyOfTheFile) {
  // In alphabetical order [cost] comes before [demand].
  const std::string text =
      with_line(with_line(small_inventory, "order", "ordr = 1"), "n =", "m = 1");
  EXPECT_THAT(failure_of<InvalidInput>([&] { read(text); }), HasSubstr("line 7, key demand.m"));
}

TEST_F(InventoryTomlTest, RefusesConflictingKeys) {
  EXPECT_THAT(refusal("c1", "c1 = [1, 2]\nfresh = true"),
              HasSubstr("line 11, key arrival.c0: cannot be combined with fresh = true"));
  EXPECT_THAT(refusal("distribution", "distribution = \"poisson\""),
              HasSubstr("line 7, key demand.n: does not apply to the distribution \"poisson\""));
  EXPECT_THAT(refusal("max =", "max = 4\nprobabilities = [1]"),
              HasSubstr("key demand.probabilities: does not apply to"));
  EXPECT_THAT(refusal("distribution", "distribution = \"empirical\""),
              HasSubstr("key demand.n: does not apply to the distribution \"empirical\""));
  EXPECT_THAT(refusal("gamma", "gamma = 0.5\ntau = 0.5"),
              HasSubstr("accepted: either loss or tau"));
  EXPECT_THAT(set_refusal({"demand.distribution=poisson", "demand.n=3"}),
              HasSubstr("--set demand.n"));
}

TEST_F(InventoryTomlTest, RefusesLengthsThatDoNotFit) {
  EXPECT_THAT(set_refusal({"inventory.shelf_life=5"}),
              HasSubstr("key arrival.c0: c0 has 2 numbers and c1 has 2, but the shelf life is 5; "
                        "accepted: 4 in each"));
  EXPECT_THAT(refusal("c1", "c1 = [1]"),
              HasSubstr("key arrival.c1: c0 has 2 numbers and c1 has 1"));
  EXPECT_THAT(set_refusal({"demand.mean=[1,2,3]"}), HasSubstr("a list of 3; accepted: "));
  EXPECT_THAT(set_refusal({"demand.distribution=empirical", "demand.probabilities=[[1],[1]]"}),
              HasSubstr("found 2 lists"));
  EXPECT_THAT(set_refusal({"demand.distribution=empirical", "demand.probabilities=[]"}),
              HasSubstr("--set demand.probabilities=[]: 0 demand probabilities"));
}

TEST_F(InventoryTomlTest, RefusesInvalidProbabilities) {
  EXPECT_THAT(set_refusal({"demand.distribution=empirical", "demand.probabilities=[0.5,0.4]"}),
              HasSubstr("demand probabilities sum to 0.9; accepted: 1 within"));
  EXPECT_THAT(set_refusal({"demand.distribution=empirical", "demand.probabilities=[1.5,-0.5]"}),
              HasSubstr("entry 2 is -0.5"));
}

TEST_F(InventoryTomlTest, RefusesMissingValues) {
  for (const std::string line : {"shelf_life", "distribution", "n =", "mean", "max =", "c0", "c1",
                                 "holding", "shortage", "wastage", "loss", "gamma"}) {
    EXPECT_THAT(refusal(line, ""), HasSubstr("is missing; accepted: ")) << line;
  }
  EXPECT_THAT(refusal("max =", ""), HasSubstr("key demand.max is missing"));
  EXPECT_EQ(refusal("capacity", ""), "nothing was thrown") << "it is chosen";
}

TEST_F(InventoryTomlTest, RefusesWhatIsNotToml) {
  EXPECT_THAT(refusal("order", "order = "), HasSubstr("in.toml, line 14: "));
  EXPECT_THAT(refusal("order", "order = 1\norder = 2"), HasSubstr("in.toml, line 15: "));
  EXPECT_THAT(refusal("[cost]", "[[cost]]"), HasSubstr("accepted: one table [cost]"));
  EXPECT_THAT(set_refusal({"cost.order"}), HasSubstr("accepted: KEY=VALUE"));
  EXPECT_THAT(set_refusal({"cost.order="}), HasSubstr("the value is missing"));
  EXPECT_THAT(set_refusal({"demand.mean=[1,2"}), HasSubstr("accepted: a TOML value"));
  EXPECT_THAT(set_refusal({"cost.order=1\ncost.holding=2"}),
              HasSubstr("--set \"cost.order=1\\ncost.holding=2\": found the text"));
}

TEST_F(InventoryTomlTest, RefusesMoreStocksThanCanBeNumbered) {
  EXPECT_THAT(
      set_refusal({"inventory.shelf_life=10", "arrival.fresh=true", "inventory.capacity=250"}),
      HasSubstr("--set inventory.capacity=250: 9 ages and capacity 250"));
}

TEST_F(InventoryTomlTest, GivesTheRiskOfAFileThatHasNothingElse) {
  const InventoryToml risk(file("[risk]\ntau = 0.25\n"));
  EXPECT_EQ(risk.loss()->to_string(), "expectile:0.25");
  EXPECT_FALSE(risk.gamma().has_value());
  const InventoryToml none(file("# nothing\n"));
  EXPECT_FALSE(none.loss().has_value());
}

}  // namespace
}  // namespace shortfall::io
