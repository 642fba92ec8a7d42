// `shortfall learn` as a script sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shortfall/learn/any_learner.hpp"
#include "tests/apps/command_runner.hpp"
#include "tests/apps/stream_for_tests.hpp"

namespace shortfall::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string td = "learn --loss expectile:0.9 --gamma 0.9 --algorithm td --step 0.2,100,0.7 ";
const std::string newton = "learn --loss expectile:0.7 --gamma 0.5 --algorithm newton --warmup 50 ";

void expect_refused(const Outcome& outcome, const std::vector<std::string>& parts) {
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_THAT(outcome.out, IsEmpty());
  for (const auto& part : parts) EXPECT_THAT(outcome.err, HasSubstr(part));
}

TEST(Learn, EqualsTheLibrarysLearnerOnCsvJsonAndPipes) {
  const Workplace place;
  const StreamForTests stream(3, 2000);
  struct Case {
    std::string command;
    learn::LearnerOptions options;
  };
  const AnyLoss loss = AnyLoss::parse("soft-quantile:0.7,2");
  const std::string common = "learn --json --loss soft-quantile:0.7,2 --gamma 0.8 --algorithm ";
  const std::vector<Case> cases = {
      {"td", {.loss = loss, .gamma = 0.8}},
      {"td --step 0.01", {.loss = loss, .gamma = 0.8, .step = learn::ConstantStep(0.01)}},
      {"td --average-from 100", {.loss = loss, .gamma = 0.8, .average_from = 100}},
      {"td-lambda --lambda 0.25 --step 1,50,0.75",
       {.algorithm = learn::Algorithm::td_lambda,
        .loss = loss,
        .gamma = 0.8,
        .lambda = 0.25,
        .step = learn::PolynomialStep(1, 50, 0.75)}},
      {"newton --warmup 30",
       {.algorithm = learn::Algorithm::newton,
        .loss = loss,
        .gamma = 0.8,
        .newton = {.warmup = 30}}}};
  place.write("stream.csv", stream.csv());
  place.write("stream.ndjson", stream.ndjson());
  for (const auto& [command, options] : cases) {
    learn::AnyLearner learner(3, options);
    for (const auto& [x, y, cost, terminal] : stream.data) {
      (void)(terminal ? learner.update_terminal(x, cost) : learner.update(x, cost, y));
    }
    const std::vector<double> theta(learner.theta().begin(), learner.theta().end());
    const Outcome csv = place.run(common + command + " stream.csv");
    ASSERT_EQ(csv.exit_code, learner.status() == learn::LearnerStatus::ok ? 0 : 1) << csv.err;
    EXPECT_THAT(csv.err, IsEmpty());
    EXPECT_EQ(csv.json().at("theta").get<std::vector<double>>(), theta) << command;
    EXPECT_EQ(csv.json().at("updates"), 2000);
    EXPECT_EQ(csv.json().at("status"), to_string(learner.status()));
    EXPECT_EQ(place.run(common + command + " stream.ndjson").out, csv.out);
    EXPECT_EQ(place.run(common + command, stream.csv()).out, csv.out);
    EXPECT_EQ(place.run(common + command + " -", stream.ndjson()).out, csv.out);
    EXPECT_EQ(place.run(common + command + " --threads 1 stream.csv").out, csv.out);
  }
}

TEST(Learn, PrintsText) {
  const Workplace place;
  place.write("stream.csv", StreamForTests(2, 100).csv());
  const Outcome text = place.run(td + "stream.csv");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, AllOf(HasSubstr("100 updates of 2 weights"), HasSubstr("theta"),
                              HasSubstr("finished: 100 rows, no divergence"),
                              HasSubstr("does not guarantee")));
  EXPECT_THAT(place.run("learn --loss mean --gamma 0.9 --algorithm td stream.csv").out,
              ::testing::Not(HasSubstr("guarantee")));
  const Outcome help = place.run("learn --help");
  EXPECT_THAT(help.out, AllOf(HasSubstr("--checkpoint"), HasSubstr("Example")));
}

TEST(Learn, HasNoAnswerIfItWarmsUpOrIsSingularOrDiverges) {
  const Workplace place;
  place.write("short.csv", StreamForTests(2, 20).csv());
  const Outcome warming = place.run(newton + "--json short.csv");
  EXPECT_EQ(warming.exit_code, 1);
  EXPECT_EQ(warming.json().at("status"), "warming-up");
  EXPECT_THAT(place.run(newton + "short.csv").out,
              AllOf(HasSubstr("still warming up after 20 rows"),
                    HasSubstr("no convergence proof exists for Newton; --confidence")));
  std::string same = "x1,x2,y1,y2,cost\n";
  for (int n = 0; n < 100; ++n) same += fmt::format("{0},{0},{1},{1},1\n", n % 7, n % 5);
  place.write("same.csv", same);
  const Outcome singular = place.run(newton + "--json same.csv");
  EXPECT_EQ(singular.exit_code, 1);
  EXPECT_EQ(singular.json().at("status"), "singular");
  EXPECT_GT(singular.json().at("failed_inversions"), 1);
  const Outcome diverged =
      place.run("learn --json --loss mean --gamma 0.9 --algorithm td --step 10 same.csv");
  EXPECT_EQ(diverged.exit_code, 1);
  EXPECT_EQ(diverged.json().at("status"), "diverged");
  EXPECT_LT(diverged.json().at("updates"), 100);
  const nlohmann::json document = diverged.json();
  for (const auto& weight : document.at("theta")) EXPECT_TRUE(weight.is_number());
}

TEST(Learn, SkipsAndCountsBadRowsOnRequest) {
  const Workplace place;
  const StreamForTests stream(2, 300);
  const std::string bad = "1,2\nx,y,z,1,2,3\n";
  place.write("bad.csv", stream.header() + stream.csv(0, 100) + bad + stream.csv(100, 300));
  place.write("good.csv", stream.csv());
  const auto skipped = place.run(td + "--json --skip-bad-rows bad.csv").json();
  const auto clean = place.run(td + "--json good.csv").json();
  EXPECT_EQ(skipped.at("skipped_rows"), 2);
  EXPECT_EQ(clean.at("skipped_rows"), 0);
  EXPECT_EQ(skipped.at("updates"), 300);
  EXPECT_EQ(skipped.at("theta"), clean.at("theta"));
  place.write("worst.ndjson", "{}\n{}\n");
  const Outcome worst = place.run(td + "--skip-bad-rows --json worst.ndjson");
  EXPECT_EQ(worst.exit_code, 1) << "as for CSV";
  EXPECT_EQ(worst.json().at("status"), "no-rows");
  EXPECT_EQ(worst.json().at("skipped_rows"), 2);
  EXPECT_THAT(worst.err, HasSubstr("there is no row to learn from, 2 bad rows"));
}

TEST(Learn, HasNoAnswerWithoutARow) {
  const Workplace place;
  const StreamForTests stream(2, 10);
  place.write("header.csv", stream.header());
  place.write("bad.csv", stream.header() + "1,2\nx,y,z,1,2,3\n");
  place.write("whole.csv", stream.csv());
  for (const std::string& command : {td, newton}) {
    const Outcome header = place.run(command + "--json header.csv");
    EXPECT_EQ(header.exit_code, 1);
    EXPECT_EQ(header.json().at("status"), "no-rows");
    EXPECT_EQ(header.json().at("updates"), 0);
    EXPECT_EQ(header.json().at("theta"), nlohmann::json({0.0, 0.0}));
    EXPECT_THAT(header.err, AllOf(HasSubstr("header.csv: there is no row to learn from"),
                                  HasSubstr("accepted: at least one")));
    const Outcome bad = place.run(command + "--skip-bad-rows bad.csv");
    EXPECT_EQ(bad.exit_code, 1);
    EXPECT_THAT(bad.out, HasSubstr("no rows"));
    EXPECT_THAT(bad.err, HasSubstr("bad.csv: there is no row to learn from, 2 bad rows"));
  }
  EXPECT_EQ(place.run(td + "-", stream.header()).exit_code, 1);
  EXPECT_EQ(place.run(td + "-", stream.header() + stream.csv(0, 1)).exit_code, 0);
}

TEST(Learn, HasTheAnswerOfItsCheckpointIfNoRowFollows) {
  const Workplace place;
  const StreamForTests stream(2, 10);
  place.write("whole.csv", stream.csv());
  const std::string command = td + "--json --checkpoint state whole.csv";
  EXPECT_EQ(place.run(command).exit_code, 0);
  const Outcome second = place.run(command);
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(second.json().at("updates"), 10);
  EXPECT_EQ(second.json().at("status"), "ok");
}

TEST(Learn, KeepsTheRowsBeforeABadOne) {
  const Workplace place;
  const StreamForTests stream(2, 400);
  const std::string first = stream.header() + stream.csv(0, 250);
  place.write("stream.csv", first + "1,2,three,4,5,0\n" + stream.csv(251, 400));
  const std::string command = newton + "--json --checkpoint state stream.csv";
  expect_refused(place.run(command), {"stream.csv, line 252, column y1"});
  place.write("stream.csv", stream.csv());
  const Outcome mended = place.run(command);
  EXPECT_THAT(mended.err, HasSubstr("after 250 rows"));
  EXPECT_EQ(mended.out, place.run(newton + "--json stream.csv").out);
}

}  // namespace
}  // namespace shortfall::testing
