#include "shortfall/inventory/model/weekday.hpp"

#include <gtest/gtest.h>

#include "tests/files_for_tests.hpp"

namespace shortfall::inventory {
namespace {

using io::expect_rejected;

TEST(Weekday, IsReadFromItsNameOrThreeLetters) {
  EXPECT_EQ(parse_weekday("mon"), 0u);
  EXPECT_EQ(parse_weekday("Sunday"), 6u);
  EXPECT_EQ(parse_weekday("WED"), 2u);
  expect_rejected([] { (void)parse_weekday("tuseday"); },
                  {"did you mean tuesday?; accepted: mon, tue, wed, thu, fri, sat, sun"});
}

TEST(Weekday, MayBeToday) {
  EXPECT_EQ(parse_weekday("Today", 3), 3u);
  expect_rejected([] { (void)parse_weekday("toady", 3); }, {"did you mean today?", "sun or today"});
  expect_rejected([] { (void)parse_weekday("today"); }, {"'today' is not a day"});
}

}  // namespace
}  // namespace shortfall::inventory
