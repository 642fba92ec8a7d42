#pragma once

#include <optional>
#include <string_view>
#include <vector>

/// Parsing of the parameters of losses and step sizes.
namespace shortfall {

std::vector<std::string_view> split(std::string_view text, char separator);

/// The finite number that makes up all of `text`, or nullopt.
std::optional<double> finite_number(std::string_view text);

}  // namespace shortfall
