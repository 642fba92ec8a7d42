#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/files_for_tests.hpp"
#include "tests/formats/transitions_for_tests.hpp"

/// Every message of a transition stream, verbatim.
namespace shortfall::io {
namespace {

using namespace std::string_literals;

class TransitionErrors : public FileTest {
 protected:
  /// The message for a file with this text, after the file's name.
  std::string message_for(std::string_view text, BadRow bad_row = BadRow::reject) const {
    const std::string name = file(text);
    const std::string message = failure_of<InvalidInput>([&] { rows_of(name, bad_row); });
    EXPECT_TRUE(message.starts_with(name)) << message;
    return message.substr(std::min(name.size(), message.size()));
  }

  /// The same for a line of CSV after a header and another line.
  std::string said_of_row(std::string_view row) const {
    return message_for(
        fmt::format("x1,x2,y1,y2,cost,terminal\n1,2,3,4,5,0\n{}\n1,2,3,4,5,0\n", row));
  }

  /// The same for a line of NDJSON after another line.
  std::string said_of_json(std::string_view row) const {
    return message_for(fmt::format("{}\n{}\n", R"({"x":[1,2],"y":[3,4],"cost":5})", row));
  }
};

constexpr auto columns =
    "; accepted: x1,..,xd,y1,..,yd,cost[,terminal][,weight][,seq], in any order";

TEST_F(TransitionErrors, OfTheHeader) {
  EXPECT_EQ(message_for("x1,x2,y1,cost\n"), ", line 1: column y2 is missing"s + columns);
  EXPECT_EQ(message_for("x1,x3,y1,y2,y3,cost\n"), ", line 1: column x2 is missing"s + columns);
  EXPECT_EQ(message_for("x1,y1\n"), ", line 1: column cost is missing"s + columns);
  EXPECT_EQ(message_for("cost\n1\n"), ", line 1: column x1 is missing"s + columns);
  EXPECT_EQ(message_for("x1,y1,x1,cost\n"), ", line 1: column x1 appears twice"s + columns);
  EXPECT_EQ(message_for("x1,x2,y1,y2,cost,cost\n"),
            ", line 1: column cost appears twice"s + columns);
  EXPECT_EQ(message_for("x1,y1,cost,Cost\n"), ", line 1: unknown column \"Cost\""s + columns);
  EXPECT_EQ(message_for("x0,y1,cost\n"), ", line 1: unknown column \"x0\""s + columns);
  EXPECT_EQ(message_for("x1,y01,cost\n"), ", line 1: unknown column \"y01\""s + columns);
  EXPECT_EQ(message_for("1,2,3\n4,5,6\n"), ", line 1: column x1 is missing"s + columns);
  EXPECT_EQ(message_for("\"x1,y1,cost\n"),
            R"(, line 1: found "\"x1,y1,cost"; accepted: a closing quote on the same line)");
  EXPECT_EQ(message_for("x1,y1,co"), ", line 1: column cost is missing"s + columns +
                                         " (the line is truncated: it has no line end)");
}

TEST_F(TransitionErrors, OfTheHeaderAreNotSkipped) {
  EXPECT_EQ(message_for("x1,y1\n1,2,3\n", BadRow::skip),
            ", line 1: column cost is missing"s + columns);
  EXPECT_EQ(message_for("\nx1,y1,cost\n", BadRow::skip),
            ", line 1: the line is blank; accepted: blank lines after the last row only");
  EXPECT_EQ(message_for("\n{\"x\":[1],\"y\":[2],\"cost\":3}\n", BadRow::skip),
            ", line 1: the line is blank; accepted: blank lines after the last row only");
}

TEST_F(TransitionErrors, OfInputWithoutALine) {
  constexpr auto message =
      ": there is neither a header nor a transition; accepted: transitions as CSV or NDJSON";
  for (const auto text : {"", "\n", " \r\n\n"}) {
    EXPECT_EQ(message_for(text), message);
    EXPECT_EQ(message_for(text, BadRow::skip), message);
  }
}

TEST_F(TransitionErrors, OfNumbersNameTheColumn) {
  const std::string end = "; accepted: a finite number";
  EXPECT_EQ(said_of_row("1,2,3,abc,5,0"), ", line 3, column y2: found \"abc\"" + end);
  EXPECT_EQ(said_of_row("1,nan,3,4,5,0"), ", line 3, column x2: found \"nan\"" + end);
  EXPECT_EQ(said_of_row("1,2,-inf,4,5,0"), ", line 3, column y1: found \"-inf\"" + end);
  EXPECT_EQ(said_of_row("1,2,3,4,1e999,0"), ", line 3, column cost: found \"1e999\"" + end);
  EXPECT_EQ(said_of_row(",2,3,4,5,1"), ", line 3, column x1: found \"\"" + end);
  EXPECT_EQ(said_of_row("1,2,,4,5,0"), ", line 3, column y1: found \"\"" + end);
  EXPECT_EQ(said_of_row("1,2,nan,4,5,1"), ", line 3, column y1: found \"nan\"" + end);
  EXPECT_EQ(said_of_row("1,2,3,4,,1"), ", line 3, column cost: found \"\"" + end);
  EXPECT_EQ(message_for("cost,y1,x1\n1,2,3\n1,2,z\n"), ", line 3, column x1: found \"z\"" + end);
}

TEST_F(TransitionErrors, OfTheTerminalColumn) {
  for (const auto field : {"2", "yes", "", "TRUE", "01", "1.0"}) {
    EXPECT_EQ(said_of_row("1,2,3,4,5,"s + field),
              fmt::format(", line 3, column terminal: found \"{}\"; accepted: 0, 1, true or false",
                          field));
  }
}

TEST_F(TransitionErrors, OfTheNumberOfFields) {
  const std::string end = "; accepted: 6, as many as the header has";
  EXPECT_EQ(said_of_row("1,2,3,4,5"), ", line 3: found 5 field(s)" + end);
  EXPECT_EQ(said_of_row("1"), ", line 3: found 1 field(s)" + end);
  EXPECT_EQ(said_of_row("1,2,3,4,5,0,"), ", line 3: found 7 field(s)" + end);
  EXPECT_EQ(said_of_row(R"({"x":[1,2]})"), ", line 3: found 2 field(s)" + end);
}

TEST_F(TransitionErrors, OfBlankLinesThatARowFollows) {
  EXPECT_EQ(said_of_row(" \t"),
            ", line 3: the line is blank; accepted: blank lines after the last row only");
  EXPECT_EQ(said_of_row("\r\n\n"),
            ", line 3: the line is blank; accepted: blank lines after the last row only");
  EXPECT_EQ(said_of_json("\n{"),
            ", line 2: the line is blank; accepted: blank lines after the last row only");
}

TEST_F(TransitionErrors, OfNulBytes) {
  const std::string end =
      ": found a NUL byte, as binary and UTF-16 files have; accepted: text in UTF-8";
  EXPECT_EQ(said_of_row("1,2,3,4,5\0,0"s), ", line 3" + end);
  EXPECT_EQ(said_of_row("1,2,3,4,5,0\0"s), ", line 3" + end);
  EXPECT_EQ(message_for("x\0001\0,\0y\0"s), ", line 1" + end);
  EXPECT_EQ(said_of_json("{\"x\":[1,2],\"y\":[3,4],\"cost\":\0005}"s), ", line 2" + end);
  EXPECT_EQ(said_of_json("{\"x\":[1,2],\"y\":[3,4],\"co\0st\":5}"s), ", line 2" + end);
}

TEST_F(TransitionErrors, OfATruncatedLastLine) {
  const std::string truncated = " (the line is truncated: it has no line end)";
  EXPECT_EQ(message_for("x1,y1,cost\n1,2,3\n1,2"),
            ", line 3: found 2 field(s); accepted: 3, as many as the header has" + truncated);
  EXPECT_EQ(message_for("x1,y1,cost\n1,2,3\n1,2,"),
            ", line 3, column cost: found \"\"; accepted: a finite number" + truncated);
  EXPECT_THAT(message_for(R"({"x":[1],"y":[2],"co)"), ::testing::EndsWith(truncated));
}

constexpr auto object =
    R"(; accepted: {"x":[..],"y":[..],"cost":c}, and optionally "terminal", "weight" and "seq")";

TEST_F(TransitionErrors, OfInvalidJson) {
  for (const auto row :
       {"{", "{\"x\":[1,2],\"y\":[3,4],\"cost\":5", "[1,2]", "1,2,3", "{\"x\":[1,2],\"y\":[3,4]]",
        R"({"x":[1,2],"y":[3,4] "cost":5})", R"({"x":[1,2],"y":[3,4],"cost":5,})",
        R"({"x":[1,2}],"y":[3,4],"cost":5})", R"({"x":[1 2],"y":[3,4],"cost":5})",
        R"({"x" [1,2],"y":[3,4],"cost":5})", R"({x:[1,2],"y":[3,4],"cost":5})",
        "{\"x\":[1,2],\"y\":[3,4],\"cost\":5,\"\xFF\":1}"}) {
    const std::string message = said_of_json(row);
    EXPECT_THAT(message, ::testing::StartsWith(", line 2: this is not JSON (")) << row;
    EXPECT_THAT(message, ::testing::EndsWith(object)) << row;
  }
  EXPECT_EQ(said_of_json(R"({"x":[1,2],"y":[3,4],"cost":5} {})"),
            ", line 2: there is text after the object; accepted: one object per line");
}

TEST_F(TransitionErrors, OfKeys) {
  EXPECT_EQ(said_of_json(R"({"x":[1,2],"y":[3,4],"cost":5,"X":1})"),
            ", line 2: unknown key \"X\""s + object);
  EXPECT_EQ(said_of_json(R"({"x":[1,2],"y":[3,4],"cost":5,"x":[1,2]})"),
            ", line 2: key \"x\" appears twice"s + object);
  EXPECT_EQ(said_of_json(R"({"x":[1,2],"y":null,"y":null,"cost":5,"terminal":true})"),
            ", line 2: key \"y\" appears twice"s + object);
  EXPECT_EQ(said_of_json(R"({"y":[3,4],"cost":5})"), ", line 2: x is missing"s + object);
  EXPECT_EQ(said_of_json(R"({"x":[1,2],"cost":5})"), ", line 2: y is missing"s + object);
  EXPECT_EQ(said_of_json(R"({"x":[1,2],"y":null,"cost":5})"), ", line 2: y is missing"s + object);
  EXPECT_EQ(said_of_json(R"({"x":[1,2],"y":[3,4]})"), ", line 2: cost is missing"s + object);
  EXPECT_EQ(said_of_json("{}"), ", line 2: x is missing"s + object);
  EXPECT_EQ(message_for("{}\n"), ", line 1: x is missing"s + object);
  EXPECT_EQ(
      message_for(R"({"\u0078\u0031":[1,2],"x":[1,2],"y":[3,4],"cost":5})"),
      ", line 1: unknown key \"x1\""s + object + " (the line is truncated: it has no line end)");
  EXPECT_EQ(message_for("{\"\\u0078\":[1,2],\"x\":[1,2],\"y\":[3,4],\"cost\":5}\n"),
            ", line 1: key \"x\" appears twice"s + object);
}

TEST_F(TransitionErrors, OfValuesInNdjson) {
  const std::string number = "; accepted: a finite number";
  EXPECT_EQ(said_of_json(R"({"x":[1,"2" ],"y":[3,4],"cost":5})"),
            R"(, line 2: element 2 of x is "\"2\"")" + number);
  EXPECT_EQ(said_of_json(R"({"x":[1,2],"y":[NaN,4],"cost":5})"),
            R"(, line 2: element 1 of y is "NaN")" + number);
  EXPECT_EQ(said_of_json(R"({"x":[1,2],"y":[3,4],"cost":1e999})"),
            R"(, line 2: cost is "1e999")" + number);
  for (const auto text : {"Infinity", "null", "01", "1.", ".5", "+1", "-", "1e", "0x1", "true"}) {
    EXPECT_EQ(said_of_json(fmt::format(R"({{"x":[1,2],"y":[3,4],"cost":{}}})", text)),
              fmt::format(", line 2: cost is \"{}\"{}", text, number));
  }
  EXPECT_EQ(said_of_json(R"({"x":1,"y":[3,4],"cost":5})"),
            R"(, line 2: x is "1"; accepted: an array of numbers)");
  EXPECT_EQ(said_of_json(R"({"x":[1,[2]],"y":[3,4],"cost":5})"),
            R"(, line 2: element 2 of x is "["; accepted: a finite number)");
  for (const auto text : {"2", "-1", "\"true\"", "0.5", "null"}) {
    EXPECT_EQ(said_of_json(fmt::format(R"({{"x":[1,2],"y":[3,4],"cost":5,"terminal":{}}})", text)),
              fmt::format(", line 2: terminal is {:?}; accepted: 0, 1, true or false",
                          std::string_view(text)));
  }
}

TEST_F(TransitionErrors, OfTheDimensionOfNdjson) {
  const std::string end = "; accepted: 2, the number of features of this stream";
  EXPECT_EQ(said_of_json(R"({"x":[1,2,3],"y":[3,4,5],"cost":5})"),
            ", line 2: found 3 element(s) in x" + end);
  EXPECT_EQ(said_of_json(R"({"x":[1],"y":[3],"cost":5})"),
            ", line 2: found 1 element(s) in x" + end);
  EXPECT_EQ(said_of_json(R"({"x":[1,2],"y":[3],"cost":5})"),
            ", line 2: found 1 element(s) in y" + end);
  EXPECT_EQ(said_of_json(R"({"x":[1,2],"y":[],"cost":5})"),
            ", line 2: found 0 element(s) in y" + end);
  EXPECT_EQ(said_of_json(R"({"x":[1,2],"y":[3],"cost":5,"terminal":true})"),
            ", line 2: found 1 element(s) in y" + end);
  EXPECT_EQ(message_for(R"({"x":[1,2],"y":[3,4,5],"cost":5})"
                        "\n"),
            ", line 1: found 3 element(s) in y" + end);
  EXPECT_EQ(message_for("{\"x\":[],\"y\":[],\"cost\":5}\n"),
            ", line 1: x is empty; accepted: one number or more");
}

TEST_F(TransitionErrors, OfTheFile) {
  const std::string end = "; accepted: a text file, or - for standard input";
  EXPECT_EQ(failure_of<InvalidInput>([&] { TransitionStream in(path("none")); }),
            path("none") + ": there is no such file" + end);
  EXPECT_EQ(failure_of<InvalidInput>([&] { TransitionStream in(directory); }),
            directory.string() + ": this is a directory" + end);
}

}  // namespace
}  // namespace shortfall::io
