#include "shortfall/inventory/plan/order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <pcg_random.hpp>
#include <regex>
#include <string>
#include <vector>

#include "inventory/plan/order_values.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/model/explicit_mdp.hpp"
#include "shortfall/inventory/model/weekday.hpp"
#include "shortfall/risk/rounding.hpp"
#include "tests/inventory/kernel/losses_for_tests.hpp"
#include "tests/inventory/model/models_for_tests.hpp"
#include "tests/sanitized.hpp"

namespace shortfall::inventory {
namespace {

using namespace shortfall::testing;
using ::testing::HasSubstr;

const int random_models = is_sanitized() ? 60 : 300;

StockToday random_stock(pcg64& generator, const Model& model) {
  StockToday today{.stock = std::vector<std::uint8_t>(model.stocks().length())};
  today.day = draw_index(generator, static_cast<std::uint32_t>(model.days()));
  const auto stocks = static_cast<std::uint32_t>(model.stocks().size());
  model.stocks().unrank(draw_index(generator, stocks), today.stock);
  return today;
}

AnyLoss random_loss(pcg64& generator) {
  const std::vector<AnyLoss> losses = {AnyLoss::parse("mean"),
                                       AnyLoss::parse("expectile:0.1"),
                                       AnyLoss::parse("expectile:0.9"),
                                       AnyLoss::parse("entropic:0.02"),
                                       AnyLoss::parse("truncated-entropic:0.1,20"),
                                       AnyLoss::parse("soft-quantile:0.8,0.1"),
                                       CustomLoss(Wavy())};
  return losses[draw_index(generator, static_cast<std::uint32_t>(losses.size()))];
}

/// The same stock with one cost of 1 and all others 0: the mean cost of a period then counts units.
Model counting(const Model& model, const Costs& costs) {
  ModelParts parts = model.parts();
  parts.cost.assign(model.days(), costs);
  return Model(std::move(parts));
}

double mean_cost(const Mdp& mdp, std::size_t state, std::size_t order) {
  const Outcomes::Row row = mdp.law(*mdp.find_row(state, static_cast<ActionIndex>(order)));
  double mean = 0.0;
  for (std::size_t i = 0; i < row.cost.size(); ++i) mean += row.probability[i] * row.cost[i];
  return mean;
}

TEST(OrderValues, EqualThoseOfTheListOfAllOutcomes) {
  pcg64 generator(101);
  for (int trial = 0; trial < random_models; ++trial) {
    const Model model = random_model(generator);
    const StockToday today = random_stock(generator, model);
    const Criterion criterion{random_loss(generator), 0.3 + 0.6 * draw_uniform(generator)};
    std::vector<double> next(model.stocks().size());
    for (double& value : next) value = 50.0 + 100.0 * draw_uniform(generator);
    const OrderValues found = order_values(model, criterion, today, next, {});
    const Mdp mdp = explicit_mdp(model);
    ASSERT_EQ(found.values.size(), mdp.action_count(today.state(model)));
    for (std::size_t z = 0; z < found.values.size(); ++z) {
      const Outcomes::Row row =
          mdp.law(*mdp.find_row(today.state(model), static_cast<ActionIndex>(z)));
      std::vector<double> targets;
      for (std::size_t i = 0; i < row.cost.size(); ++i) {
        const std::size_t stock = row.next[i] % model.stocks().size();
        targets.push_back(row.cost[i] + criterion.gamma * next[stock]);
      }
      const shortfall::Law law{targets, row.probability};
      ASSERT_NEAR(found.values[z], shortfall_risk(criterion.loss, law),
                  found.rounding + 2.0 * risk_rounding(criterion.loss, law))
          << criterion.loss.to_string() << ", order " << z;
    }
    ASSERT_LT(found.rounding, 1e-9);
  }
}

TEST(BestOrder, HasTheLeastValueAndThatOfTheSolver) {
  pcg64 generator(102);
  for (int trial = 0; trial < random_models / 3; ++trial) {
    const Model model = random_model(generator);
    const StockToday today = random_stock(generator, model);
    const Criterion criterion{random_loss(generator), 0.8};
    const Solution solution = solve(model, criterion, {.tolerance = 1e-8});
    const OrderAnswer answer = best_order(model, criterion, solution, today);
    // Another pass than the solver's last one, but both are certified.
    EXPECT_NEAR(answer.recommended().value, solution.values[today.state(model)],
                3.0 * answer.error_bound + solution.error_bound);
    EXPECT_EQ(answer.order, static_cast<std::size_t>(solution.policy[today.state(model)]));
    for (const OrderChoice& choice : answer.choices) {
      EXPECT_GE(choice.extra, -2.0 * answer.error_bound);
      EXPECT_EQ(choice.extra, choice.value - answer.recommended().value);
    }
    EXPECT_LT(answer.error_bound, 1e-8);
  }
}

/// The plain way to the same number: solve the model in which the first period has one choice.
TEST(BestOrder, ValuesAnOrderAsThatOrderFollowedByOptimalOnes) {
  const Model model = paper_model(3, paper_costs, 8);
  const Criterion criterion{AnyLoss::parse("expectile:0.8"), 0.6};
  const Solution solution = solve(model, criterion, {.tolerance = 1e-9});
  const Mdp mdp = explicit_mdp(model);
  const StockToday today = stock_today(model, std::vector<std::int64_t>{2, 1}, {});
  const OrderAnswer answer = best_order(model, criterion, solution, today);
  ASSERT_EQ(answer.choices.size(), 6u);
  for (const OrderChoice& choice : answer.choices) {
    const Outcomes::Row row =
        mdp.law(*mdp.find_row(today.state(model), static_cast<ActionIndex>(choice.order)));
    const auto loss_at = [&](double v) {  // E l(c + gamma V - v) for slopes 0.8 and 0.2
      double sum = 0.0;
      for (std::size_t i = 0; i < row.cost.size(); ++i) {
        const double gap = row.cost[i] + 0.6 * solution.values[row.next[i]] - v;
        sum += row.probability[i] * (gap > 0.0 ? 0.8 : 0.2) * gap;
      }
      return sum;
    };
    EXPECT_GE(loss_at(choice.value - answer.error_bound), 0.0) << choice.order;
    EXPECT_LE(loss_at(choice.value + answer.error_bound), 0.0) << choice.order;
  }
}

TEST(OrderChoices, CountUnitsAsTheListOfAllOutcomesDoes) {
  pcg64 generator(103);
  for (int trial = 0; trial < random_models / 3; ++trial) {
    const Model model = random_model(generator);
    const StockToday today = random_stock(generator, model);
    const Criterion criterion{Mean(), 0.5};
    const OrderAnswer answer =
        best_order(model, criterion, solve(model, criterion, {.tolerance = 1e-3}), today);
    const Mdp shortage = explicit_mdp(counting(model, {.shortage = 1.0}));
    const Mdp expired = explicit_mdp(counting(model, {.wastage = 1.0}));
    const Mdp left = explicit_mdp(counting(model, {.holding = 1.0}));
    const Mdp money = explicit_mdp(model);
    const std::size_t state = today.state(model);
    for (const OrderChoice& choice : answer.choices) {
      // Sums of at most 10^5 terms of at most 30 units or 1000 in money.
      EXPECT_NEAR(choice.expected_short, mean_cost(shortage, state, choice.order), 1e-9);
      EXPECT_NEAR(choice.expected_expired, mean_cost(expired, state, choice.order), 1e-9);
      EXPECT_NEAR(choice.expected_left, mean_cost(left, state, choice.order), 1e-9);
      EXPECT_NEAR(choice.expected_cost, mean_cost(money, state, choice.order), 1e-7);
      double short_days = 0.0;
      const auto demand = model.demand(today.day);
      for (std::size_t d = 0; d < demand.size(); ++d) {
        if (d > today.total() + choice.order) short_days += demand[d];
      }
      EXPECT_NEAR(choice.chance_of_shortage, short_days, 1e-12);
    }
  }
}

/// The value, without discount, of never ordering in a model in which only wastage costs something:
/// after m periods nothing is left. So m sweeps from zero over the list of all outcomes give it.
TEST(OrderChoices, CountAllUnitsThatExpireIfNothingMoreIsOrdered) {
  pcg64 generator(105);
  for (int trial = 0; trial < random_models / 3; ++trial) {
    const Model model = random_model(generator);
    const StockToday today = random_stock(generator, model);
    const Criterion criterion{Mean(), 0.5};
    const OrderAnswer answer =
        best_order(model, criterion, solve(model, criterion, {.tolerance = 1e-3}), today);
    const Mdp mdp = explicit_mdp(counting(model, {.wastage = 1.0}));
    const auto backed_up = [&](const std::vector<double>& values, std::size_t x, std::size_t z) {
      const Outcomes::Row row = mdp.law(*mdp.find_row(x, static_cast<ActionIndex>(z)));
      double sum = 0.0;
      for (std::size_t i = 0; i < row.cost.size(); ++i) {
        sum += row.probability[i] * (row.cost[i] + values[row.next[i]]);
      }
      return sum;
    };
    std::vector<double> values(model.states(), 0.0);
    for (std::size_t sweep = 0; sweep < model.shelf_life(); ++sweep) {
      std::vector<double> next(values.size());
      for (std::size_t x = 0; x < values.size(); ++x) next[x] = backed_up(values, x, 0);
      values = next;
    }
    for (const OrderChoice& choice : answer.choices) {
      EXPECT_NEAR(choice.expected_expired_in_all,
                  backed_up(values, today.state(model), choice.order), 1e-9);
      EXPECT_GE(choice.expected_expired_in_all, choice.expected_expired - 1e-12);
    }
  }
}

/// A number in a sentence is right if it is the exact one rounded to the digits that it has.
void expect_rounded(const std::string& text, double exact, const std::string& sentence) {
  const std::size_t point = text.find('.');
  const double digits =
      point == std::string::npos ? 0.0 : static_cast<double>(text.size() - point - 1);
  double unit = std::pow(10.0, -digits);
  const std::size_t exponent = text.find('e');  // 1.2e-05
  if (exponent != std::string::npos) {
    const double mantissa_digits =
        point == std::string::npos ? 0.0 : static_cast<double>(exponent - point - 1);
    unit = std::pow(10.0, std::stod(text.substr(exponent + 1)) - mantissa_digits);
  }
  // Larger amounts are rounded from five decimals.
  const double decimals = exact >= 0.9995 ? 0.5e-5 : 0.0;
  EXPECT_NEAR(std::stod(text), exact, 0.5001 * unit + decimals + 1e-12) << sentence;
}

/// "4.2 %" or "below 0.1 %".
void expect_percent(const std::string& text, double probability, const std::string& sentence) {
  if (text == "below 0.1 %") {
    EXPECT_GT(probability, 0.0) << sentence;
    EXPECT_LT(probability, 0.001) << sentence;
  } else {
    expect_rounded(text.substr(0, text.find(' ')), 100.0 * probability, sentence);
  }
}

/// Reads a sentence part by part, checks each claim, and fails on a part that it does not know.
class Claims {
 public:
  Claims(const Model& model, const OrderAnswer& answer) : model_(model), answer_(answer) {}

  /// The kinds of sentences that occurred, so that a test can require all of them.
  std::string check() {
    const std::string& text = answer_.reason;
    if (answer_.order == 0) {
      EXPECT_THAT(text, ::testing::StartsWith("Order nothing: "));
      return check_nothing(text);
    }
    const std::regex order("Order (\\d+): ([^;]*); ([^;]*)(; ([^;]*))?\\.");
    std::smatch part;
    if (!std::regex_match(text, part, order)) {
      ADD_FAILURE() << text;
      return "unknown";
    }
    EXPECT_EQ(std::stoul(part[1]), answer_.order) << text;
    const std::string neighbours = check_less(part[2]) + "; " + check_more(part[3]);
    return neighbours + check_next(part[5].matched ? part[5].str() : "");
  }

 private:
  const OrderChoice& best() const { return answer_.recommended(); }
  const OrderChoice& choice(const std::string& number) const {
    return answer_.choices.at(std::stoul(number));
  }
  void expect_same(const OrderChoice& other, const std::string& text) const {
    EXPECT_LE(std::abs(other.extra), 2.0 * answer_.error_bound) << text;
  }
  void expect_more(const OrderChoice& other, const std::string& amount) const {
    EXPECT_GT(other.extra, 2.0 * answer_.error_bound) << answer_.reason;
    expect_rounded(amount, other.extra, answer_.reason);
  }

  std::string check_nothing(const std::string& text) const {
    const std::size_t total = answer_.today.total();
    std::smatch part;
    if (std::regex_match(text, part,
                         std::regex("Order nothing: the stock is at its capacity of (\\d+)\\."))) {
      EXPECT_EQ(std::stoul(part[1]), model_.capacity());
      EXPECT_EQ(total, model_.capacity());
      return "full";
    }
    if (std::regex_match(text, part,
                         std::regex("Order nothing: (this plan allows no orders|no orders are "
                                    "placed on a (\\w+))\\."))) {
      EXPECT_LT(total, model_.capacity());
      EXPECT_EQ(answer_.choices.size(), 1u);
      if (part[2].matched) {
        EXPECT_EQ(parse_weekday(part[2].str()), answer_.today.day);
      }
      EXPECT_EQ(part[2].matched, model_.days() == 7);
      return "no orders";
    }
    if (std::regex_match(text, part,
                         std::regex("Order nothing: an order of (\\d+) has the same "
                                    "risk-adjusted cost\\."))) {
      expect_same(choice(part[1]), text);
      return "nothing, tie";
    }
    const std::regex costs_more(
        "Order nothing: the chance of running short today is (.*), and any order raises the "
        "risk-adjusted cost, the best one \\((\\d+)\\) by (.*)\\.");
    if (!std::regex_match(text, part, costs_more)) {
      ADD_FAILURE() << text;
      return "unknown";
    }
    expect_percent(part[1], best().chance_of_shortage, text);
    expect_more(choice(part[2]), part[3]);
    for (const OrderChoice& other : answer_.choices) {
      if (other.order == 0) continue;
      EXPECT_GE(other.value, choice(part[2]).value - 2.0 * answer_.error_bound) << text;
      EXPECT_GT(other.value, best().value) << text;
    }
    return "nothing";
  }

  /// "without an order the .." or "with 4 the ..": what is said of that order.
  std::string claim_of(const std::string& text, const OrderChoice& other) const {
    std::smatch part;
    if (!std::regex_match(text, part, std::regex("(without an order|with (\\d+)) the (.*)"))) {
      ADD_FAILURE() << text;
      return "";
    }
    EXPECT_EQ(part[2].matched ? std::stoul(part[2]) : 0, other.order) << text;
    return part[3];
  }

  /// What may be said of either neighbour; empty if it is something else.
  std::string check_cost(const std::string& claim, const OrderChoice& other,
                         const std::string& kind) const {
    std::smatch part;
    if (claim == "risk-adjusted cost is the same") {
      expect_same(other, claim);
      return kind + ", tie";
    }
    if (!std::regex_match(claim, part, std::regex("risk-adjusted cost rises by (\\S*)"))) return "";
    expect_more(other, part[1]);
    return kind;
  }

  std::string check_less(const std::string& text) const {
    const OrderChoice& less = answer_.choices[answer_.order - 1];
    const std::string claim = claim_of(text, less);
    const std::string known = check_cost(claim, less, "less");
    if (!known.empty()) return known;
    std::smatch part;
    const std::regex chance(
        "chance of running short today rises from (.*) to (.*) and the risk-adjusted cost by "
        "(.*)");
    if (!std::regex_match(claim, part, chance)) {
      ADD_FAILURE() << text;
      return "unknown";
    }
    expect_percent(part[1], best().chance_of_shortage, text);
    expect_percent(part[2], less.chance_of_shortage, text);
    EXPECT_GT(less.chance_of_shortage, best().chance_of_shortage);
    expect_more(less, part[3]);
    return "less, chance";
  }

  std::string check_more(const std::string& text) const {
    std::smatch part;
    if (std::regex_match(text, part, std::regex("more does not fit into the capacity of (\\d+)"))) {
      EXPECT_EQ(answer_.today.total() + answer_.order, std::stoul(part[1]));
      EXPECT_EQ(model_.capacity(), std::stoul(part[1]));
      return "capacity";
    }
    if (text == "it is the largest order of the day") {
      EXPECT_EQ(answer_.order, model_.largest_order(answer_.today.day, answer_.today.total()));
      EXPECT_LT(answer_.today.total() + answer_.order, model_.capacity());
      return "largest";
    }
    const OrderChoice& more = answer_.choices.at(answer_.order + 1);
    const std::string claim = claim_of(text, more);
    const std::string known = check_cost(claim, more, "more");
    if (!known.empty()) return known;
    const std::regex expired(
        "risk-adjusted cost rises by (.*) and the number of units expected to expire, if no more "
        "are ordered, from (.*) to (.*)");
    if (!std::regex_match(claim, part, expired)) {
      ADD_FAILURE() << text;
      return "unknown";
    }
    expect_more(more, part[1]);
    expect_rounded(part[2], best().expected_expired_in_all, text);
    expect_rounded(part[3], more.expected_expired_in_all, text);
    EXPECT_GT(more.expected_expired_in_all, best().expected_expired_in_all);
    return "more expire";
  }

  /// Whatever is said, no order but the recommended one is better than the best that is named.
  std::string check_next(const std::string& text) const {
    double named = infinity;
    for (const std::size_t z : {answer_.order - 1, answer_.order + 1}) {
      if (z < answer_.choices.size()) named = std::min(named, answer_.choices[z].value);
    }
    std::smatch part;
    std::string kind;
    if (text.empty()) {
      kind = "";
    } else if (std::regex_match(text, part,
                                std::regex("next best is (no order|an order of (\\d+)), which "
                                           "costs (.*) more"))) {
      const OrderChoice& next = part[2].matched ? choice(part[2]) : answer_.choices[0];
      expect_more(next, part[3]);
      EXPECT_LT(next.value, named) << text;
      named = next.value;
      kind = next.order == 0 ? "; next none" : "; next other";
    } else if (std::regex_match(text, part,
                                std::regex("(no order|an order of (\\d+)) has the same "
                                           "risk-adjusted cost"))) {
      const OrderChoice& next = part[2].matched ? choice(part[2]) : answer_.choices[0];
      expect_same(next, text);
      named = next.value;
      kind = "; next tie";
    } else {
      ADD_FAILURE() << text;
      return "unknown";
    }
    for (const OrderChoice& other : answer_.choices) {
      if (other.order == answer_.order) continue;
      EXPECT_GE(other.value, named - 2.0 * answer_.error_bound) << answer_.reason;
    }
    return kind;
  }

  const Model& model_;
  const OrderAnswer& answer_;
};

TEST(Reason, IsTrueForRandomModelsAndStocks) {
  pcg64 generator(104);
  std::string seen;
  for (int trial = 0; trial < 300; ++trial) {  // enough for every kind of sentence
    const Model model = random_model(generator);
    const Criterion criterion{random_loss(generator), 0.6};
    const Solution solution = solve(model, criterion, {.tolerance = 1e-8});
    for (int stock = 0; stock < 5; ++stock) {
      const OrderAnswer answer =
          best_order(model, criterion, solution, random_stock(generator, model));
      seen += Claims(model, answer).check() + "\n";
      if (::testing::Test::HasFailure()) return;
    }
  }
  for (const char* const kind :
       {"full", "no orders", "nothing, tie", "nothing\n", "less; ", "less, chance; ", "; capacity",
        "; largest", "; more\n", "; more expire", "; next none"}) {
    EXPECT_THAT(seen, HasSubstr(kind));
  }
}

TEST(OrderAnswer, HasTheNextBestOrder) {
  const auto answer = [](std::vector<double> values, std::size_t order, double error) {
    OrderAnswer result{.today = {}, .order = order, .error_bound = error};
    for (std::size_t z = 0; z < values.size(); ++z) {
      result.choices.push_back(
          {.order = z, .value = values[z], .extra = values[z] - values[order]});
    }
    return result;
  };
  EXPECT_EQ(answer({4.0, 9.0, 8.0, 3.0, 5.0}, 3, 0.1).next_best(), 0u);
  EXPECT_EQ(answer({4.0, 9.0, 8.0, 3.0, 5.0}, 3, 0.5).next_best(), 4u);  // cannot be told apart
  EXPECT_EQ(answer({4.0, 9.0, 4.0, 3.0, 4.0}, 3, 0.0).next_best(), 2u);  // as close, and smaller
  EXPECT_EQ(answer({4.0, 9.0, 8.0, 3.0}, 0, 0.0).next_best(), 3u);
  EXPECT_EQ(answer({4.0}, 0, 0.0).next_best(), 0u);
  const Model model = paper_model(3, paper_costs, 8);
  EXPECT_THAT(reason_for(model, answer({4.0, 3.0, 8.0, 9.0, 3.5}, 1, 0.1)),
              HasSubstr("; next best is an order of 4, which costs 0.5 more."));
  EXPECT_THAT(reason_for(model, answer({6.0, 3.0, 8.0, 9.0, 3.5}, 1, 0.25)),
              HasSubstr("; an order of 4 has the same risk-adjusted cost to within 1."));
  EXPECT_THAT(reason_for(model, answer({3.0, 2.0, 8.0, 9.0, 3.5}, 1, 0.1)),
              ::testing::Not(HasSubstr("next best")));
  // 4.62500 in a table with five decimals, whatever lies behind them.
  for (const double more : {4.6249996, 4.625, 4.6250004}) {
    EXPECT_THAT(reason_for(model, answer({9.0, 0.0, more}, 1, 1e-8)), HasSubstr("by 4.63"));
  }
  EXPECT_THAT(reason_for(model, answer({9.0, 0.0, 4.62499}, 1, 1e-8)), HasSubstr("by 4.62"));
}

TEST(Reason, SaysWhatOneUnitMoreOrLessChanges) {
  const Model model = paper_model(5);
  const Criterion criterion{AnyLoss::parse("expectile:0.9"), 0.6};
  const Solution solution = solve(model, criterion);
  const OrderAnswer answer = best_order(
      model, criterion, solution, stock_today(model, std::vector<std::int64_t>{1, 2, 0, 1}, {}));
  EXPECT_THAT(answer.reason, HasSubstr("the chance of running short today rises from"));
  EXPECT_EQ(Claims(model, answer).check(), "less, chance; more expire");
}

/// By hand: demand is always 1. Of (2, 4), one unit is used and one expires, five are held; of (4,
/// 0) one is used and three expire; then the shelf is empty.
TEST(BestOrder, AShelfAboveItsCapacityOrdersNothing) {
  const Costs cost{.order = 2.0, .holding = 1.0, .shortage = 30.0, .wastage = 5.0};
  const Model model({.capacity = 3,
                     .max_order = {3},
                     .arrival = {Arrival::fresh(3)},
                     .demand = {{0.0, 1.0}},
                     .cost = {cost}});
  for (const AnyLoss& loss : {AnyLoss::parse("mean"), AnyLoss::parse("expectile:0.9")}) {
    const Criterion criterion{loss, 0.8};
    const Solution solution = solve(model, criterion);
    const StockToday today = stock_today(model, std::vector<std::int64_t>{2, 4}, {});
    const OrderAnswer answer = best_order(model, criterion, solution, today);
    EXPECT_EQ(answer.order, 0U);
    ASSERT_EQ(answer.choices.size(), 1U);
    const double by_hand = 5.0 + 5.0 + 0.8 * (3.0 + 15.0 + 0.8 * solution.values[0]);
    EXPECT_NEAR(answer.choices[0].value, by_hand, 1e-12 * by_hand);
    EXPECT_EQ(answer.choices[0].expected_expired_in_all, 4.0);
    EXPECT_EQ(answer.choices[0].expected_expired, 1.0);
    EXPECT_LE(answer.error_bound, 0.8 * solution.error_bound + 1e-12);
    EXPECT_EQ(answer.limit, OrderLimit::capacity);
    EXPECT_EQ(answer.reason, "Order nothing: the stock of 6 is above the capacity of 3.");
    for (const char* const rule : {"base-stock:3", "fixed:2", "static", "myopic", "risk-neutral"}) {
      EXPECT_EQ(order_of(*parse_rule(rule), model, criterion, today), 0U) << rule;
    }
  }
}

TEST(StockToday, IsCheckedAgainstThePlan) {
  const auto message = [](const auto& work) -> std::string {
    try {
      (void)work();
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "accepted";
  };
  const Model model = paper_model(3, paper_costs, 8);
  using Stock = std::vector<std::int64_t>;
  const auto stock = [&](const Stock& units) {
    return message([&] { return stock_today(model, units, {}); });
  };
  EXPECT_EQ(stock({3, 5}), "accepted");
  EXPECT_EQ(stock({3, 6}), "accepted") << "above the capacity";
  EXPECT_THAT(stock({3, 248}), HasSubstr("more than 250 units; accepted: at most that many"));
  EXPECT_THAT(stock({3, 1000000000000}), HasSubstr("more than 250 units"));
  EXPECT_THAT(stock({3}), HasSubstr("has 1 number; accepted: 2, the units with 1, 2, .."));
  EXPECT_THAT(stock({3, 1, 1}), HasSubstr("3 numbers; accepted: 2"));
  EXPECT_THAT(stock({3, -1}), HasSubstr("-1 units of one age; accepted: whole numbers from 0"));
  EXPECT_THAT(message([&] { return stock_today(model, Stock{3, 1}, 2); }), HasSubstr("a day"));
  const Model week({.capacity = 4,
                    .max_order = {4},
                    .arrival = {Arrival::fresh(2)},
                    .demand = std::vector<std::vector<double>>(7, {0.5, 0.5}),
                    .cost = {paper_costs}});
  EXPECT_THAT(message([&] { return stock_today(week, Stock{1}, {}); }), HasSubstr("mon, tue"));
  EXPECT_THAT(message([&] { return stock_today(week, Stock{1}, 7); }), HasSubstr("day 7"));
  EXPECT_EQ(stock_today(week, Stock{1}, 6).day, 6u);
}

}  // namespace
}  // namespace shortfall::inventory
