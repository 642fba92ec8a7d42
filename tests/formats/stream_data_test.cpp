// Runs over streams whose data are not as they should be, and whose files are moved away.
#include <fmt/format.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "shortfall/formats/stream_run.hpp"
#include "tests/files_for_tests.hpp"
#include "tests/formats/transitions_for_tests.hpp"

namespace shortfall::learn {
namespace {

using io::FileTest;
using io::Pipe;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class StreamData : public FileTest {
 protected:
  /// With step and γ 1/2, costs of 2 in one state give θ = 1, 1.75, 2.3125, ..
  StreamOptions options() const {
    return {.learner = {.loss = Mean(), .gamma = 0.5, .step = ConstantStep(0.5)},
            .checkpoint = path("state")};
  }
  static std::string costs(const std::vector<std::string>& all) {
    std::string text = "x1,y1,cost\n";
    for (const std::string& cost : all) text += "1,1," + cost + "\n";
    return text;
  }
  /// Rows 1 to `rows`, of which those named are bad.
  static std::string with_bad_rows(int rows, const std::vector<int>& bad) {
    std::string text = "x1,y1,cost\n";
    for (int row = 1; row <= rows; ++row) {
      const bool is_bad = std::ranges::find(bad, row) != bad.end();
      text += is_bad ? "bad\n" : "1,1,2\n";
    }
    return text;
  }
  static std::uint64_t learn_all(const std::string& stream, const StreamOptions& options) {
    StreamRun run(stream, options);
    while (run.advance()) continue;
    run.close();
    return run.learner()->updates();
  }
};

TEST_F(StreamData, ABadRowCanBePassedOverWhenTheRunResumes) {
  const std::string stream = file(costs({"2", "two", "4"}));
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(io::failure_of<InvalidInput>([&] { learn_all(stream, options()); }),
                HasSubstr("line 3, column cost"));
  }
  StreamOptions skipping = options();
  skipping.skip_bad_rows = true;
  StreamRun run(stream, skipping);
  EXPECT_EQ(run.resumed_at().rows, 1U);
  EXPECT_TRUE(run.advance());
  EXPECT_FALSE(run.advance());
  EXPECT_EQ(run.learner()->updates(), 2U);
  EXPECT_EQ(run.stream().skipped_rows(), 1U);
  EXPECT_EQ(run.last_bad_row().row, 2U);
  EXPECT_THAT(run.last_bad_row().reason, StartsWith("column cost: found \"two\"; accepted: "));
}

TEST_F(StreamData, BadRowsAreWrittenOnceWithTheirReasonsHoweverOftenTheRunIsKilled) {
  std::mt19937_64 random(3);
  std::string text = "x1,y1,cost\n";
  for (int i = 0; i < 150; ++i) {
    const std::uint64_t kind = random() % 6;
    text += kind == 0 ? "\n" : kind == 1 ? "1,\"a\"\"b\",c\n" : "1,1,2\n";
  }
  const std::string stream = file(text + "1,1,\"no line end");
  StreamOptions writing = options();
  writing.bad_rows = path("bad.csv");
  learn_all(stream, writing);
  const std::string whole = content(path("bad.csv"));
  const std::string state = content(path("state"));
  EXPECT_THAT(whole, StartsWith("row,line,reason,text\n"));
  EXPECT_THAT(whole, HasSubstr(R"(,"column y1: found ""a\""\""b""; accepted: a finite number",)"
                               R"("1,""a""""b"",c")"
                               "\n"));
  EXPECT_THAT(whole,
              HasSubstr(",the line is blank; accepted: blank lines after the last row only,\n"));
  EXPECT_THAT(whole, HasSubstr("151,152,"));
  std::filesystem::remove(path("state"));
  for (int part = 0;; ++part) {
    StreamRun run(stream, writing);
    bool has_row = true;
    for (int n = 0; n < 13 && has_row; ++n) has_row = run.advance();
    if (!has_row) break;
    if (part % 3 != 2) run.save();
    if (part % 2 == 0) (void)run.advance();
  }
  EXPECT_EQ(content(path("bad.csv")), whole);
  EXPECT_EQ(content(path("state")), state);
}

TEST_F(StreamData, OneBadRowMoreThanTheShareOfAThousandEndsTheRun) {
  StreamOptions sharing = options();
  sharing.largest_bad_share = 0.002;
  // 2 of the first thousand and 2 of the second, four of them in a row.
  EXPECT_EQ(learn_all(file(with_bad_rows(2000, {999, 1000, 1001, 1002})), sharing), 1996U);
  std::filesystem::remove(path("state"));
  const std::string stream = file(with_bad_rows(2000, {999, 1000, 1001, 1002, 2000}));
  EXPECT_THAT(io::failure_of<InvalidInput>([&] { learn_all(stream, sharing); }),
              HasSubstr("3 of the rows 1001 to 2000 are bad, the last in line 2001"));
  EXPECT_THAT(io::failure_of<InvalidInput>([&] { learn_all(stream, sharing); }),
              HasSubstr("3 of the rows 1001 to 2000"))
      << "a resumed run counts on";
  sharing.largest_bad_share = 0.003;
  EXPECT_EQ(learn_all(stream, sharing), 1995U);
}

TEST_F(StreamData, ACostOutsideTheRangeIsABadRowOrClippedToItsBound) {
  StreamOptions limited = options();
  limited.costs = {.low = 0.0, .high = 4.0};
  const std::string stream = file(costs({"4", "0", "4.5", "2"}));
  EXPECT_THAT(io::failure_of<InvalidInput>([&] { learn_all(stream, limited); }),
              HasSubstr("line 4, column cost: found 4.5; accepted: a cost from 0 to 4"));
  std::filesystem::remove(path("state"));
  limited.costs.outside = io::CostRange::Outside::clip;
  StreamRun run(stream, limited);
  while (run.advance()) continue;
  run.close();
  EXPECT_EQ(run.stream().clipped_rows(), 1U);
  const std::string clipped = file(costs({"4", "0", "4", "2"}), "clipped.csv");
  StreamOptions plain = options();
  plain.checkpoint.clear();
  StreamRun other(clipped, plain);
  while (other.advance()) continue;
  EXPECT_EQ(run.learner()->theta()[0], other.learner()->theta()[0]);
  EXPECT_EQ(StreamRun(stream, limited).stream().clipped_rows(), 1U) << "of the checkpoint";
}

TEST_F(StreamData, ARangeThatIsNoneAndAShareAboveOneAreRefused) {
  const std::string stream = file(costs({"1"}));
  StreamOptions wrong = options();
  wrong.costs = {.low = 2.0, .high = 1.0};
  EXPECT_THROW(StreamRun(stream, wrong), InvalidField);
  wrong = options();
  wrong.largest_bad_share = 1.5;
  EXPECT_THROW(StreamRun(stream, wrong), InvalidField);
}

TEST_F(StreamData, AllOptionsThatMustNotChangeAreNamedAndTheOthersMayChange) {
  const std::string stream = file(costs({"2", "2"}));
  learn_all(stream, options());
  StreamOptions changed = options();
  changed.false_alarm_rate = 0.1;
  changed.skip_bad_rows = true;
  changed.predictions = path("p.csv");
  changed.bad_rows = path("b.csv");
  changed.costs = {.low = 0.0, .high = 9.0};
  EXPECT_TRUE(StreamRun(stream, changed).is_resumed());
  changed.learner.gamma = 0.75;
  changed.learner.loss = Expectile(0.9);
  const std::string message =
      io::failure_of<io::ChangedOption>([&] { StreamRun(stream, changed); });
  EXPECT_THAT(message, HasSubstr("loss is expectile:0.9 and gamma is 0.75, but the checkpoint"));
  EXPECT_THAT(message, HasSubstr("was made with mean and 0.5; accepted: "));
  EXPECT_THAT(message, HasSubstr("(these may not change: algorithm, loss, gamma, step"));
}

TEST_F(StreamData, PredictionsGoOnAfterTheirFileWasMovedOrEmptied) {
  StreamOptions predicting = options();
  predicting.predictions = path("p.csv");
  const std::string header = "row,value,residual\n";
  Pipe pipe;
  StreamRun run(pipe.path(), predicting);
  pipe.write(costs({"2"}));
  EXPECT_TRUE(run.advance());
  std::filesystem::rename(path("p.csv"), path("p.csv.1"));
  run.reopen();
  EXPECT_EQ(content(path("p.csv.1")), header + "1,0,2\n");
  pipe.write("1,1,2\n");
  EXPECT_TRUE(run.advance());
  run.save();
  EXPECT_EQ(content(path("p.csv")), header + "2,1,1.5\n");
  std::filesystem::resize_file(path("p.csv"), 0);
  pipe.write("1,1,2\n");
  EXPECT_TRUE(run.advance());
  run.close();
  EXPECT_EQ(content(path("p.csv")), header + "3,1.75,1.125\n");

  // Between two runs.
  const auto next = [&](const std::string& notice) {
    predicting.resume_at_row = StreamRun(pipe.path(), options()).resumed_at().rows + 1;
    StreamRun resumed(pipe.path(), predicting);
    pipe.write("1,1,2\n");
    EXPECT_TRUE(resumed.advance());
    EXPECT_THAT(resumed.file_notice(), HasSubstr(notice));
    resumed.close();
    return content(path("p.csv"));
  };
  std::filesystem::remove(path("p.csv"));
  EXPECT_THAT(next("a new one begins"), StartsWith(header + "4,"));
  std::filesystem::resize_file(path("p.csv"), 0);
  EXPECT_THAT(next("a new one begins"), StartsWith(header + "5,"));
  const std::string shorter = header + "1,2,3\n1,2";
  file(shorter, "p.csv");
  EXPECT_THAT(next("rows are added at its end"), StartsWith(header + "1,2,3\n6,"));
  file("a letter, not predictions\n", "p.csv");
  EXPECT_THAT(io::failure_of<InvalidField>([&] { next(""); }),
              HasSubstr("does not begin with the line \"row,value,residual\""));
  EXPECT_EQ(content(path("p.csv")), "a letter, not predictions\n");
}

TEST_F(StreamData, PredictionsGoIntoAPipe) {
  Pipe out;
  std::string written(200, '\0');
  StreamOptions predicting = options();
  predicting.predictions = fmt::format("/dev/fd/{}", out.writing_end());
  for (const std::string& stream : {file(costs({"2", "2"})), path("in.csv")}) {
    StreamRun run(stream, predicting);
    while (run.advance()) continue;
    run.close();
    const auto size = ::read(out.reading_end(), written.data(), written.size());
    const bool is_first = !run.is_resumed();
    EXPECT_EQ(written.substr(0, static_cast<std::size_t>(size)),
              is_first ? "row,value,residual\n1,0,2\n2,1,1.5\n" : "row,value,residual\n");
  }
}

TEST_F(StreamData, UnknownColumnsAndKeysAreIgnoredByNameAndNotThoseThatLookKnown) {
  const auto names = [&](const std::string& text) {
    io::TransitionStream in(file(text));
    EXPECT_THAT(io::rows_of(in), ElementsAre("1 | 2 | 3")) << text;
    return in.ignored();
  };
  EXPECT_THAT(names("time,x1,y1,cost\n10:00,1,2,3\n"), ElementsAre("time"));
  EXPECT_THAT(names("x1,host,y1,cost,,time\n1,\"a,b\",2,3,,now\n"),
              ElementsAre("host", "", "time"));
  EXPECT_THAT(names("x1,y1,cost,note\n 1 ,2,3,\n"), ElementsAre("note"));
  EXPECT_THAT(names("{\"x\":[1],\"id\":{\"a\":[1,\"}\"]},\"y\":[2],\"cost\":3,\"id2\":null}\n"),
              ElementsAre("id", "id2"));
  for (const std::string name : {"x0", "x2", "y01", "X1", "Cost", "WEIGHT", "Terminal", "y"}) {
    const std::string stream = file(fmt::format("x1,y1,cost,{}\n1,1,1,1\n", name));
    EXPECT_THROW(io::rows_of(stream), InvalidInput) << name;
  }
  EXPECT_THROW(io::rows_of(file("{\"x\":[1],\"y\":[2],\"cost\":3,\"Weight\":0}\n")), InvalidInput);
}

TEST_F(StreamData, APipeMayRepeatAHeaderThatBeginsWithAnIgnoredColumn) {
  const std::string header = "time,x1,y1,cost\n";
  Pipe first;
  first.write(header + "a,1,2,3\n");
  first.close();
  io::TransitionStream in(first.path());
  EXPECT_EQ(io::rows_of(in).size(), 1U);
  Pipe second;
  second.write(header + "b,4,5,6\n");
  second.close();
  io::TransitionStream resumed(second.path(), io::RowRules{}, in.position());
  EXPECT_THAT(io::rows_of(resumed), ElementsAre("4 | 5 | 6"));
}

}  // namespace
}  // namespace shortfall::learn
