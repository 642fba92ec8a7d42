// `shortfall learn --algorithm averager-td|averager-newton`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shortfall/learn/any_learner.hpp"
#include "tests/apps/command_runner.hpp"
#include "tests/apps/stream_for_tests.hpp"

namespace shortfall::testing::averagers {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string command = "learn --json --loss expectile:0.95 --gamma 0.9 --algorithm ";

TEST(LearnAverager, EqualsTheLibrarysLearner) {
  const Workplace place;
  const StreamForTests stream(4, 2000, 1, StreamFeatures::averager);
  const AnyLoss loss = Expectile(0.95);
  using learn::Algorithm;
  struct Case {
    std::string options;
    learn::LearnerOptions learner;
  };
  const std::vector<Case> cases = {
      {"averager-td", {.algorithm = Algorithm::averager_td, .loss = loss, .gamma = 0.9}},
      {"averager-td --step 0.5 --average-from 100 --forget 500",
       {.algorithm = Algorithm::averager_td,
        .loss = loss,
        .gamma = 0.9,
        .step = learn::ConstantStep(0.5),
        .average_from = 100,
        .half_life = 500}},
      {"averager-newton --warmup 1",
       {.algorithm = Algorithm::averager_newton,
        .loss = loss,
        .gamma = 0.9,
        .newton = {.warmup = 1}}}};
  place.write("stream.csv", stream.csv());
  for (const auto& [options, learner_options] : cases) {
    learn::AnyLearner learner(4, learner_options);
    for (const auto& [x, y, cost, terminal] : stream.data) {
      (void)(terminal ? learner.update_terminal(x, cost) : learner.update(x, cost, y));
    }
    const Outcome csv = place.run(command + options + " stream.csv");
    ASSERT_LE(csv.exit_code, 1) << csv.err;  // 1: values have not settled
    EXPECT_EQ(csv.json().at("theta").get<std::vector<double>>(),
              std::vector<double>(learner.theta().begin(), learner.theta().end()));
    EXPECT_EQ(csv.json().at("updates"), 2000);
    EXPECT_EQ(place.run(command + options, stream.ndjson()).out, csv.out);
  }
}

TEST(LearnAverager, SaysWhatIsProved) {
  const Workplace place;
  place.write("s.csv", StreamForTests(2, 300, 1, StreamFeatures::averager).csv());
  const auto text = [&](const std::string& options) {
    return place.run("learn s.csv --loss " + options).out;
  };
  EXPECT_THAT(text("expectile:0.99 --gamma 0.99 --algorithm averager-td"),
              Not(HasSubstr("theory")));
  EXPECT_THAT(text("expectile:0.99 --gamma 0.99 --algorithm td"), HasSubstr("does not guarantee"));
  EXPECT_THAT(text("mean --gamma 1 --algorithm averager-td"), HasSubstr("does not guarantee"));
  EXPECT_THAT(text("mean --gamma 0.9 --algorithm averager-td --step 0.1"),
              HasSubstr("does not guarantee"));
  // Steps that a half-life holds do not vanish.
  EXPECT_THAT(text("mean --gamma 0.9 --algorithm averager-td --forget 500"),
              HasSubstr("does not guarantee"));
  EXPECT_THAT(text("mean --gamma 0.9 --algorithm averager-newton --warmup 9"),
              HasSubstr("no convergence proof exists for Newton"));
  EXPECT_EQ(place.run(command + "averager-td s.csv").json().at("options_meet_conditions"), true);
}

TEST(LearnAverager, HasIntervals) {
  const Workplace place;
  place.write("s.csv", StreamForTests(2, 9000, 1, StreamFeatures::averager).csv());
  // The iterates of TD forget within a batch if steps, slopes and 1 - γ are large.
  for (const std::string options :
       {"expectile:0.95 --gamma 0.9 --algorithm averager-newton",
        "mean --gamma 0.5 --algorithm averager-td --average-from 1000 --step 30,300,0.6"}) {
    const Outcome found = place.run("learn s.csv --json --confidence 0.95 --loss " + options);
    ASSERT_EQ(found.exit_code, 0) << found.err;
    EXPECT_EQ(found.json().at("interval_status"), "ok") << options;
    EXPECT_GT(found.json().at("standard_error").at(1), 0.0);
  }
  EXPECT_EQ(place.run(command + "averager-td s.csv --confidence 0.95").exit_code, 2);
}

TEST(LearnAverager, RefusesOtherFeaturesWithTheirLineAndColumn) {
  const Workplace place;
  const std::string header = "x1,x2,y1,y2,cost,terminal\n0.5,0.5,1,0,1,0\n";
  const auto message = [&](const std::string& text, const std::string& options = "averager-td") {
    place.write("s.csv", text);
    const Outcome outcome = place.run(command + options + " s.csv");
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.out, IsEmpty());
    return outcome.err;
  };
  const std::string accepted = "accepted: features >= 0 that sum to at most 1";
  EXPECT_THAT(message(header + "0.5,-0.25,1,0,1,0\n"),
              HasSubstr("s.csv, line 3, column x2: found -0.25; " + accepted));
  EXPECT_THAT(
      message(header + "0.5,0.25,0.75,0.5,1,0\n", "averager-newton"),
      HasSubstr("s.csv, line 3: the features y sum to 1.25, the largest is y1: 0.75; " + accepted));
  EXPECT_THAT(message("{\"x\":[0.5,0.5],\"y\":[0,-1],\"cost\":1}\n"),
              HasSubstr("s.csv, line 1: element 2 of y is -1; " + accepted));
  EXPECT_THAT(message(header + "0.5,-0.25,1,0,1,0"), HasSubstr("the line is truncated"));
  // After an end the next features are not used.
  place.write("s.csv", header + "0.5,0.25,7,-1,1,1\n");
  EXPECT_EQ(place.run(command + "averager-td s.csv").exit_code, 0);
}

TEST(LearnAverager, SkipsSuchRowsOnRequest) {
  const Workplace place;
  const StreamForTests stream(2, 100, 1, StreamFeatures::averager);
  place.write("good.csv", stream.csv());
  place.write("bad.csv", stream.csv(0, 0) + stream.header() + stream.csv(0, 50) +
                             "0.5,-0.25,1,0,1,0\n0.5,0.75,1,0,1,0\n" + stream.csv(50, 100));
  const Outcome skipped = place.run(command + "averager-td --skip-bad-rows bad.csv");
  EXPECT_EQ(skipped.exit_code, 0) << skipped.err;
  EXPECT_EQ(skipped.json().at("skipped_rows"), 2);
  EXPECT_EQ(skipped.json().at("theta"),
            place.run(command + "averager-td good.csv").json().at("theta"));
  // Other algorithms take them.
  EXPECT_EQ(place.run(command + "td bad.csv").json().at("updates"), 102);
}

}  // namespace
}  // namespace shortfall::testing::averagers
