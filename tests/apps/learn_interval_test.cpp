// `shortfall learn --confidence`: intervals, weights and the alarm about drift.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <pcg_random.hpp>

#include "shortfall/learn/newton.hpp"
#include "shortfall/mdp/random_bits.hpp"
#include "tests/apps/command_runner.hpp"

namespace shortfall::testing {
namespace {

using ::testing::HasSubstr;

/// One state with costs around a mean that rises at row `change`; weights 1/2 and 3/2.
struct Stream {
  explicit Stream(std::size_t rows, std::size_t change = ~std::size_t{0}) {
    pcg64 bits(3);
    for (std::size_t n = 0; n < rows; ++n) {
      const double mean = n < change ? 10.0 : 12.0;
      const double drawn = mean + 2.0 * draw_normal(bits);
      cost.push_back(std::round(1000.0 * drawn) / 1000.0);
      weight.push_back(draw_uniform(bits) < 0.5 ? 0.5 : 1.5);
    }
  }
  std::string csv() const {
    std::string text = "x1,y1,cost,weight\n";
    for (std::size_t n = 0; n < cost.size(); ++n) {
      text += fmt::format("1,1,{},{}\n", cost[n], weight[n]);
    }
    return text;
  }
  std::vector<double> cost;
  std::vector<double> weight;
};

constexpr auto by_newton = "learn --loss expectile:0.9 --gamma 0.5 --algorithm newton --json ";

TEST(Learn, GivesTheIntervalsOfTheLibrary) {
  const Workplace place;
  const Stream stream(6000);
  place.write("stream.csv", stream.csv());
  place.write("at.csv", "x1\n1\n-2\n");
  learn::Newton newton(1, Expectile(0.9), 0.5);
  const std::vector<double> one{1.0};
  for (std::size_t n = 0; n < stream.cost.size(); ++n) {
    (void)newton.update(one, stream.cost[n], one, stream.weight[n]);
  }
  const auto found =
      place.run(std::string(by_newton) + "--confidence 0.9 --at at.csv stream.csv").json();
  const learn::Interval first = newton.interval(one, {.level = 0.9});
  EXPECT_EQ(found.at("theta")[0], newton.theta()[0]);
  EXPECT_EQ(found.at("interval_status"), "ok");
  EXPECT_EQ(found.at("confidence"), 0.9);
  EXPECT_EQ(found.at("standard_error")[0], first.standard_error);
  EXPECT_EQ(found.at("values")[0], first.value);
  EXPECT_EQ(found.at("low")[0], first.low);
  EXPECT_EQ(found.at("high")[0], first.high);
  EXPECT_EQ(found.at("values")[1], -2.0 * first.value);
  EXPECT_EQ(found.at("effective_samples"), newton.effective_samples());
  EXPECT_LT(newton.effective_samples(), 0.85 * 6000);
}

TEST(Learn, SaysNotYetInsteadOfAnInterval) {
  const Workplace place;
  place.write("stream.csv", Stream(2000).csv());
  place.write("at.csv", "x1\n1\n");
  const std::string asked = "--confidence 0.95 --at at.csv stream.csv";
  const auto found = place.run(by_newton + asked).json();
  EXPECT_EQ(found.at("interval_status"), "not-yet");
  EXPECT_TRUE(found.at("standard_error")[0].is_null());
  EXPECT_TRUE(found.at("low")[0].is_null());
  EXPECT_TRUE(found.at("values")[0].is_number());
  const Outcome text =
      place.run("learn --loss mean --gamma 0.5 --algorithm newton --warmup 400 " + asked);
  EXPECT_THAT(text.out, HasSubstr("not yet"));
}

TEST(Learn, RaisesAnAlarmWhenCostsChange) {
  const Workplace place;
  place.write("quiet.csv", Stream(20000).csv());
  place.write("changed.csv", Stream(20000, 12000).csv());
  const Outcome quiet = place.run(std::string(by_newton) + "quiet.csv");
  EXPECT_EQ(quiet.json().at("drift").at("alarms"), 0);
  EXPECT_TRUE(quiet.json().at("drift").at("last_alarm_row").is_null());
  EXPECT_EQ(quiet.err, "");
  const Outcome changed = place.run(std::string(by_newton) + "changed.csv");
  const std::uint64_t row = changed.json().at("drift").at("last_alarm_row");
  EXPECT_GT(row, 12000u);
  EXPECT_LT(row, 16000u);
  EXPECT_THAT(changed.err, HasSubstr(fmt::format(
                               "warning: at row {} the residuals have moved away from zero", row)));
}

TEST(Learn, ForgetsWithAHalfLife) {
  const Workplace place;
  place.write("changed.csv", Stream(20000, 12000).csv());
  const double whole = place.run(std::string(by_newton) + "changed.csv").json().at("theta")[0];
  const double recent =
      place.run(std::string(by_newton) + "--forget 500 changed.csv").json().at("theta")[0];
  // The value rises by 2 / (1 - γ) = 4 with the change, which is the whole of it after 16
  // half-lives.
  EXPECT_GT(recent, whole + 0.5);
}

TEST(Learn, RefusesIntervalsThatDoNotExist) {
  const Workplace place;
  place.write("s.csv", "x1,y1,cost\n1,1,1\n");
  place.write("two.csv", "x1,x2\n1,2\n");
  const auto expect_refused = [&](const std::string& options, const std::string& message) {
    const Outcome outcome = place.run("learn --loss expectile:0.9 --gamma 0.5 s.csv " + options);
    EXPECT_EQ(outcome.exit_code, 2) << options;
    EXPECT_THAT(outcome.err, HasSubstr(message)) << options;
  };
  expect_refused("--algorithm td --confidence 0.9", "accepted: --algorithm newton, or an average");
  expect_refused("--algorithm newton --confidence 1", "--confidence is 1; accepted");
  expect_refused("--algorithm newton --confidence nan", "--confidence is nan; accepted");
  expect_refused("--algorithm newton --as-published --confidence 0.9", "accepted: one of them");
  expect_refused("--algorithm newton --as-published --forget 9", "accepted: one of them");
  expect_refused("--algorithm td --as-published", "accepted: --algorithm newton");
  expect_refused("--algorithm newton --at two.csv", "1 features, but --at has 2");
  expect_refused("--algorithm newton --confidence 0.9 --at two.csv",
                 "1 features, but --at has 2; accepted: the same number");
  expect_refused("--algorithm newton --forget 0.5", "--forget is 0.5; accepted");
  expect_refused("--algorithm newton --false-alarm-rate 0", "--false-alarm-rate is 0; accepted");
  expect_refused("--algorithm td --average-from 0 --step 0.1 --confidence 0.9",
                 "--step 0.1, whose bias it would not show; accepted: decreasing steps");
  expect_refused("--algorithm newton --confidence 0.9 --at two.csv --predictions two.csv", "--at");
  expect_refused("--algorithm newton --forget 9 --confidence 0.9 --interval-method random-scaling",
                 "accepted: batch-means");
  expect_refused("--algorithm td --average-from 0 --confidence 0.9 --interval-method batch-means",
                 "accepted: random-scaling");
}

}  // namespace
}  // namespace shortfall::testing
