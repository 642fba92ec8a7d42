#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "tests/files_for_tests.hpp"
#include "tests/formats/transitions_for_tests.hpp"

/// The optional columns of a stream: weight and seq.
namespace shortfall::io {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TransitionColumns : public FileTest {
 protected:
  Rows read(const std::string& text) const { return rows_of(file(text)); }
  std::string refused(const std::string& text) const {
    const std::string name = file(text);
    const std::string message = failure_of<InvalidInput>([&] { rows_of(name); });
    return message.substr(std::min(name.size(), message.size()));
  }
};

TEST_F(TransitionColumns, AreAbsentOrAnywhere) {
  const auto expected = ElementsAre("1 | 2 | 3 weight 0.5 seq 7", "4 | 0 | 6 terminal seq 9");
  EXPECT_THAT(read("seq,x1,y1,cost,weight,terminal\n7,1,2,3,0.5,0\n9,4,5,6,1,1\n"), expected);
  EXPECT_THAT(read("x1,y1,cost,weight,terminal,seq\n1,2,3,0.5,0,7\n4,5,6,1,1,9\n"), expected);
  EXPECT_THAT(read("x1,seq,y1,terminal,cost,weight\n1,7,2,0,3,0.5\n4,9,,1,6,1\n"), expected);
  EXPECT_THAT(read("weight,x1,y1,cost,seq,terminal\n.5,1,2,3, 7 ,false\n\"1\",4,,6,9,true\n"),
              expected);
  EXPECT_THAT(read(R"({"x":[1],"y":[2],"cost":3,"weight":0.5,"seq":7})"
                   "\n"
                   R"({"x":[4],"y":[5],"cost":6,"terminal":true,"seq":9})"
                   "\n"),
              expected);
  EXPECT_THAT(read(R"({"seq": 7, "x": [1], "y": [2], "cost": 3, "terminal": false, "weight": 0.5})"
                   "\n"
                   R"({"terminal":1,"weight":1.0,"cost":6,"seq":9,"x":[4]})"
                   "\n"),
              expected);
  EXPECT_THAT(read("x1,y1,cost\n1,2,3\n"), ElementsAre("1 | 2 | 3"));
}

// A weight of one row must not stay for the next, which has none.
TEST_F(TransitionColumns, HaveADefaultInEveryLineOfJson) {
  const std::string first = R"({"x":[1],"y":[2],"cost":3,"weight":0.5})"
                            "\n";
  for (const std::string second :
       {R"({"x":[1],"y":[2],"cost":3})", R"({"cost":3,"x":[1],"y":[2]})"}) {
    EXPECT_THAT(read(first + second + "\n"), ElementsAre("1 | 2 | 3 weight 0.5", "1 | 2 | 3"));
  }
}

TEST_F(TransitionColumns, KeepEveryDigitOfASequenceNumber) {
  const auto expected = ElementsAre("1 | 2 | 3 seq 0", "1 | 2 | 3 seq 9007199254740993",
                                    "1 | 2 | 3 seq 9223372036854775807");
  EXPECT_THAT(read("seq,x1,y1,cost\n0,1,2,3\n9007199254740993,1,2,3\n9223372036854775807,1,2,3\n"),
              expected);
  std::string json;
  for (const char* const seq : {"0", "9007199254740993", "9223372036854775807"}) {
    json += fmt::format("{{\"seq\":{},\"x\":[1],\"y\":[2],\"cost\":3}}\n", seq);
  }
  EXPECT_THAT(read(json), expected);
}

TEST_F(TransitionColumns, RefuseWhatIsNotAWeight) {
  for (const std::string weight : {"-1", "-0.5", "nan", "inf", "1e999", "", "x"}) {
    const std::string expected = fmt::format(
        ", line 2, column weight: found {:?}; accepted: a finite number, 0 or more", weight);
    EXPECT_EQ(refused(fmt::format("x1,y1,cost,weight\n1,2,3,{}\n", weight)), expected);
    EXPECT_EQ(refused(fmt::format("x1,y1,weight,terminal,cost\n1,2,{},0,3\n", weight)), expected);
  }
  for (const std::string weight : {"-1", "-0.5", "\"1\"", "null", "true"}) {
    EXPECT_EQ(
        refused(fmt::format("{{\"x\":[1],\"y\":[2],\"cost\":3,\"weight\":{}}}\n", weight)),
        fmt::format(", line 1: weight is {:?}; accepted: a finite number, 0 or more", weight));
  }
  EXPECT_THAT(read("x1,y1,cost,weight\n1,2,3,0\n1,2,3,-0\n"),
              ElementsAre("1 | 2 | 3 weight 0", "1 | 2 | 3 weight -0"));
}

TEST_F(TransitionColumns, RefuseWhatIsNotASequenceNumber) {
  constexpr auto accepted = "an integer from 0 to 9223372036854775807";
  for (const std::string seq : {"-1", "1.5", "1e3", "9223372036854775808", "", "x", "+1"}) {
    const std::string expected =
        fmt::format(", line 2, column seq: found {:?}; accepted: {}", seq, accepted);
    EXPECT_EQ(refused(fmt::format("seq,x1,y1,cost\n{},1,2,3\n", seq)), expected);
    EXPECT_EQ(refused(fmt::format("x1,y1,cost,seq,terminal\n1,2,3,{},0\n", seq)), expected);
    EXPECT_EQ(refused(fmt::format("x1,y1,seq,cost\n1,2,{},3\n", seq)), expected);
  }
  for (const std::string seq : {"-1", "1.5", "1e3", "9223372036854775808", "\"1\"", "null"}) {
    EXPECT_EQ(refused(fmt::format("{{\"x\":[1],\"y\":[2],\"cost\":3,\"seq\":{}}}\n", seq)),
              fmt::format(", line 1: seq is {:?}; accepted: {}", seq, accepted));
  }
}

TEST_F(TransitionColumns, RefuseNumbersThatGoBackToOnesNotSeen) {
  constexpr auto accepted = "; accepted: larger numbers from row to row, or rows seen before";
  EXPECT_EQ(refused("seq,x1,y1,cost\n5,1,2,3\n4,1,2,3\n"),
            ", line 3, column seq: 4 follows 5"s + accepted);
  EXPECT_EQ(refused("x1,y1,seq,cost\n1,2,5,3\n1,2,9,3\n1,2,8,3\n"),
            ", line 4, column seq: 8 follows 9"s + accepted);
  const std::string name = file("seq,x1,y1,cost\n5,1,2,3\n4,1,2,3\n6,1,2,3\n");
  TransitionStream in(name, BadRow::skip);
  EXPECT_THAT(rows_of(in), ElementsAre("1 | 2 | 3 seq 5", "1 | 2 | 3 seq 6"));
  EXPECT_EQ(in.skipped_rows(), 1u);
  EXPECT_EQ(in.replayed_rows(), 0u);
}

TEST_F(TransitionColumns, HaveASequenceNumberInAllRowsOrInNone) {
  const std::string with = R"({"x":[1],"y":[2],"cost":3,"seq":1})"
                           "\n";
  const std::string without = R"({"x":[1],"y":[2],"cost":3})"
                              "\n";
  EXPECT_EQ(refused(with + without),
            ", line 2: seq is missing; accepted: one in every row, as in those before");
  EXPECT_EQ(refused(without + with),
            ", line 2: there is a seq; accepted: none, as in the rows before");
}

// The fast path reads some orders of columns, the general one all of them.
TEST_F(TransitionColumns, InAnyOrderGiveTheSameRows) {
  std::mt19937_64 random(20);
  std::vector<std::string> names = {"x1", "x2", "y1", "y2", "cost", "weight", "terminal", "seq"};
  const std::vector<std::vector<std::string>> rows = {
      {"1", "2", "3", "4", "5.25", "0.75", "0", "3"},
      {"-1", "2e3", "0", "0", "-1", "2", "1", "14"}};
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<std::size_t> order = {0, 1, 2, 3, 4, 5, 6, 7};
    std::ranges::shuffle(order, random);
    std::string text;
    const auto add = [&](const std::vector<std::string>& fields) {
      for (const std::size_t i : order) text += fields[i] + (i == order.back() ? "\n" : ",");
    };
    add(names);
    for (const auto& row : rows) add(row);
    EXPECT_THAT(read(text), ElementsAre("1 2 | 3 4 | 5.25 weight 0.75 seq 3",
                                        "-1 2000 | 0 0 | -1 terminal weight 2 seq 14"))
        << text;
  }
}

}  // namespace
}  // namespace shortfall::io
