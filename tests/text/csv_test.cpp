#include "text/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "tests/files_for_tests.hpp"
#include "text/number.hpp"
#include "text/text.hpp"

namespace shortfall::io {
namespace {

using ::testing::ElementsAre;
using namespace std::string_view_literals;

const Place here{"f.csv", 7, "cost"};

TEST(ParseNumber, TakesDecimalAndScientificNotation) {
  EXPECT_EQ(parse_number("1"), 1.0);
  EXPECT_EQ(parse_number("-0.25"), -0.25);
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_EQ(parse_number("2."), 2.0);
  EXPECT_EQ(parse_number("1e3"), 1000.0);
  EXPECT_EQ(parse_number("-1.5E-2"), -0.015);
  EXPECT_EQ(parse_number("1e+2"), 100.0);
}

TEST(ParseNumber, RoundsToTheNearestDouble) {
  EXPECT_EQ(parse_number("0.1"), 0.1);
  EXPECT_EQ(parse_number("9007199254740993"), 9007199254740992.0);  // 2^53 + 1, a tie to even
  EXPECT_EQ(parse_number("4.9406564584124654e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(parse_number("1e-400"), 0.0);
}

TEST(ParseNumber, TakesALeadingPlusAndBlanksAround) {
  EXPECT_EQ(parse_number("+2.5"), 2.5);
  EXPECT_EQ(parse_number(" \t3 \t"), 3.0);
}

TEST(ParseNumber, ReportsNonFiniteNumbers) {
  EXPECT_EQ(parse_number("1e400"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_number("-inf"), -std::numeric_limits<double>::infinity());
  ASSERT_TRUE(parse_number("nan"));
  EXPECT_TRUE(std::isnan(*parse_number("nan")));
}

TEST(ParseNumber, RefusesEverythingElse) {
  for (const auto text : {"", " ", "abc", "1x", "1 2", "1,5", "++1", "+-1", "-+1", "--1", "1e",
                          "0x10", "1_000", "1.2.3", "$1", "1%"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  }
}

TEST(ParseId, TakesDigitsUpToTheLargest) {
  EXPECT_EQ(parse_id("0", 9), 0u);
  EXPECT_EQ(parse_id(" +007\t", 9), 7u);
  EXPECT_EQ(parse_id("9", 9), 9u);
  EXPECT_EQ(parse_id("10", 9), std::nullopt);
  EXPECT_EQ(parse_id("4294967295", 4294967295u), 4294967295u);
  EXPECT_EQ(parse_id("4294967296", 4294967295u), std::nullopt);
}

TEST(ParseId, RefusesSignsFractionsAndText) {
  for (const auto text : {"", "-1", "-0", "1.5", "1.0", "1e3", "x", "1x", "++1", "+-1"}) {
    EXPECT_EQ(parse_id(text, 1000), std::nullopt) << text;
  }
}

TEST(Rejection, NamesFileLineColumnProblemAndWhatIsAccepted) {
  EXPECT_EQ(failure_of<InvalidInput>([] { read_number("1x", here); }),
            "f.csv, line 7, column cost: found \"1x\"; accepted: a finite number");
  EXPECT_EQ(failure_of<InvalidInput>([] {
              reject({"f.csv", 7}, "it is odd", "even ones");
            }),
            "f.csv, line 7: it is odd; accepted: even ones");
  EXPECT_EQ(failure_of<InvalidInput>([] { reject({"f.csv"}, "it is odd", "even ones"); }),
            "f.csv: it is odd; accepted: even ones");
}

TEST(Rejection, QuotesTheTextFoundEscapedAndShortened) {
  expect_rejected(
      [] {
        read_number(
            "a\x01\xFF"
            "b",
            here);
      },
      {R"(found "a\x01\xffb";)"});
  expect_rejected([] { read_number("prix en \xE2\x82\xAC", here); }, {"\"prix en \xE2\x82\xAC\""});
  expect_rejected([] { read_number(std::string(1000, 'z'), here); },
                  {"\"" + std::string(60, 'z') + "\"...;"});
}

TEST(Rejection, OfNumbersAndIdsGivesTheRange) {
  for (const auto text : {"nan", "inf", "1e400", ""}) {
    expect_rejected([&] { read_number(text, here); }, {text, "a finite number"});
  }
  expect_rejected([] { read_id("12", 11, here); }, {"\"12\"", "an integer from 0 to 11"});
}

TEST(TakeLine, EndsLinesAtLineFeedWithOrWithoutCarriageReturn) {
  std::string_view text = "a,b\r\n\nc";
  EXPECT_EQ(take_line(text, here), "a,b");
  EXPECT_EQ(take_line(text, here), "");
  EXPECT_EQ(take_line(text, here), "c");
  EXPECT_TRUE(text.empty());
}

TEST(TakeLine, AcceptsTheLongestLineAndNoByteMore) {
  const std::string longest(longest_line, 'x');
  const std::string with_end = longest + "\nrest";
  const std::string too_long = longest + "x\nrest";
  std::string_view text = with_end;
  EXPECT_EQ(take_line(text, here), longest);
  EXPECT_EQ(text, "rest");
  text = longest;
  EXPECT_EQ(take_line(text, here), longest);
  text = too_long;
  expect_rejected([&] { take_line(text, here); }, {"line 7", "too long", "65536 bytes"});
}

TEST(TakeLine, RefusesNulBytes) {
  std::string_view text = "1,\0,2\n"sv;
  expect_rejected([&] { take_line(text, here); }, {"f.csv", "line 7", "NUL byte", "UTF-8"});
}

TEST(TakeLine, RefusesCompressedText) {
  std::string_view text = "\x1F\x8B\x08\x08,\n"sv;
  expect_rejected([&] { take_line(text, here); }, {"f.csv", "line 7", "gzip", "zcat"});
}

TEST(TakeLine, RefusesWorkbooks) {
  std::string_view text = "PK\x03\x04\x14,\n"sv;
  expect_rejected([&] { take_line(text, here); }, {"f.csv", "line 7", "workbook", "saved as CSV"});
}

TEST(WithoutBlankEnd, DropsBlankLinesAndBlanksOnly) {
  EXPECT_EQ(without_blank_end("1\n2\n"), "1\n2");
  EXPECT_EQ(without_blank_end("1\r\n \t\r\n\n"), "1");
  EXPECT_EQ(without_blank_end("\n\n"), "");
  EXPECT_EQ(without_blank_end("1"), "1");
}

TEST(WithoutBlankEnd, KeepsALineOfTooManyBlanksToBeRefused) {
  const std::string text = "1\n" + std::string(3 * longest_line, ' ');
  EXPECT_GT(without_blank_end(text).size(), 2 + longest_line);
  const std::string lines = "1" + std::string(3 * longest_line, '\n');
  EXPECT_EQ(without_blank_end(lines), "1");
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  split_fields(line, here, fields);
  return fields;
}

TEST(SplitFields, TakesOffBlanksAndQuotes) {
  EXPECT_THAT(fields_of("1,2"), ElementsAre("1", "2"));
  EXPECT_THAT(fields_of(" 1 ,\t2"), ElementsAre("1", "2"));
  EXPECT_THAT(fields_of(R"("1", "2" ,3)"), ElementsAre("1", "2", "3"));
  EXPECT_THAT(fields_of(R"("a,b",c)"), ElementsAre("a,b", "c"));
  EXPECT_THAT(fields_of(R"("")"), ElementsAre(""));
  EXPECT_THAT(fields_of(R"("1""2",3)"), ElementsAre(R"(1""2)", "3"));
  EXPECT_THAT(fields_of(R"("""a"", b",c)"), ElementsAre(R"(""a"", b)", "c"));
}

TEST(SplitFields, KeepsEmptyFields) {
  EXPECT_THAT(fields_of(""), ElementsAre(""));
  EXPECT_THAT(fields_of(","), ElementsAre("", ""));
  EXPECT_THAT(fields_of("1,,2,"), ElementsAre("1", "", "2", ""));
}

TEST(SplitFields, RefusesOpenAndInnerQuotes) {
  for (const auto line : {R"(1,"2,3)", R"(1,"2,3"")", R"(1,""")"}) {
    expect_rejected([&] { fields_of(line); }, {"f.csv", "line 7", "closing quote"});
  }
  for (const auto line : {R"("1"2,3)", R"("1" "2",3)", R"("1"" "2",3)"}) {
    expect_rejected([&] { fields_of(line); }, {"line 7", "quotes inside doubled"});
  }
}

TEST(CsvField, IsQuotedOnlyIfItMustBe) {
  EXPECT_EQ(csv_field("plan"), "plan");
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("reorder:4,12"), R"("reorder:4,12")");
  EXPECT_EQ(csv_field(R"(say "no")"), R"("say ""no""")");
  EXPECT_EQ(csv_field("a\nb"), "\"a\nb\"");
}

constexpr std::array<std::string_view, 3> names = {"a", "b", "c"};
constexpr HeaderRule two_of_three{.known = names, .required = 2, .accepted = "a,b and maybe c"};

TEST(ReadHeader, TakesColumnsInAnyOrder) {
  const Header header = read_header(R"(c, "a",b)", here, two_of_three);
  EXPECT_THAT(header.columns, ElementsAre(2u, 0u, 1u));
  EXPECT_THAT(header.names, ElementsAre("c", "a", "b"));
  EXPECT_FALSE(read_header("b,a", here, two_of_three).has(2));
}

TEST(ReadHeader, RefusesUnknownRepeatedAndMissingColumns) {
  const auto read = [](std::string_view line) {
    return [line] { read_header(line, here, two_of_three); };
  };
  expect_rejected(read("a,d"), {"f.csv", "unknown column \"d\"", "a,b and maybe c"});
  expect_rejected(read("A,b"), {"unknown column \"A\"", "a,b and maybe c"});
  expect_rejected(read("a,b,a"), {"column a appears twice", "a,b and maybe c"});
  expect_rejected(read("a,c"), {"column b is missing", "a,b and maybe c"});
  expect_rejected(read("  "), {"blank", "a,b and maybe c"});
}

}  // namespace
}  // namespace shortfall::io
