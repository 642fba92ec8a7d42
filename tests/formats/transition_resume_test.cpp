#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>

#include "tests/files_for_tests.hpp"
#include "tests/formats/transitions_for_tests.hpp"

/// A stream that is interrupted and resumed gives the same as one that was never stopped.
namespace shortfall::io {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view csv_stream =
    "\xEF\xBB\xBFx1,y1,cost,terminal\n1,2,3,0\r\n4,,5,1\n\"6\", 7,8,0\n9,10,11,false\n12,13,14,0\n";
constexpr std::string_view json_stream =
    "\xEF\xBB\xBF{\"x\":[1],\"y\":[2],\"cost\":3}\n{\"x\":[4],\"cost\":5,\"terminal\":true}\r\n"
    " {\"cost\":8,\"x\":[6],\"y\":[7]}\n{\"x\":[9],\"y\":[10],\"cost\":11}\n"
    "{\"x\":[12],\"y\":[13],\"cost\":14}\n";

class TransitionResume : public FileTest {
 protected:
  /// The position of a new stream after `count` rows.
  static StreamPosition position_after(TransitionStream& in, std::size_t count, Rows& rows) {
    while (rows.size() < count) {
      const Next next = in.next();
      if (next == Next::starved) in.fill();
      if (next == Next::row) rows.push_back(text_of(in.transition()));
      if (next == Next::end) break;
    }
    return in.position();
  }

  StreamPosition position_after(const std::string& path, std::size_t count) const {
    TransitionStream in(path);
    Rows rows;
    return position_after(in, count, rows);
  }

  static void append(const std::string& path, std::string_view text) {
    std::ofstream(path, std::ios::binary | std::ios::app) << text;
  }

  std::string refusal(const std::string& path, const StreamPosition& position) const {
    return failure_of<InvalidInput>([&] {
      TransitionStream in(path, BadRow::skip, position);
      rows_of(in);
    });
  }
};

TEST_F(TransitionResume, OfAFileAfterAnyRowReadsTheOthers) {
  for (std::string text : {std::string(csv_stream), std::string(json_stream)}) {
    for (const auto* const end : {"", "\n\n"}) {
      text += end;
      const std::string name = file(text);
      TransitionStream whole(name);
      const Rows all = rows_of(whole);
      ASSERT_EQ(all.size(), 5u);
      for (std::size_t k = 0; k <= all.size(); ++k) {
        TransitionStream first(name);
        Rows rows;
        const StreamPosition position = position_after(first, k, rows);
        EXPECT_EQ(position.rows, k);
        TransitionStream second(name, BadRow::reject, position);
        EXPECT_EQ(second.position(), position);
        for (const std::string& row : rows_of(second)) rows.push_back(row);
        EXPECT_EQ(rows, all);
        EXPECT_EQ(second.position(), whole.position());
      }
    }
  }
}

TEST_F(TransitionResume, OfAPipeTakesTheRestWithOrWithoutAHeader) {
  std::mt19937_64 random(1);
  for (const std::string_view text : {csv_stream, json_stream}) {
    const Rows all = rows_of(file(text));
    for (std::size_t k = 1; k <= all.size(); ++k) {
      Pipe pipe;
      pipe.write(text);
      pipe.close();
      TransitionStream first(pipe.path());
      Rows before;
      const StreamPosition position = position_after(first, k, before);
      const std::string_view rest = text.substr(position.bytes);
      for (const std::string_view repeated : {"", "\xEF\xBB\xBF", "x1,y1,cost,terminal\n",
                                              "\xEF\xBB\xBF \"x1\",y1,cost,terminal\r\n"}) {
        if (text == json_stream && repeated.size() > 3) continue;
        Rows rows = before;
        for (const std::string& row :
             rows_through_pipe(std::string(repeated) + std::string(rest), 9, random, position)) {
          rows.push_back(row);
        }
        EXPECT_EQ(rows, all) << k << repeated;
      }
    }
  }
}

TEST_F(TransitionResume, OfAPipeAfterTheHeaderTakesTheRows) {
  Pipe pipe;
  TransitionStream first(pipe.path());
  EXPECT_EQ(first.position(), StreamPosition());
  pipe.write("x1,y1,cost\n1,2");
  first.fill();
  EXPECT_EQ(first.next(), Next::starved);
  const StreamPosition position = first.position();
  EXPECT_EQ(position.bytes, 11u);
  EXPECT_EQ(position.header, "x1,y1,cost");
  std::mt19937_64 random(1);
  EXPECT_THAT(rows_through_pipe("1,2,3\n", 2, random, position), ElementsAre("1 | 2 | 3"));
  EXPECT_THAT(rows_through_pipe("x1,y1,cost\n1,2,3\n", 2, random, position),
              ElementsAre("1 | 2 | 3"));
}

TEST_F(TransitionResume, OfAPipeCountsAsIfNothingHadBeenRepeated) {
  StreamPosition position;
  StreamPosition whole;
  for (const std::size_t rows : {std::size_t{2}, std::size_t{5}}) {
    Pipe pipe;
    pipe.write(csv_stream);
    TransitionStream in(pipe.path());
    Rows read;
    (rows == 2 ? position : whole) = position_after(in, rows, read);
  }
  Pipe pipe;
  pipe.write("\xEF\xBB\xBFx1,y1,cost,terminal\n");
  pipe.write(csv_stream.substr(position.bytes));
  pipe.close();
  TransitionStream in(pipe.path(), BadRow::reject, position);
  EXPECT_EQ(rows_of(in).size(), 3u);
  EXPECT_EQ(in.position(), whole);
}

TEST_F(TransitionResume, WithNothingLeftGivesNothing) {
  const std::string name = file(csv_stream);
  TransitionStream in(name, BadRow::reject, position_after(name, 5));
  EXPECT_THAT(rows_of(in), IsEmpty());
  EXPECT_EQ(in.rows(), 5u);

  Pipe first;
  first.write(csv_stream);
  TransitionStream before(first.path());
  Rows rows;
  const StreamPosition position = position_after(before, 5, rows);
  std::mt19937_64 random(1);
  EXPECT_THAT(rows_through_pipe("", 1, random, position), IsEmpty());
  EXPECT_THAT(rows_through_pipe("x1,y1,cost,terminal", 100, random, position), IsEmpty());
}

TEST_F(TransitionResume, ReadsAppendedRows) {
  const std::string name = file("x1,y1,cost\n1,2,3\n");
  const StreamPosition position = position_after(name, 9);
  append(name, "4,5,6\n");
  TransitionStream in(name, BadRow::reject, position);
  EXPECT_THAT(rows_of(in), ElementsAre("4 | 5 | 6"));
}

TEST_F(TransitionResume, KeepsCountingLinesAndSkippedRows) {
  const std::string name = file("x1,y1,cost\n1,2,3\nbad\n4,5,6\nbad\n\n7,8,9\nbad\n");
  TransitionStream whole(name, BadRow::skip);
  rows_of(whole);
  for (std::size_t k = 0; k <= 3; ++k) {
    TransitionStream first(name, BadRow::skip);
    Rows rows;
    const StreamPosition position = position_after(first, k, rows);
    TransitionStream second(name, BadRow::skip, position);
    rows_of(second);
    EXPECT_EQ(second.skipped_rows(), 4u);
    EXPECT_EQ(second.position(), whole.position());
    EXPECT_EQ(
        failure_of<InvalidInput>([&] {
          TransitionStream strict(name, BadRow::reject, position);
          rows_of(strict);
        }),
        fmt::format("{}, line {}: found 1 field(s); accepted: 3, as many as the header has", name,
                    k <= 1   ? 3
                    : k == 2 ? 5
                             : 8));
  }
}

TEST_F(TransitionResume, RereadsALineWithoutAnEnd) {
  for (const std::string begin : {"x1,y1,cost\n1,2,3\n", "{\"x\":[1],\"y\":[2],\"cost\":3}\n"}) {
    const bool is_json = begin.starts_with('{');
    const std::string open = is_json ? "{\"x\":[4],\"y\":[5],\"cost\":6}" : "4,5,6";
    const std::string name = file(begin + open);
    TransitionStream first(name);
    EXPECT_THAT(rows_of(first), ElementsAre("1 | 2 | 3", "4 | 5 | 6"));
    EXPECT_FALSE(first.transition().line_ended);
    EXPECT_EQ(first.rows(), 2u);
    const StreamPosition position = first.position();
    EXPECT_EQ(position, position_after(name, 1));
    EXPECT_EQ(position.bytes, begin.size());
    EXPECT_EQ(position.lines, is_json ? 1u : 2u);

    TransitionStream again(name, BadRow::reject, position);
    EXPECT_THAT(rows_of(again), ElementsAre("4 | 5 | 6"));
    EXPECT_FALSE(again.transition().line_ended);
    EXPECT_EQ(again.rows(), 2u);
    EXPECT_EQ(again.position(), position);

    append(name, is_json ? " \r\n" : "7\r\n");
    TransitionStream grown(name, BadRow::reject, position);
    EXPECT_THAT(rows_of(grown), ElementsAre(is_json ? "4 | 5 | 6" : "4 | 5 | 67"));
    EXPECT_TRUE(grown.transition().line_ended);
    EXPECT_EQ(grown.position().rows, 2u);

    append(name, open + "\n");
    TransitionStream on(name, BadRow::reject, grown.position());
    EXPECT_THAT(rows_of(on), ElementsAre("4 | 5 | 6"));
  }
}

TEST_F(TransitionResume, RefusesALineThatWasCompletedToABadRow) {
  const std::string name = file("x1,y1,cost\n1,2,3");
  const StreamPosition position = position_after(name, 9);
  EXPECT_EQ(position.bytes, 11u);
  append(name, ",0\n5,6,7\n");
  EXPECT_EQ(failure_of<InvalidInput>([&] {
              TransitionStream in(name, BadRow::reject, position);
              rows_of(in);
            }),
            name + ", line 2: found 4 field(s); accepted: 3, as many as the header has");
  TransitionStream in(name, BadRow::skip, position);
  EXPECT_THAT(rows_of(in), ElementsAre("5 | 6 | 7"));
  EXPECT_EQ(in.skipped_rows(), 1u);
}

TEST_F(TransitionResume, StartsAgainIfTheFirstLineHadNoEnd) {
  const std::string csv = file("x1,y1,cost");
  EXPECT_EQ(position_after(csv, 9), StreamPosition());
  append(csv, ",terminal\n4,5,6,1\n");
  TransitionStream in(csv, BadRow::reject, StreamPosition());
  EXPECT_THAT(rows_of(in), ElementsAre("4 | 0 | 6 terminal"));

  TransitionStream json(file("{\"x\":[1,2],\"y\":[3,4],\"cost\":5}"));
  EXPECT_THAT(rows_of(json), ElementsAre("1 2 | 3 4 | 5"));
  EXPECT_EQ(json.dimension(), 2u);
  EXPECT_EQ(json.rows(), 1u);
  EXPECT_EQ(json.position(), StreamPosition());
}

TEST_F(TransitionResume, RefusesAnotherFile) {
  std::string text = "x1,y1,cost\n";
  while (text.size() < 10000) text += "1,2,3\n";
  const std::string name = file(text);
  const StreamPosition position = position_after(name, 1500);
  ASSERT_EQ(position.bytes, 9011u);
  const std::string not_it = name + ": this is not the file that the checkpoint was made from: ";
  const std::string end = "; accepted: that file, unchanged or longer";

  file(text.substr(0, 9010));
  EXPECT_EQ(refusal(name, position), not_it + "it has 9010 bytes, but 9011 had been read" + end);
  file(text.substr(0, 9011));
  EXPECT_EQ(refusal(name, position), "nothing was thrown");

  // The first and the last 4096 of the 9011 bytes are compared, but none between.
  for (const std::size_t at : {0u, 4095u, 9011u - 4096u, 9010u}) {
    std::string other = text;
    other[at] = '9';
    file(other);
    EXPECT_EQ(refusal(name, position), not_it + "the content before byte 9011 has changed" + end);
  }
  for (const std::size_t at : {4096u, 9010u - 4096u}) {
    std::string other = text;
    other[at] = text[at] == '\n' ? ' ' : '9';
    file(other);
    EXPECT_EQ(refusal(name, position), "nothing was thrown");
  }
  std::string grown = text + "1,2,3\n";
  grown[9011] = '7';
  file(grown);
  TransitionStream in(name, BadRow::reject, position);
  EXPECT_EQ(rows_of(in).front(), "7 | 2 | 3");
}

TEST_F(TransitionResume, RefusesAFileWithAnotherHeaderAndTheSameRows) {
  std::string text = "x1,y1,cost\n";
  while (text.size() < 20000) text += "1,2,3\n";
  const std::string name = file(text);
  const StreamPosition position = position_after(name, 3000);
  file("y1,x1,cost\n" + text.substr(11));
  EXPECT_THAT(refusal(name, position),
              ::testing::HasSubstr("this is not the file that the checkpoint was made from"));
}

TEST_F(TransitionResume, RefusesAPipeForAFileAndAFileForAPipe) {
  const std::string name = file(csv_stream);
  StreamPosition position = position_after(name, 2);
  Pipe pipe;
  EXPECT_EQ(refusal(pipe.path(), position),
            pipe.path() +
                ": this is not a file, but the checkpoint was made from one; accepted: the input "
                "that the checkpoint was made from, or no checkpoint");
  position.source = StreamPosition::Source::pipe;
  EXPECT_EQ(refusal(name, position),
            name +
                ": this is a file, but the checkpoint was made from a pipe; accepted: the input "
                "that the checkpoint was made from, or no checkpoint");
}

TEST_F(TransitionResume, RefusesARepeatedHeaderWithOtherColumns) {
  Pipe first;
  first.write(csv_stream);
  TransitionStream in(first.path());
  Rows rows;
  const StreamPosition position = position_after(in, 2, rows);
  for (const auto header : {"y1,x1,cost,terminal\n", "x1,y1,cost\n"}) {
    Pipe pipe;
    pipe.write(header);
    pipe.close();
    EXPECT_EQ(refusal(pipe.path(), position),
              pipe.path() +
                  ": the header differs from that of the checkpoint; accepted: "
                  "the same columns, or no header");
  }
}

TEST_F(TransitionResume, OfAPipeMaySkipItsFirstLine) {
  Pipe first;
  first.write("x1,y1,cost\n1,2,3\n");
  TransitionStream in(first.path());
  Rows rows;
  const StreamPosition position = position_after(in, 1, rows);
  const std::string monster(longest_transition_line + 1, '7');
  for (const std::string& bad : {std::string("bad"), std::string("\"x"), monster}) {
    Pipe pipe;
    TransitionStream on(pipe.path(), BadRow::skip, position);
    Rows read;
    const std::string text = bad + "\n4,5,6\n";
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view piece = rest.substr(0, 50000);
      rest.remove_prefix(piece.size());
      pass(piece, pipe, on, read);
    }
    EXPECT_THAT(read, ElementsAre("4 | 5 | 6"));
    EXPECT_EQ(on.skipped_rows(), 1u);
  }
}

TEST_F(TransitionResume, RefusesAPositionThatContradictsItself) {
  const std::string name = file(csv_stream);
  StreamPosition position = position_after(name, 2);
  for (const std::uint32_t d : {0u, 2u}) {
    position.dimension = d;
    expect_rejected([&] { TransitionStream in(name, BadRow::reject, position); },
                    {name, fmt::format("the checkpoint has d = {}", d), "the d of its header"});
  }
  position.header.clear();
  position.dimension = 4294967295u;
  expect_rejected([&] { TransitionStream in(name, BadRow::reject, position); },
                  {name, "the checkpoint has d = 4294967295", "small enough to fit on a line"});
}

TEST_F(TransitionResume, NoticesThatAFileHasShrunkUnderneath) {
  const std::string name = file("x1,y1,cost\n1,2,3\n");
  TransitionStream in(name);
  Rows rows;
  position_after(in, 1, rows);
  std::filesystem::resize_file(name, 3);
  EXPECT_EQ(failure_of<InvalidInput>([&] { in.position(); }),
            name +
                ": the file is now shorter than 17 bytes; accepted: a file that may grow but not "
                "shrink");
}

TEST_F(TransitionResume, OfAFileOnStandardInputReadsTheOthers) {
  const int before = ::dup(STDIN_FILENO);
  const std::string name = file(csv_stream);
  StreamPosition position;
  for (const std::size_t rows : {std::size_t{2}, std::size_t{3}}) {
    const int in = ::open(name.c_str(), O_RDONLY);
    ::dup2(in, STDIN_FILENO);
    ::close(in);
    TransitionStream stream("/dev/stdin", BadRow::reject, position);
    EXPECT_TRUE(stream.is_regular_file());
    Rows read;
    position = position_after(stream, rows, read);
    EXPECT_EQ(read.size(), rows);
  }
  EXPECT_EQ(position, position_after(name, 5));
  ::dup2(before, STDIN_FILENO);
  ::close(before);
}

}  // namespace
}  // namespace shortfall::io
