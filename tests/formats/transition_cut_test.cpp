#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

#include "tests/files_for_tests.hpp"
#include "tests/formats/transitions_for_tests.hpp"

/// A stream with bad lines that is interrupted anywhere and resumed gives the same counts.
namespace shortfall::io {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class TransitionCut : public FileTest {};

/// Rows, bad lines, blank lines that a row follows and blank lines at the end.
const std::string csv_with_bad_lines =
    "x1,y1,cost\n\nbad\n1,2,3\n1,2\n "
    "\t\r\n\nbad\n40,50,60\nx,y,z\n7,8,9\nbad\n\n10,11,12\nbad\n\n\n";
const std::string json_with_bad_lines =
    "{\"x\":1}\n\n{\n{\"x\":[1],\"y\":[2],\"cost\":3}\nbad\n\n{}\n{\"x\":[4],\"y\":[5],\"cost\":6}"
    "\n"
    "{\"x\":[4,4],\"y\":[5,5],\"cost\":6}\n\n{\"x\":[7],\"y\":[8],\"cost\":9}\n{\n\n";

/// The end of the last complete line of `text` before `cut`: the position after reading that far.
std::size_t lines_before(std::string_view text, std::size_t cut) {
  return text.substr(0, cut).find_last_of('\n') + 1;
}

/// Reads all available rows, and adds those with a line end to `rows`.
void take_whole_lines(TransitionStream& in, Rows& rows) {
  for (Next next = in.next(); next != Next::end; next = in.next()) {
    if (next == Next::starved) in.fill();
    if (next == Next::row && in.transition().line_ended) rows.push_back(text_of(in.transition()));
  }
}

TEST_F(TransitionCut, OfAFileAnywhereGivesTheResultOfTheWholeFile) {
  for (const std::string& text : {csv_with_bad_lines, json_with_bad_lines}) {
    TransitionStream whole(file(text), BadRow::skip);
    const Rows all = rows_of(whole);
    EXPECT_EQ(whole.skipped_rows(), text.starts_with('x') ? 10u : 9u);
    for (std::size_t cut = text.find('\n'); cut < text.size(); ++cut) {
      const std::string name = file(text.substr(0, cut));
      Rows rows;
      TransitionStream first(name, BadRow::skip);
      take_whole_lines(first, rows);
      const StreamPosition position = first.position();
      EXPECT_EQ(position.bytes, lines_before(text, cut));
      EXPECT_EQ(position.rows, rows.size());
      file(text);
      TransitionStream second(name, BadRow::skip, position);
      take_whole_lines(second, rows);
      ASSERT_EQ(rows, all) << cut;
      ASSERT_EQ(second.rows(), all.size()) << cut;
      ASSERT_EQ(second.skipped_rows(), whole.skipped_rows()) << cut;
      ASSERT_EQ(second.position(), whole.position()) << cut;
    }
  }
}

TEST_F(TransitionCut, OfAPipeKeepsTheBadLinesReadBefore) {
  for (const std::string_view text : {csv_with_bad_lines, json_with_bad_lines}) {
    Pipe uncut;
    uncut.write(text);
    uncut.close();
    TransitionStream whole(uncut.path(), BadRow::skip);
    const Rows all = rows_of(whole);
    for (std::size_t cut = text.find('\n') + 1; cut <= text.size(); ++cut) {
      Pipe pipe;
      TransitionStream first(pipe.path(), BadRow::skip);
      Rows rows;
      pass(text.substr(0, cut), pipe, first, rows);
      const StreamPosition position = first.position();
      ASSERT_EQ(position.bytes, lines_before(text, cut));
      Pipe other;
      other.write(text.substr(position.bytes));
      other.close();
      TransitionStream second(other.path(), BadRow::skip, position);
      take_whole_lines(second, rows);
      ASSERT_EQ(rows, all) << cut;
      ASSERT_EQ(second.skipped_rows(), whole.skipped_rows()) << cut;
      ASSERT_EQ(second.position(), whole.position()) << cut;
    }
  }
}

TEST_F(TransitionCut, RemembersTheBlankLinesThatARowMustNotFollow) {
  Pipe pipe;
  TransitionStream first(pipe.path());
  Rows rows;
  pass("x1,y1,cost\n1,2,3\n\n \n", pipe, first, rows);
  const StreamPosition position = first.position();
  EXPECT_EQ(position.blank_lines, 2u);
  EXPECT_EQ(position.lines, 4u);
  std::mt19937_64 random(1);
  EXPECT_THAT(rows_through_pipe("\n", 1, random, position), IsEmpty());
  Pipe other;
  other.write("\n4,5,6\n");
  TransitionStream second(other.path(), BadRow::reject, position);
  second.fill();
  EXPECT_EQ(
      failure_of<InvalidInput>([&] { static_cast<void>(second.next()); }),
      other.path() + ", line 3: the line is blank; accepted: blank lines after the last row only");
}

TEST_F(TransitionCut, OfAPipeStaysBeforeALineThatIsTooLongUntilItEnds) {
  Pipe pipe;
  TransitionStream in(pipe.path(), BadRow::skip);
  Rows rows;
  pass("x1,y1,cost\n1,2,3\n", pipe, in, rows);
  const StreamPosition before = in.position();
  const std::string piece(50000, '7');
  std::uint64_t bytes = before.bytes;
  while (bytes < 2 * longest_transition_line) {
    pass(piece, pipe, in, rows);
    bytes += piece.size();
    EXPECT_EQ(in.position(), before);
  }
  EXPECT_EQ(in.skipped_rows(), 1u);
  pass("\n", pipe, in, rows);
  const StreamPosition after = in.position();
  EXPECT_EQ(after.bytes, bytes + 1);
  EXPECT_EQ(after.lines, before.lines + 1);
  EXPECT_EQ(after.skipped_rows, 1u);

  // A run that stops inside it finds the rest of the line after a resume, also as one bad line.
  Pipe other;
  TransitionStream on(other.path(), BadRow::skip, before);
  pass(piece + "\n4,5,6\n", other, on, rows);
  EXPECT_THAT(rows, ElementsAre("1 | 2 | 3", "4 | 5 | 6"));
  EXPECT_EQ(on.position().skipped_rows, 1u);
}

TEST_F(TransitionCut, OfAPipeWhoseProducerDiedInsideALineTakesTheWholeLine) {
  Pipe pipe;
  pipe.write("x1,y1,cost\n1,2,3\n4,5,6");
  pipe.close();
  TransitionStream first(pipe.path());
  EXPECT_THAT(rows_of(first), ElementsAre("1 | 2 | 3", "4 | 5 | 6"));
  const StreamPosition position = first.position();
  EXPECT_EQ(position.bytes, 17u);
  EXPECT_EQ(position.rows, 1u);
  std::mt19937_64 random(1);
  for (const auto rest : {"4,5,67\n", "x1,y1,cost\n4,5,67\n"}) {
    EXPECT_THAT(rows_through_pipe(rest, 3, random, position), ElementsAre("4 | 5 | 67")) << rest;
  }
}

}  // namespace
}  // namespace shortfall::io
