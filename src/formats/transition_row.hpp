#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "shortfall/features/sparse_features.hpp"

namespace shortfall::io {

/// A row without a sequence number; numbers are from 0 to the largest of std::int64_t.
inline constexpr std::int64_t no_seq = -1;
inline constexpr std::string_view accepted_seq = "an integer from 0 to 9223372036854775807";
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
