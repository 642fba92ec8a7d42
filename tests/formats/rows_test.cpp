#include "formats/rows.hpp"

#include <gtest/gtest.h>

#include "tests/files_for_tests.hpp"

namespace shortfall::io {
namespace {

TEST(ReadProbability, AllowsForRoundingAboveOneAndNamesTheRange) {
  const Place place{"f.csv", 7, "probability"};
  EXPECT_EQ(read_probability("1.0000005", place), 1.0000005);
  expect_rejected([&] { read_probability("-0.1", place); }, {"\"-0.1\"", "a number in [0, 1]"});
  expect_rejected([&] { read_probability("1.00001", place); },
                  {"\"1.00001\"", "a number in [0, 1]"});
}

}  // namespace
}  // namespace shortfall::io
