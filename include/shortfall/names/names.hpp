#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "shortfall/errors/error.hpp"

namespace shortfall {

/// The values of an enumeration with their names, in the order in which messages list them.
template <class Value, std::size_t n>
using Names = std::array<std::pair<std::string_view, Value>, n>;

template <class Value, std::size_t n>
constexpr std::string_view name_of(Value value, const Names<Value, n>& names) {
  for (const auto& [name, named] : names) {
    if (named == value) return name;
  }
  return "unknown";
}

/// Throws InvalidInput for a name that is not listed: "method 'x'; accepted: newton, sweeps".
template <class Value, std::size_t n>
Value value_named(std::string_view name, const Names<Value, n>& names, std::string_view what) {
  std::string accepted;
  for (const auto& [known, value] : names) {
    if (known == name) return value;
    accepted.append(accepted.empty() ? "" : ", ").append(known);
  }
  throw InvalidInput(std::string(what) + " '" + std::string(name) + "'; accepted: " + accepted);
}

}  // namespace shortfall
