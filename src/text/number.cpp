#include "text/number.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <system_error>

#include "text/text.hpp"

namespace shortfall::io {
namespace {

std::string_view without_plus(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return text;
}

/// The number that makes up all of `text`.
std::optional<double> whole_number(std::string_view text) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = fast_float::from_chars(text.data(), end, value);
  if (error == std::errc::invalid_argument || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  return whole_number(without_plus(text));
}

std::optional<double> parse_finite_number(std::string_view text) {
  const std::optional<double> value = whole_number(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::uint32_t> parse_id(std::string_view text, std::uint32_t largest) {
  text = without_plus(text);
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value > largest) return std::nullopt;
  return value;
}

double read_number(std::string_view field, const Place& place) {
  const std::optional<double> value = parse_number(field);
  if (!value || !std::isfinite(*value)) reject_field(place, field, "a finite number");
  return *value;
}

std::uint32_t read_id(std::string_view field, std::uint32_t largest, const Place& place) {
  const std::optional<std::uint32_t> id = parse_id(field, largest);
  if (!id) reject_field(place, field, fmt::format("an integer from 0 to {}", largest));
  return *id;
}

}  // namespace shortfall::io
