#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "shortfall/features/sparse_features.hpp"

namespace shortfall::io {

/// A row without a sequence number; numbers are from 0 to the largest of std::int64_t.
inline constexpr std::int64_t no_seq = -1;
inline constexpr std::string_view accepted_seq = "an integer from 0 to 9223372036854775807";
/// The longest name of an unknown column or key that is quoted, and how many are remembered.
inline constexpr std::size_t longest_quoted_name = 60;
inline constexpr std::size_t most_ignored_names = 16;

/// Whether a name is not one of a transition, but looks like another spelling of one: Cost, x0, X1.
/// Ignored, it would change what is learned.
inline bool looks_like_a_column(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const std::string_view known : {"x", "y", "cost", "terminal", "weight", "seq"}) {
    if (lower == known) return true;
  }
  return (lower[0] == 'x' || lower[0] == 'y') &&
         lower.find_first_not_of("0123456789", 1) == std::string::npos;
}

/// Remembers a name that is ignored, once, and no more than a few.
inline void remember_ignored(std::string_view name, std::vector<std::string>& ignored) {
  name = name.substr(0, longest_quoted_name);
  if (ignored.size() == most_ignored_names) return;
  if (std::ranges::find(ignored, name) == ignored.end()) ignored.emplace_back(name);
}

inline constexpr std::string_view accepted_weight = "a finite number, 0 or more";

/// The sequence number that makes up all of `text`, in digits.
inline std::optional<std::int64_t> parse_seq(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  if (text.empty() || text.front() == '-') return std::nullopt;
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

/// A transition while it is read: 2d + 2 numbers, the current features, the next ones, the cost and
/// the weight.
struct TransitionRow {
  std::vector<double> values;
  bool terminal = false;
  std::int64_t seq = no_seq;

  void set_dimension(std::size_t d) {
    values.assign(d == 0 ? 0 : 2 * d + 2, 0.0);
    if (d > 0) weight() = 1.0;
  }
  std::size_t dimension() const { return values.empty() ? 0 : values.size() / 2 - 1; }
  std::span<double> phi() { return std::span(values).first(dimension()); }
  std::span<double> phi_next() { return std::span(values).subspan(dimension(), dimension()); }
  double& cost() { return values[values.size() - 2]; }
  double& weight() { return values.back(); }

  /// Whether averagers accept the features.
  bool is_averager() { return features::is_averager(phi()) && features::is_averager(phi_next()); }

  /// Sets the next features of a terminal transition to 0, whatever the line contains.
  void settle() {
    if (terminal) std::ranges::fill(phi_next(), 0.0);
  }
};

}  // namespace shortfall::io
