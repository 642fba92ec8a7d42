#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "shortfall/formats/law_csv.hpp"
#include "shortfall/formats/model_csv.hpp"
#include "tests/files_for_tests.hpp"
#include "tests/formats/outcome_for_tests.hpp"
#include "text/csv.hpp"

/// Large files are split into chunks that several threads parse. The result must not depend on
/// that.
namespace shortfall::io {
namespace {

const std::string header = "idstatefrom,idaction,idstateto,probability,cost\n";

/// One thread with the whole file in one chunk, then chunks of many sizes.
const std::vector<ReadOptions> all_options = [] {
  std::vector<ReadOptions> options = {{.threads = 1, .chunk_bytes = std::size_t{1} << 30}};
  for (const int threads : {1, 2}) {
    for (std::size_t bytes = 1; bytes < 60; ++bytes) options.push_back({threads, bytes});
    for (const std::size_t bytes : {100u, 1000u, 10000u}) options.push_back({threads, bytes});
  }
  return options;
}();

class Chunks : public FileTest {
 protected:
  void expect_same_for_all(const std::string& text) {
    const std::string name = file(text);
    const std::string expected = outcome_of(name, all_options.front());
    for (const ReadOptions& options : all_options) {
      ASSERT_EQ(outcome_of(name, options), expected)
          << options.threads << " threads, " << options.chunk_bytes << " bytes a chunk";
    }
  }

  /// Rows of different lengths and forms; about one in eight does not take the fast path.
  static std::vector<std::string> rows() {
    std::mt19937_64 random(1);
    std::vector<std::string> result;
    for (int i = 0; i < 200; ++i) {
      const std::string from = std::to_string(random() % 1000);
      const std::string cost = std::to_string(static_cast<double>(random() % 100000) / 100.0);
      const std::string end = random() % 4 == 0 ? "\r\n" : "\n";
      result.push_back(random() % 8 == 0 ? "\"" + from + "\", 0,0,1,+" + cost + end
                                         : from + ",0,0,1," + cost + end);
    }
    return result;
  }

  static std::string joined(const std::vector<std::string>& lines) {
    std::string text = header;
    for (const std::string& line : lines) text += line;
    return text;
  }
};

TEST_F(Chunks, OfAnySizeGiveTheSameTable) {
  expect_same_for_all(joined(rows()));
  expect_same_for_all(joined(rows()) + "\n\n");
  expect_same_for_all(header + "0,0,0,1,5");
}

TEST_F(Chunks, OfAnySizeGiveTheFirstError) {
  for (const std::size_t first : {0u, 1u, 77u, 198u}) {
    std::vector<std::string> lines = rows();
    lines[first] = "0,0,0,1,wrong\n";
    lines[first + 1] = "0,0,0,1\n";
    lines[199] = "0,0,-1,1,1\n";
    const std::string name = file(joined(lines));
    for (const ReadOptions& options : all_options) {
      EXPECT_EQ(outcome_of(name, options),
                name + ", line " + std::to_string(first + 2) +
                    ", column cost: found \"wrong\"; accepted: a finite number");
    }
  }
}

TEST_F(Chunks, OfAnySizeFindTheLineThatIsTooLong) {
  for (const std::size_t length : {longest_line + 1, 3 * longest_line}) {
    std::vector<std::string> lines = rows();
    lines[50] = std::string(length, '7') + "\n";
    expect_same_for_all(joined(lines));
    EXPECT_EQ(
        outcome_of(path("in.csv"), {.threads = 2, .chunk_bytes = 7}),
        path("in.csv") + ", line 52: the line is too long; accepted: at most 65536 bytes per line");
  }
}

TEST_F(Chunks, OfAnySizeTakeTheLongestLine) {
  std::vector<std::string> lines = rows();
  const std::string row = "0,0,0,1,4";
  lines[50] = row + std::string(longest_line - row.size(), ' ') + "\n";
  expect_same_for_all(joined(lines));
  EXPECT_NO_THROW(read_table_csv(path("in.csv")));
}

TEST_F(Chunks, OfAnySizeRefuseAFileOfShortLines) {
  std::string text = header + "0,0,0,1,1\n" + std::string(5000, '\n') + "0,0,0,1,1\n";
  expect_same_for_all(text);
  EXPECT_THAT(outcome_of(path("in.csv"), {}), ::testing::HasSubstr("line 3: the line is blank"));
}

/// Rows as programs write them, with all lengths of numbers that the fast path reads, and a few
/// that it does not: other ends of lines, exponents and long ids.
TEST_F(Chunks, OfAnySizeGiveTheSameDecimals) {
  std::mt19937_64 random(2);
  std::string text = header;
  std::vector<double> probabilities;
  std::vector<double> costs;
  for (int i = 0; i < 300; ++i) {
    probabilities.push_back(std::ldexp(static_cast<double>(random() >> 11), -53) / (1 + i));
    costs.push_back(std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(i % 60) - 75));
    if (i % 3 == 0) costs.back() *= -1.0;
    const char* const state = i % 50 == 7 ? "123456789" : i % 50 == 8 ? "4294967295" : "0";
    const std::string cost = i % 11 == 0 ? fmt::format("{:.17e}", costs.back())  // as in 1e+02
                                         : fmt::format("{}", costs.back());
    text += fmt::format("0,{},{},{},{}{}", i % 12, state, probabilities.back(), cost,
                        i % 7 == 0 ? "\r\n" : "\n");
  }
  for (const std::string& form : {text, text.substr(0, text.size() - 1), text + "\r\n\n"}) {
    const std::string name = file(form);
    for (const ReadOptions& options : all_options) {
      const TransitionTable table = read_table_csv(name, options).table;
      ASSERT_EQ(table.probability, probabilities) << options.chunk_bytes;
      ASSERT_EQ(table.cost, costs) << options.chunk_bytes;
      ASSERT_EQ(table.to[7], 123456789u);
      ASSERT_EQ(table.to[8], 4294967295u);
    }
  }
}

/// Files of several windows: with small chunks a window is little more than two of the longest
/// lines.
class Windows : public Chunks {
 protected:
  void expect_same_for_all(const std::string& text) {
    const std::string name = file(text);
    const std::string expected = outcome_of(name, {.threads = 1, .chunk_bytes = 1 << 30});
    for (const std::size_t bytes : {1u, 37u, 1000u, 10000u}) {
      ASSERT_TRUE(outcome_of(name, {.threads = 2, .chunk_bytes = bytes}) == expected) << bytes;
    }
  }

  static std::vector<std::string> many_rows() {
    std::vector<std::string> result;
    for (int i = 0; i < 100; ++i) {
      for (const std::string& row : rows()) result.push_back(row);
    }
    return result;
  }
};

TEST_F(Windows, GiveTheSameTable) {
  const std::string text = joined(many_rows());
  ASSERT_GT(text.size(), 4 * longest_line);
  expect_same_for_all(text);
  EXPECT_EQ(read_table_csv(path("in.csv"), {.threads = 2, .chunk_bytes = 1}).table.rows(), 20000u);
  expect_same_for_all("\xEF\xBB\xBF" + text.substr(0, text.size() - 1));
  expect_same_for_all(text + std::string(500000, '\n'));
  expect_same_for_all(header + std::string(longest_line, ' ') + "\n" + text.substr(header.size()));
}

TEST_F(Windows, GiveTheFirstError) {
  for (const std::size_t line : {0u, 5000u, 19999u}) {
    std::vector<std::string> lines = many_rows();
    lines[line] = "0,0,0,1,wrong\n";
    lines.back() = "0,0,0,1\n";
    lines.back() = line == lines.size() - 1 ? "0,0,0,1,wrong\n" : lines.back();
    expect_same_for_all(joined(lines));
    EXPECT_THAT(outcome_of(path("in.csv"), {.threads = 2, .chunk_bytes = 1}),
                ::testing::HasSubstr(fmt::format("line {}, column cost", line + 2)));
  }
}

TEST_F(Windows, FindBlankLinesThatAreNotTheLast) {
  for (const std::size_t blank : {1u, 2u, 200000u}) {
    std::vector<std::string> lines = many_rows();
    lines[9999] += std::string(blank, '\n');
    expect_same_for_all(joined(lines));
    EXPECT_THAT(outcome_of(path("in.csv"), {.threads = 2, .chunk_bytes = 1}),
                ::testing::HasSubstr("line 10002: the line is blank"));
  }
}

TEST_F(Windows, FindTheLineThatIsTooLong) {
  for (const std::size_t line : {0u, 9999u, 19999u}) {
    for (const std::size_t length : {longest_line, longest_line + 1, 9 * longest_line}) {
      std::vector<std::string> lines = many_rows();
      const std::string row = "0,0,0,1,";
      lines[line] = row + std::string(length - row.size(), '0') + "\n";
      expect_same_for_all(joined(lines));
      const std::string outcome = outcome_of(path("in.csv"), {.threads = 2, .chunk_bytes = 1});
      EXPECT_EQ(
          outcome.find(fmt::format("line {}: the line is too long", line + 2)) != std::string::npos,
          length > longest_line);
    }
  }
}

TEST_F(Chunks, OfAnySizeGiveTheSameLaw) {
  std::string text = "value,probability\n";
  for (int i = 0; i < 256; ++i) text += std::to_string(i * 37 % 101) + ".25,0.00390625\n";
  const std::string name = file(text);
  const LoadedLaw expected = read_law_csv(name, all_options.front());
  ASSERT_EQ(expected.atoms.size(), 256u);
  EXPECT_EQ(expected.atoms[3], 10.25);  // 3 · 37 = 111 = 101 + 10
  for (const ReadOptions& options : all_options) {
    const LoadedLaw law = read_law_csv(name, options);
    EXPECT_EQ(law.atoms, expected.atoms);
    EXPECT_EQ(law.probabilities, expected.probabilities);
  }
}

}  // namespace
}  // namespace shortfall::io
