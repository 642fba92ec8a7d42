#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

namespace shortfall::inventory {

/// 0 for Monday to 6 for Sunday. Check: 2026-11-16 is a Monday.
std::size_t weekday_of(std::chrono::sys_days date);

/// "Monday" for 0, .., "Sunday" for 6.
const char* weekday_name(std::size_t weekday);

/// The words of the days in messages and options.
inline constexpr std::string_view accepted_weekdays = "mon, tue, wed, thu, fri, sat, sun";

/// The day of a name or of its first three letters, 0 for Monday to 6 for Sunday, in capitals or
/// not; or `today`, if it is given, for the word today. Throws InvalidInput that lists the days,
/// with the likely one.
std::size_t parse_weekday(std::string_view name, std::optional<std::size_t> today = {});

}  // namespace shortfall::inventory
