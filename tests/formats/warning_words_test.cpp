// Warnings in words, as the command line and functions name their options.
#include "shortfall/formats/warning_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace shortfall::io {
namespace {

using inventory::parse_iso_date;
using inventory::Warning;
using inventory::WarningCode;

const std::chrono::sys_days monday = *parse_iso_date("2026-11-16");

/// With all data that any code may need.
Warning with_data(WarningCode code) {
  return {.code = code,
          .count = 3,
          .total = 4,
          .number = -0.25,
          .p = 0.001,
          .weekdays = {5, 6},
          .dates = {monday},
          .gaps = {{monday, monday + std::chrono::days(19)}},
          .names = {"the reason"}};
}

TEST(WarningWords, EveryCodeHasWordsOfItsOwn) {
  std::set<std::string> known;
  for (int code = 0; code <= static_cast<int>(WarningCode::actual_waste_differs); ++code) {
    const std::string words = in_words(with_data(static_cast<WarningCode>(code)));
    EXPECT_FALSE(words.empty()) << code;
    EXPECT_TRUE(known.insert(words).second) << words;
  }
}

TEST(WarningWords, OnlyTheCommandLineHasItsOptions) {
  std::size_t with_options = 0;
  for (int code = 0; code <= static_cast<int>(WarningCode::actual_waste_differs); ++code) {
    const Warning warning = with_data(static_cast<WarningCode>(code));
    EXPECT_THAT(in_words(warning), ::testing::Not(::testing::HasSubstr("--")));
    const std::string on_command_line = in_words(warning, OptionStyle::command_line);
    with_options += on_command_line.find("--") != std::string::npos ? 1U : 0U;
  }
  EXPECT_EQ(with_options, 8U);
}

TEST(WarningWords, SayWhatToDo) {
  const Warning gap{.code = WarningCode::missing_rows,
                    .gaps = {{monday, monday + std::chrono::days(14)}}};
  EXPECT_EQ(in_words(gap, OptionStyle::command_line),
            "there is no row from 2026-11-16 to 2026-11-30 (15 days): assumed closed; if rows are "
            "missing, add them, or use only the later days with --since 2026-12-01");
  EXPECT_THAT(in_words(gap),
              ::testing::EndsWith("use only the later days with since = 2026-12-01"));
  const Warning growth{.code = WarningCode::trend, .count = 180, .number = 0.123, .p = 0.0004};
  EXPECT_EQ(
      in_words(growth),
      "demand grows by 12 % a year (p = 0.0004), and the plan assumes its average; last = 180 "
      "uses only the last 180 days");
  const Warning weekend{.code = WarningCode::closed_weekdays, .weekdays = {5, 6}};
  EXPECT_THAT(in_words(weekend),
              ::testing::StartsWith("there are no rows for Saturday and Sunday"));
}

}  // namespace
}  // namespace shortfall::io
