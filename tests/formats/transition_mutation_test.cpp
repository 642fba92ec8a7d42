#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

#include "tests/files_for_tests.hpp"
#include "tests/formats/mutations_for_tests.hpp"
#include "tests/formats/transitions_for_tests.hpp"

/// Streams with random faults give rows, or are refused with a message that names them, however
/// they are split and whichever parser reads them.
namespace shortfall::io {
namespace {

constexpr int mutants = 10000;

using Random = std::mt19937_64;

const std::string csv_text =
    "x1,x2,y1,y2,cost,terminal\n1,2.5,3,-4,5e1,0\n1,2,,,3.25,1\r\n-1,1e-3,0.125,7,8,false\n"
    "\"9\", 8,7,6,5,0\n1,2,3,4,5,0\n";
const std::string json_text =
    "{\"x\":[1,2.5],\"y\":[3,-4],\"cost\":5e1}\n{\"x\":[1,2],\"cost\":3.25,\"terminal\":true}\r\n"
    "{\"cost\":-1, \"y\":[1e-3,0.125],\"terminal\":false,\"x\":[ 7 ,8]}\n"
    "{\"x\":[1,2],\"y\":[3,4],\"cost\":5,\"terminal\":0}\n";

/// Texts that are difficult for JSON readers.
constexpr std::string_view json_fragments[] = {
    "{",  "}",     "[",      "]",    ":",     ",",      "\"",   "\\", "\\u0078", "null", "true",
    "[]", "NaN",   "-",      "1e99", "1e999", "0",      "\xC3", "\n", "\n\n",    " ",    "//",
    "{}", "\"x\"", "\"y\":", "1.",   ".5",    "\"z\":", "\"\"", "\r", "1e-400,", "[1,2]"};

std::string mutant_of(const std::string& text, Random& random) {
  return &text == &json_text ? mutated(text, random, json_fragments) : mutated(text, random);
}

/// The result of a stream as text: its rows, then the message without the stream's name, or the
/// number of skipped lines.
std::string outcome_of(TransitionStream& in) {
  Rows rows;
  std::string end;
  try {
    while (take_rows(in, rows) == Next::starved) in.fill();
    end = fmt::format("skipped {}", in.skipped_rows());
  } catch (const InvalidInput& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with(in.name())) << message;
    EXPECT_NE(message.find("; accepted: "), std::string::npos) << message;
    end = "refused" + message.substr(in.name().size());
  }
  return fmt::format("{}\n{}", fmt::join(rows, "\n"), end);
}

class TransitionMutation : public FileTest {
 protected:
  static std::string outcome(const std::string& path, BadRow bad_row = BadRow::reject) {
    TransitionStream in(path, bad_row);
    return outcome_of(in);
  }

  /// The same with the text in two pieces through a pipe.
  std::string outcome_in_pieces(const std::string& text, std::size_t cut) const {
    Pipe pipe;
    TransitionStream in(pipe.path());
    pipe.write(std::string_view(text).substr(0, cut));
    in.fill();
    Rows rows;
    try {
      take_rows(in, rows);
    } catch (const InvalidInput& error) {
      return fmt::format("{}\nrefused{}", fmt::join(rows, "\n"),
                         std::string(error.what()).substr(in.name().size()));
    }
    pipe.write(std::string_view(text).substr(cut));
    pipe.close();
    const std::string rest = outcome_of(in);
    if (rows.empty()) return rest;
    return fmt::format("{}{}{}", fmt::join(rows, "\n"), rest.starts_with('\n') ? "" : "\n", rest);
  }
};

TEST_F(TransitionMutation, IsReadOrRefusedAndWithSkippingAlwaysRead) {
  for (const std::string* const text : {&csv_text, &json_text}) {
    Random random(20240608);
    int refused = 0;
    for (int i = 0; i < mutants / 2; ++i) {
      const std::string mutant = mutant_of(*text, random);
      const std::string name = file(mutant);
      const std::string strict = outcome(name);
      const std::string lenient = outcome(name, BadRow::skip);
      const std::size_t at = strict.find("\nrefused");
      if (at == std::string::npos) {
        ASSERT_EQ(lenient, strict) << mutant;
        continue;
      }
      ++refused;
      // A bad header is always refused; other faults only end the reading.
      if (lenient.find("\nrefused") != std::string::npos) {
        ASSERT_EQ(lenient, strict) << mutant;
      } else {
        ASSERT_TRUE(lenient.starts_with(strict.substr(0, at))) << mutant;
      }
    }
    EXPECT_GT(refused, mutants / 4);
    EXPECT_LT(refused, mutants / 2 - mutants / 100);
  }
}

TEST_F(TransitionMutation, GivesTheSameInPieces) {
  for (const std::string* const text : {&csv_text, &json_text}) {
    Random random(5);
    for (int i = 0; i < mutants / 4; ++i) {
      const std::string mutant = mutant_of(*text, random);
      if (mutant.empty()) continue;
      ASSERT_EQ(outcome_in_pieces(mutant, 1 + random() % mutant.size()), outcome(file(mutant)))
          << mutant;
    }
  }
}

/// `text` with a blank before each line: equivalent, but no row takes the fast path.
std::string padded(std::string_view text) {
  std::string result = " ";
  for (const char c : text) {
    result += c;
    if (c == '\n') result += ' ';
  }
  return result;
}

TEST_F(TransitionMutation, GivesTheSameWithoutTheFastPath) {
  for (const std::string* const text : {&csv_text, &json_text}) {
    Random random(6);
    for (int i = 0; i < mutants / 4; ++i) {
      const std::string mutant = mutant_of(*text, random);
      ASSERT_EQ(outcome(file(padded(mutant))), outcome(file(mutant))) << mutant;
    }
  }
}

}  // namespace
}  // namespace shortfall::io
