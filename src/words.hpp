#pragma once

#include <optional>
#include <string_view>
#include <vector>

/// Parameters in the one-word forms of losses and step sizes.
namespace shortfall {

std::vector<std::string_view> split(std::string_view text, char separator);

/// The finite number that fills `text`, or nothing.
std::optional<double> finite_number(std::string_view text);

}  // namespace shortfall
