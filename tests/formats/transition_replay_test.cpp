#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "formats/seen_numbers.hpp"
#include "tests/files_for_tests.hpp"
#include "tests/formats/transitions_for_tests.hpp"

/// Pipes that send rows again after a resume.
namespace shortfall::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TransitionReplay : public FileTest {};

/// A stream as lines, some of them bad or blank, and the header if it is CSV.
struct Lines {
  std::string header;
  std::vector<std::string> lines;
  std::vector<bool> is_row;

  std::string text(std::size_t from, std::size_t to) const {
    std::string all;
    for (std::size_t i = from; i < to; ++i) all += lines[i];
    return all;
  }
};

enum class Format { csv, json };
enum class Seq { yes, no };

Lines random_lines(Format format, Seq seq, std::mt19937_64& random) {
  Lines result;
  if (format == Format::csv) result.header = seq == Seq::yes ? "seq,x1,y1,cost\n" : "x1,y1,cost\n";
  std::uint64_t number = random() % 3;
  const std::size_t count = 1 + random() % 25;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t kind = random() % 8;
    result.is_row.push_back(kind > 1);
    if (kind == 0) {
      result.lines.emplace_back(random() % 4 == 0 ? " \r\n" : "\n");
    } else if (kind == 1) {
      result.lines.emplace_back(random() % 2 == 0 ? "bad\n" : "1,2,3,4,5,6,7\n");
    } else if (format == Format::csv) {
      result.lines.push_back(fmt::format(
          "{}{},2,{}\n", seq == Seq::yes ? fmt::format("{},", number) : "", i, random() % 10));
    } else {
      result.lines.push_back(fmt::format("{{{}\"x\":[{}],\"y\":[2],\"cost\":{}}}\n",
                                         seq == Seq::yes ? fmt::format("\"seq\":{},", number) : "",
                                         i, random() % 10));
    }
    number += 1 + random() % 3;
  }
  if (format == Format::json && !result.is_row.front()) {  // the first line tells the format
    result.lines.front() = "{bad\n";
  }
  return result;
}

struct Reading {
  Rows rows;
  StreamPosition position;
  std::uint64_t skipped = 0;
  Rows bad;

  bool operator==(const Reading&) const = default;
};

Reading read_pipe(const std::string& text, const StreamPosition& resume = {},
                  std::optional<std::uint64_t> first_row = {}) {
  Pipe pipe;
  Rows bad;
  const auto note = [&](const BadLine& one) {
    bad.push_back(fmt::format("{} {} {:?} {}", one.row, one.line, one.text, one.reason));
  };
  TransitionStream in(pipe.path(), RowRules{.bad_row = BadRow::skip, .on_bad_line = note}, resume);
  if (first_row) in.begin_with_row(*first_row);
  pipe.write(text);
  pipe.close();
  Rows rows = rows_of(in);
  return {std::move(rows), in.position(), in.skipped_rows(), bad};
}

std::string shown(const Lines& lines, std::size_t cut, std::size_t start) {
  return fmt::format("cut {} start {}\n{}{}", cut, start, lines.header,
                     lines.text(0, lines.lines.size()));
}

void expect_one_pass(const Lines& lines, Seq seq, std::mt19937_64& random) {
  const std::size_t count = lines.lines.size();
  const Reading whole = read_pipe(lines.header + lines.text(0, count));
  const std::size_t cut = 1 + random() % count;
  const Reading before = read_pipe(lines.header + lines.text(0, cut));
  if (before.position.source == StreamPosition::Source::none) return;
  // By number a replay may begin at any line; by seq, right after the last row at the latest.
  std::size_t latest = cut;
  while (seq == Seq::yes && latest > 0 && !lines.is_row[latest - 1]) --latest;
  if (seq == Seq::yes && before.rows.empty()) return;
  const std::size_t start = random() % (latest + 1);
  const bool repeats_header = random() % 2 == 0;
  const std::string rest = (repeats_header ? lines.header : "") + lines.text(start, count);
  Reading after =
      read_pipe(rest, before.position,
                seq == Seq::no ? std::optional<std::uint64_t>(start + 1) : std::nullopt);
  Rows all = before.rows;
  all.insert(all.end(), after.rows.begin(), after.rows.end());
  after.rows = all;
  after.bad.insert(after.bad.begin(), before.bad.begin(), before.bad.end());
  EXPECT_EQ(after.bad, whole.bad) << shown(lines, cut, start);
  EXPECT_EQ(after.rows, whole.rows) << shown(lines, cut, start);
  EXPECT_EQ(after.skipped, whole.skipped) << shown(lines, cut, start);
  EXPECT_EQ(after.position, whole.position) << shown(lines, cut, start);
}

TEST_F(TransitionReplay, FromAnyEarlierRowGivesTheRowsAndThePositionOfOnePass) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    for (const Format format : {Format::csv, Format::json}) {
      for (const Seq seq : {Seq::yes, Seq::no}) {
        const Lines lines = random_lines(format, seq, random);
        expect_one_pass(lines, seq, random);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST_F(TransitionReplay, CountsTheRowsItPasses) {
  const std::string header = "seq,x1,y1,cost\n";
  const Reading before = read_pipe(header + "2,1,1,1\n4,1,1,2\n7,1,1,3\n");
  EXPECT_THAT(before.position.seen, ElementsAre(2, 2, 4, 4, 7, 7));
  EXPECT_EQ(before.position.next_row(), 4u);
  Pipe pipe;
  TransitionStream in(pipe.path(), BadRow::reject, before.position);
  pipe.write("4,1,1,2\n7,1,1,3\n8,1,1,4\n");
  pipe.close();
  EXPECT_THAT(rows_of(in), ElementsAre("1 | 1 | 4 seq 8"));
  EXPECT_EQ(in.replayed_rows(), 2u);
  EXPECT_EQ(in.rows(), 4u);
  EXPECT_THAT(in.position().seen, ElementsAre(2, 2, 4, 4, 7, 8));
}

TEST_F(TransitionReplay, MayHappenWithoutAnInterruption) {
  const std::string path = file("seq,x1,y1,cost\n5,1,1,1\n6,1,1,2\n5,1,1,1\n6,1,1,2\n7,1,1,3\n");
  TransitionStream in(path);
  EXPECT_THAT(rows_of(in), ElementsAre("1 | 1 | 1 seq 5", "1 | 1 | 2 seq 6", "1 | 1 | 3 seq 7"));
  EXPECT_EQ(in.replayed_rows(), 2u);
}

TEST_F(TransitionReplay, DoesNotTakeALateRowForOneThatWasSeen) {
  const Reading before = read_pipe("seq,x1,y1,cost\n2,1,1,1\n4,1,1,2\n");
  Pipe pipe;
  TransitionStream in(pipe.path(), BadRow::reject, before.position);
  pipe.write("4,1,1,2\n3,1,1,3\n");
  pipe.close();
  EXPECT_THAT(failure_of<InvalidInput>([&] { rows_of(in); }),
              HasSubstr("line 4, column seq: 3 follows 4; accepted: larger numbers"));
}

TEST_F(TransitionReplay, KnowsAllNumbersOrAThousandGaps) {
  std::mt19937_64 random(7);
  for (const std::uint64_t longest_step : {1u, 2u, 5u}) {
    SeenNumbers numbers;
    std::vector<bool> seen;
    std::vector<std::size_t> gaps;  // the numbers before which there is a gap
    for (std::int64_t next = 3; next < 20000;
         next += static_cast<std::int64_t>(1 + random() % longest_step)) {
      if (next > numbers.last() + 1) gaps.push_back(static_cast<std::size_t>(next));
      numbers.add(next);
      seen.resize(static_cast<std::size_t>(next) + 1);
      seen.back() = true;
    }
    const std::size_t kept = std::min(gaps.size(), SeenNumbers::ranges_kept);
    const std::size_t exact_from = longest_step == 1 ? 0 : gaps[gaps.size() - kept];
    for (std::size_t i = exact_from; i < seen.size(); ++i) {
      ASSERT_EQ(numbers.contains(static_cast<std::int64_t>(i)), seen[i]) << i;
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i]) {
        ASSERT_TRUE(numbers.contains(static_cast<std::int64_t>(i))) << i;
      }
    }
    const auto bounds = numbers.bounds(numbers.last());
    EXPECT_TRUE(SeenNumbers::are_bounds(bounds));
    EXPECT_LE(bounds.size(), 4 * SeenNumbers::ranges_kept);
    EXPECT_EQ(SeenNumbers(bounds).bounds(numbers.last()), bounds);
  }
}

TEST_F(TransitionReplay, InAFileContinuesAtItsPosition) {
  const std::string start = "seq,x1,y1,cost\n2,1,1,1\n4,1,1,2\n";
  const std::string path = file(start, "stream.csv");
  TransitionStream first(path);
  (void)rows_of(first);
  const StreamPosition position = first.position();
  // Two rows that a producer wrote again, and a new one.
  file(start + "2,1,1,1\n4,1,1,2\n5,1,1,9\n", "stream.csv");
  TransitionStream again(path, BadRow::reject, position);
  EXPECT_THAT(rows_of(again), ElementsAre("1 | 1 | 9 seq 5"));
  EXPECT_EQ(again.replayed_rows(), 2u);
  TransitionStream at_end(path, BadRow::reject, again.position());
  EXPECT_THAT(rows_of(at_end), ElementsAre());
  EXPECT_EQ(at_end.replayed_rows(), 0u);
}

TEST_F(TransitionReplay, RefusesAFirstRowThatCannotBe) {
  const StreamPosition position = read_pipe("x1,y1,cost\n1,1,1\n1,1,2\n").position;
  const auto refused = [](const StreamPosition& resume, std::uint64_t row) {
    Pipe pipe;
    return failure_of<InvalidInput>(
        [&] { TransitionStream(pipe.path(), BadRow::reject, resume).begin_with_row(row); });
  };
  EXPECT_THAT(refused(position, 4),
              HasSubstr("it begins with row 4, but row 3 is next; accepted: 1 to 3"));
  EXPECT_THAT(refused(position, 0), HasSubstr("row 3 is next"));
  EXPECT_THAT(refused({}, 2), HasSubstr("it begins with row 2, but row 1 is next; accepted: 1"));
  EXPECT_THAT(refused(read_pipe("seq,x1,y1,cost\n1,1,1,1\n").position, 1),
              HasSubstr("the stream has seq"));

  const std::string path = file("x1,y1,cost\n1,1,1\n", "stream.csv");
  EXPECT_THAT(failure_of<InvalidInput>([&] { TransitionStream(path).begin_with_row(1); }),
              HasSubstr("this is a file; accepted: a pipe"));
}

// A line over the limit is passed over whole, its bytes uncounted.
TEST_F(TransitionReplay, PassesALineThatIsTooLong) {
  const std::string header = "x1,y1,cost\n";
  const std::string lines = "1,1,1\n" + std::string(longest_transition_line + 9, '7') + "\n1,1,2\n";
  const auto read = [&](const std::string& text, const StreamPosition& resume,
                        std::optional<std::uint64_t> first_row) {
    const std::string path = file(text, "fed");
    FILE* const pipe = ::popen(fmt::format("cat '{}'", path).c_str(), "r");
    TransitionStream in(fmt::format("/dev/fd/{}", ::fileno(pipe)), BadRow::skip, resume);
    if (first_row) in.begin_with_row(*first_row);
    Reading result{rows_of(in), in.position(), in.skipped_rows(), {}};
    ::pclose(pipe);
    return result;
  };
  const Reading whole = read(header + lines + "1,1,3\n", {}, {});
  const Reading before = read(header + lines, {}, {});
  const Reading after = read(lines + "1,1,3\n", before.position, 1);
  EXPECT_THAT(after.rows, ElementsAre("1 | 1 | 3"));
  EXPECT_EQ(after.position, whole.position);
  EXPECT_EQ(after.skipped, 1u);
}

// A file goes on where it was left: what it repeats, it would have repeated without the resume.
TEST_F(TransitionReplay, WithinAFileIsTheSameAfterAResume) {
  const std::string name =
      file("seq,x1,y1,cost\n3,1,2,3\nbad\n\n3,1,2,3\n4,5,6,7\nbad\n\n4,5,6,7\n4,5,6,7\n9,8,7,6\n");
  TransitionStream whole(name, BadRow::skip);
  const Rows all = rows_of(whole);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(whole.skipped_rows(), 4u);
  for (std::size_t k = 1; k <= all.size(); ++k) {
    TransitionStream first(name, BadRow::skip);
    Rows rows;
    while (rows.size() < k) {
      const Next next = first.next();
      if (next == Next::starved) first.fill();
      if (next == Next::row) rows.push_back(text_of(first.transition()));
    }
    TransitionStream second(name, BadRow::skip, first.position());
    for (const std::string& row : rows_of(second)) rows.push_back(row);
    EXPECT_EQ(rows, all);
    EXPECT_EQ(second.position(), whole.position()) << k;
    EXPECT_EQ(second.skipped_rows(), 4u) << k;
  }
}

}  // namespace
}  // namespace shortfall::io
