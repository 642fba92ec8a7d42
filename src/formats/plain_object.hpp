#pragma once

#include <fast_float/fast_float.h>

#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <system_error>

#include "formats/transition_row.hpp"

namespace shortfall::io {

/// Fast path for a transition in the usual forms of NDJSON, as programs write it: keys in the order
/// x, y, cost, terminal and weight, with seq first or last, with no blanks or one after each comma
/// and colon. Each call advances past what it read, or returns false: then the line must be parsed
/// by the full JSON parser, which also reports errors.
class PlainObject {
 public:
  explicit PlainObject(std::string_view line) : at_(line.data()), end_(at_ + line.size()) {}

  /// Reads a complete, non-terminal transition into a row of known dimension.
  bool transition(TransitionRow& row) {
    row.terminal = false;
    row.seq = no_seq;
    row.weight() = 1.0;
    if (!next("{") || (next("\"seq\":") && !(seq(row.seq) && next(",")))) return false;
    return next("\"x\":") && features(row.phi()) && next(",") && next("\"y\":") &&
           features(row.phi_next()) && next(",") && next("\"cost\":") && number(row.cost()) &&
           (next("}") || optional_keys(row)) && at_ == end_;
  }

 private:
  bool optional_keys(TransitionRow& row) {
    if (next(",\"terminal\":") || next(", \"terminal\":")) {
      if (!next("false")) return false;
    }
    if (next(",\"weight\":") || next(", \"weight\":")) {
      if (!number(row.weight()) || row.weight() < 0.0) return false;
    }
    if (row.seq == no_seq && (next(",\"seq\":") || next(", \"seq\":"))) {
      if (!seq(row.seq)) return false;
    }
    return next("}");
  }

  bool seq(std::int64_t& value) {
    const char* last = at_;
    while (is_digit(last)) ++last;
    const std::optional<std::int64_t> parsed = parse_seq({at_, last});
    if (!parsed || (*at_ == '0' && last - at_ > 1)) return false;
    value = *parsed;
    at_ = last;
    return true;
  }

  /// Skips the expected text and a blank after it, if any.
  bool next(std::string_view expected) {
    if (!std::string_view(at_, end_).starts_with(expected)) return false;
    at_ += expected.size();
    if (at_ != end_ && *at_ == ' ') ++at_;
    return true;
  }

  bool features(std::span<double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (at_ == end_ || *at_++ != (i == 0 ? '[' : ',')) return false;
      if (i > 0 && at_ != end_ && *at_ == ' ') ++at_;
      if (!number(values[i])) return false;
    }
    return at_ != end_ && *at_++ == ']';
  }

  bool number(double& value) {
    if (!is_json_number()) return false;
    const auto [stop, error] = fast_float::from_chars(at_, end_, value);
    at_ = stop;
    return error == std::errc() && std::isfinite(value);
  }

  /// Whether the number starts as JSON allows: fast_float accepts more forms, such as 1. and .5 and
  /// 01 and nan.
  bool is_json_number() const {
    const char* const first = at_ + (at_ != end_ && *at_ == '-' ? 1 : 0);
    const char* point = first;
    while (is_digit(point)) ++point;
    if (point == first || (*first == '0' && point - first > 1)) return false;
    return point == end_ || *point != '.' || is_digit(point + 1);
  }

  bool is_digit(const char* c) const { return c < end_ && *c >= '0' && *c <= '9'; }

  const char* at_;
  const char* end_;
};

}  // namespace shortfall::io
