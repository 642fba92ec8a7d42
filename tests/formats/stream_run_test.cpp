#include "shortfall/formats/stream_run.hpp"

#include <random>
#include <string>
#include <vector>

#include "tests/files_for_tests.hpp"
#include "tests/formats/transitions_for_tests.hpp"

namespace shortfall::learn {
namespace {

using io::FileTest;
using io::Pipe;
using io::Transition;
using io::TransitionStream;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

/// Rows of two features, some terminal, some weighted; with bad lines if wanted.
std::string random_stream(int rows, bool has_bad_rows, bool has_seq) {
  std::mt19937_64 random(7);
  const auto draw = [&] { return static_cast<double>(random() % 1000) / 1000.0; };
  std::string text =
      has_seq ? "seq,x1,x2,y1,y2,cost,terminal,weight\n" : "x1,x2,y1,y2,cost,terminal,weight\n";
  for (int i = 0; i < rows; ++i) {
    if (has_bad_rows && i % 17 == 5) text += "bad\n";
    if (has_seq) text += fmt::format("{},", 3 * i);
    text += fmt::format("1,{},1,{},{},{},{}\n", draw(), draw(), draw(), random() % 9 == 0 ? 1 : 0,
                        0.5 + draw());
  }
  return text;
}

StreamOptions options_of(Algorithm algorithm, bool skip_bad_rows = false) {
  return {.learner = {.algorithm = algorithm,
                      .loss = Expectile(0.8),
                      .gamma = 0.9,
                      .lambda = 0.5,
                      .newton = {.warmup = 20}},
          .skip_bad_rows = skip_bad_rows};
}

class StreamRunTest : public FileTest {
 protected:
  /// What a run leaves behind: the learner, the checkpoint and the predictions.
  struct Left {
    std::vector<double> theta;
    std::string checkpoint, predictions;
    bool operator==(const Left&) const = default;
  };
  StreamOptions with_files(StreamOptions options) const {
    options.checkpoint = path("state");
    options.predictions = path("predictions.csv");
    return options;
  }
  Left left_by(const StreamRun& run) const {
    const std::span<const double> theta = run.learner()->theta();
    return {{theta.begin(), theta.end()}, content(path("state")), content(path("predictions.csv"))};
  }
};

TEST_F(StreamRunTest, AStreamIsARangeOfItsRows) {
  const std::string stream = file("x1,y1,cost,terminal\n1,2,3,0\n2,5,4,1\n");
  TransitionStream in(stream);
  std::vector<std::string> rows;
  for (const Transition& row : in) rows.push_back(io::text_of(row));
  EXPECT_THAT(rows, ElementsAreArray({"1 | 2 | 3", "2 | 0 | 4 terminal"}));
}

TEST_F(StreamRunTest, LearnsAsALearnerThatIsGivenTheRows) {
  const std::string stream = file(random_stream(300, false, false));
  for (const auto& [name, algorithm] : algorithm_names) {
    if (is_averager(algorithm)) continue;  // these features are not theirs
    const StreamOptions options = options_of(algorithm);
    AnyLearner learner(2, options.learner);
    TransitionStream rows(stream);
    for (const Transition& row : rows) {
      (void)(row.terminal ? learner.update_terminal(row.phi, row.cost, row.weight)
                          : learner.update(row.phi, row.cost, row.phi_next, row.weight));
    }
    StreamRun run(stream, options);
    std::uint64_t seen = 0;
    for (const Transition& row : run) {
      EXPECT_EQ(row.phi.size(), 2U);
      EXPECT_EQ(run.learner()->updates(), ++seen) << "the row has been learned";
    }
    EXPECT_EQ(seen, 300U) << name;
    EXPECT_THAT(run.learner()->theta(), ElementsAreArray(learner.theta())) << name;
  }
}

TEST_F(StreamRunTest, ResumesAFileWithTheBytesOfARunThatWasNeverStopped) {
  const std::string stream = file(random_stream(200, true, false));
  for (const Algorithm algorithm : {Algorithm::td, Algorithm::td_lambda, Algorithm::newton}) {
    const StreamOptions options = with_files(options_of(algorithm, true));
    std::filesystem::remove(path("state"));
    StreamRun whole(stream, options);
    while (whole.advance()) continue;
    whole.close();
    const Left expected = left_by(whole);
    std::filesystem::remove(path("state"));
    std::uint64_t saved = 0;
    for (int part = 0; saved < 200; ++part) {
      StreamRun run(stream, options);
      EXPECT_EQ(run.is_resumed(), part > 0);
      EXPECT_EQ(run.resumed_at().rows, saved);
      bool has_row = true;
      for (int n = 0; n < 37 && has_row; ++n) has_row = run.advance();
      const bool is_killed = has_row && part % 2 == 1;
      if (is_killed) continue;
      run.save();
      saved = run.stream().rows();
      if (!has_row) {
        EXPECT_EQ(left_by(run), expected) << to_string(algorithm);
      }
    }
  }
}

TEST_F(StreamRunTest, RowsThatAPipeRepeatsCountOnce) {
  const std::string text = random_stream(100, true, true);
  const StreamOptions options = with_files(options_of(Algorithm::newton, true));
  const auto learn = [&](std::string_view part, bool is_last) {
    Pipe pipe;
    pipe.write(part);
    pipe.close();
    StreamRun run(pipe.path(), options);
    while (run.advance()) continue;
    EXPECT_FALSE(run.may_learn_twice());
    if (is_last) {
      EXPECT_GT(run.stream().replayed_rows(), 20U);
    }
    return std::pair(left_by(run), run.learner()->updates());
  };
  const auto [whole, updates] = learn(text, false);
  std::filesystem::remove(path("state"));
  const std::size_t half = text.find('\n', text.size() / 2) + 1;
  learn(std::string_view(text).substr(0, half), false);
  const auto [resumed, updates_in_all] = learn(text, true);  // from the beginning
  EXPECT_EQ(updates_in_all, updates);
  EXPECT_EQ(resumed.theta, whole.theta);
  EXPECT_EQ(resumed.predictions, whole.predictions);
  EXPECT_EQ(resumed.checkpoint, whole.checkpoint);
}

TEST_F(StreamRunTest, APipeWithoutNumbersSaysThatRowsMayCountTwice) {
  const std::string text = random_stream(10, false, false);
  StreamOptions options = options_of(Algorithm::td);
  options.checkpoint = path("state");
  const auto run_on = [&](std::string_view part) {
    Pipe pipe;
    pipe.write(part);
    pipe.close();
    StreamRun run(pipe.path(), options);
    while (run.advance()) continue;
    return std::pair(run.may_learn_twice(), run.learner()->updates());
  };
  EXPECT_EQ(run_on(text), std::pair(false, std::uint64_t{10}));
  EXPECT_EQ(run_on("x1,x2,y1,y2,cost,terminal,weight\n1,1,1,1,1,0,1\n"),
            std::pair(true, std::uint64_t{11}));
  options.resume_at_row = 1;
  EXPECT_EQ(run_on(text + "1,1,1,1,1,0,1\n1,1,1,1,2,0,1\n"), std::pair(false, std::uint64_t{12}));
  options.resume_at_row = 14;
  EXPECT_EQ(io::failure_of<InvalidField>([&] { run_on(text); }).find("resume-at-row"),
            std::string::npos);
}

TEST_F(StreamRunTest, AnOptionThatHasChangedIsNamedWithoutDashesIfTheAlgorithmHasIt) {
  const std::string stream = file(random_stream(30, false, false));
  StreamOptions options = options_of(Algorithm::td);
  options.checkpoint = path("state");
  StreamRun first(stream, options);
  while (first.advance()) continue;
  first.close();
  StreamOptions other = options;
  other.learner.lambda = 0.25;
  other.learner.newton.warmup = 7;
  EXPECT_TRUE(StreamRun(stream, other).is_resumed()) << "td has neither";
  other.learner.average_from = 3;
  const std::string message = io::failure_of<io::ChangedOption>([&] { StreamRun(stream, other); });
  EXPECT_THAT(message, HasSubstr("average-from is 3, but the checkpoint"));
  EXPECT_EQ(message.find("--"), std::string::npos);
}

TEST_F(StreamRunTest, WhatACheckpointCannotHoldIsRefused) {
  const std::string stream = file(random_stream(30, false, false));
  StreamOptions options = options_of(Algorithm::newton);
  options.learner.loss = CustomLoss(Mean());
  options.learner.newton.refactor_every = 10;
  StreamRun without(stream, options);
  while (without.advance()) continue;
  options.checkpoint = path("state");
  EXPECT_THAT(io::failure_of<InvalidField>([&] { StreamRun(stream, options); }),
              HasSubstr("user-defined loss"));
  options.learner.loss = Mean();
  EXPECT_THAT(io::failure_of<InvalidField>([&] { StreamRun(stream, options); }),
              HasSubstr("refactor_every = 10"));
}

TEST_F(StreamRunTest, RowsBeforeABadOneAreSavedAndTheRunHasEnded) {
  const std::string stream = file("x1,y1,cost\n1,1,1\n1,1,2\nbad\n1,1,3\n");
  StreamOptions options = options_of(Algorithm::td);
  options.checkpoint = path("state");
  StreamRun run(stream, options);
  EXPECT_TRUE(run.advance());
  EXPECT_TRUE(run.advance());
  EXPECT_THROW((void)run.advance(), InvalidInput);
  EXPECT_FALSE(run.advance());
  run.close();
  EXPECT_EQ(StreamRun(stream, options).resumed_at().rows, 2U);
}

TEST_F(StreamRunTest, TheNumberOfFeaturesCanBeRefusedBeforeAFileIsReplaced) {
  StreamOptions options = options_of(Algorithm::td);
  options.predictions = file("kept", "predictions.csv");
  options.check_dimension = [](std::size_t d) {
    if (d != 3) throw InvalidInput(fmt::format("{} features; accepted: 3", d));
  };
  StreamRun run(file("x1,y1,cost\n1,1,1\n"), options);
  EXPECT_THAT(io::failure_of<InvalidInput>([&] { (void)run.advance(); }),
              HasSubstr("in.csv: 1 features; accepted: 3"));
  EXPECT_EQ(content(path("predictions.csv")), "kept");
}

}  // namespace
}  // namespace shortfall::learn
