#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/files_for_tests.hpp"
#include "tests/formats/transitions_for_tests.hpp"

/// Random rows, written in the shortest form, are read back with the same bits, however split.
namespace shortfall::io {
namespace {

using Random = std::mt19937_64;

/// Either any finite double or a short one.
double random_double(Random& random) {
  for (;;) {
    const double x = random() % 3 == 0 ? static_cast<double>(random() % 2000) / 8.0 - 100.0
                                       : std::bit_cast<double>(random());
    if (std::isfinite(x)) return x;
  }
}

/// The same rows in both formats and as numbers.
struct Sample {
  std::string csv;
  std::string json;
  Rows rows;
};

Sample random_sample(std::size_t d, std::size_t rows, Random& random) {
  std::vector<std::size_t> order(2 * d + 2);  // of the columns: x, y, cost, terminal
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (random() % 2 == 0) std::ranges::shuffle(order, random);
  Sample sample;
  for (const std::size_t column : order) {
    sample.csv += column < d        ? fmt::format("x{},", column + 1)
                  : column < 2 * d  ? fmt::format("y{},", column - d + 1)
                  : column == 2 * d ? "cost,"
                                    : "terminal,";
  }
  sample.csv.back() = '\n';
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<double> values(2 * d + 1);
    for (double& value : values) value = random_double(random);
    const bool terminal = random() % 5 == 0;
    for (const std::size_t column : order) {
      sample.csv +=
          column == 2 * d + 1 ? (terminal ? "1," : "0,") : fmt::format("{},", values[column]);
    }
    sample.csv.back() = '\n';
    const auto x = std::span(values).first(d);
    const auto y = std::span(values).subspan(d, d);
    sample.json += fmt::format("{{\"x\":[{}],\"y\":[{}],\"cost\":{},\"terminal\":{}}}\n",
                               fmt::join(x, ","), fmt::join(y, ", "), values.back(), terminal);
    if (terminal) std::ranges::fill(y, 0.0);
    sample.rows.push_back(
        text_of({.phi = x, .phi_next = y, .cost = values.back(), .terminal = terminal}));
  }
  return sample;
}

class TransitionRoundTrip : public FileTest {};

TEST_F(TransitionRoundTrip, ThroughAFileKeepsEveryBit) {
  Random random(20240611);
  for (const std::size_t d : {1u, 2u, 3u, 10u, 40u}) {
    const Sample sample = random_sample(d, 1000, random);
    EXPECT_EQ(rows_of(file(sample.csv)), sample.rows);
    EXPECT_EQ(rows_of(file(sample.json)), sample.rows);
  }
}

TEST_F(TransitionRoundTrip, ThroughAPipeInRandomPiecesKeepsEveryBit) {
  Random random(7);
  for (const std::size_t d : {1u, 2u, 10u}) {
    for (const std::size_t longest : {1u, 7u, 100u, 5000u, 60000u}) {
      const Sample sample = random_sample(d, longest == 1 ? 20 : 200, random);
      ASSERT_EQ(rows_through_pipe(sample.csv, longest, random), sample.rows);
      ASSERT_EQ(rows_through_pipe(sample.json, longest, random), sample.rows);
    }
  }
}

TEST_F(TransitionRoundTrip, OfLinesLongerThanTheBufferKeepsEveryBit) {
  Random random(11);
  const Sample sample = random_sample(9000, 4, random);  // about 380 KB per line
  EXPECT_EQ(rows_of(file(sample.csv)), sample.rows);
  EXPECT_EQ(rows_of(file(sample.json)), sample.rows);
  EXPECT_EQ(rows_through_pipe(sample.csv, 50000, random), sample.rows);
  EXPECT_EQ(rows_through_pipe(sample.json, 50000, random), sample.rows);
}

}  // namespace
}  // namespace shortfall::io
