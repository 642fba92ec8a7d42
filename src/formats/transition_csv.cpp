#include "formats/transition_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <system_error>

#include "formats/rows.hpp"
#include "text/number.hpp"

namespace shortfall::io {
namespace {

constexpr std::string_view accepted_header =
    "x1,..,xd,y1,..,yd,cost[,terminal][,weight][,seq], in any order";
constexpr std::uint32_t no_slot = std::numeric_limits<std::uint32_t>::max();

/// k if `name` is `letter` followed by k, as in x12; otherwise nothing.
std::optional<std::uint32_t> feature_number(std::string_view name, char letter) {
  if (!name.starts_with(letter) || name.substr(1).starts_with('0')) return std::nullopt;
  std::uint32_t k = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + 1, end, k);
  if (error != std::errc() || stop != end) return std::nullopt;
  return k;
}

std::uint32_t slot_of(std::string_view name, std::size_t d) {
  const auto first_y = static_cast<std::uint32_t>(d);
  if (const auto k = feature_number(name, 'x'); k && *k <= d) return *k - 1;
  if (const auto k = feature_number(name, 'y'); k && *k <= d) return first_y + *k - 1;
  if (name == "cost") return 2 * first_y;
  if (name == "weight") return 2 * first_y + 1;
  if (name == "terminal") return 2 * first_y + 2;
  if (name == "seq") return 2 * first_y + 3;
  return no_slot;
}

std::string name_of(std::size_t slot, std::size_t d) {
  if (slot < d) return fmt::format("x{}", slot + 1);
  if (slot < 2 * d) return fmt::format("y{}", slot - d + 1);
  constexpr std::array others{"cost", "weight", "terminal", "seq"};
  return others[slot - 2 * d];
}

std::optional<bool> parse_flag(std::string_view text) {
  if (text == "0" || text == "false") return false;
  if (text == "1" || text == "true") return true;
  return std::nullopt;
}

}  // namespace

bool TransitionCsv::begins_as_header(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t\""), line.size()));
  const std::string_view name = line.substr(0, line.find_first_of(" \t\r\","));
  return name == "cost" || name == "terminal" || name == "weight" || name == "seq" ||
         feature_number(name, 'x') || feature_number(name, 'y');
}

TransitionCsv::TransitionCsv(std::string_view header, const Place& place) {
  split_fields(header, place, fields_);
  const auto count = [&](char letter) {
    return std::ranges::count_if(
        fields_, [&](std::string_view name) { return feature_number(name, letter).has_value(); });
  };
  dimension_ = static_cast<std::size_t>(std::max({count('x'), count('y'), std::ptrdiff_t{1}}));
  place_columns(place);
  find_numbers();
}

void TransitionCsv::find_numbers() {
  if (!ignored_.empty()) return;
  const auto numbers = [&](std::uint32_t slot) { return is_number(slot); };
  const auto first = slots_.begin() + (slots_.front() == seq_slot() ? 1 : 0);
  const auto last = std::find_if_not(first, slots_.end(), numbers);
  if (std::any_of(last, slots_.end(), numbers)) return;
  first_number_ = static_cast<std::size_t>(first - slots_.begin());
  numbers_ = static_cast<std::size_t>(last - first);
}

void TransitionCsv::place_columns(const Place& place) {
  std::vector<bool> found(seq_slot() + 1);
  for (const std::string_view name : fields_) {
    const std::uint32_t slot = slot_of(name, dimension_);
    if (slot == no_slot) {
      const std::string_view start = name.substr(0, longest_quoted_name);
      if (looks_like_a_column(name)) {
        reject(place, fmt::format("unknown column {:?}", start), accepted_header);
      }
      remember_ignored(name, ignored_);
      slots_.push_back(static_cast<std::uint32_t>(ignored_slot()));
      continue;
    }
    if (found[slot]) reject(place, fmt::format("column {} appears twice", name), accepted_header);
    found[slot] = true;
    slots_.push_back(slot);
  }
  for (std::size_t slot = 0; slot < weight_slot(); ++slot) {
    if (found[slot]) continue;
    reject(place, fmt::format("column {} is missing", name_of(slot, dimension_)), accepted_header);
  }
}

/// Reads a field of terminal or seq.
bool TransitionCsv::read_short_field(std::uint32_t slot, std::string_view field,
                                     TransitionRow& row) const {
  if (slot == terminal_slot()) {
    const std::optional<bool> terminal = parse_flag(field);
    row.terminal = terminal.value_or(false);
    return terminal.has_value();
  }
  const std::optional<std::int64_t> seq = parse_seq(field);
  row.seq = seq.value_or(no_seq);
  return seq.has_value();
}

bool TransitionCsv::read_plain(std::string_view line, TransitionRow& row) const {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (numbers_ == 0) return read_mixed(line, row);
  if (first_number_ > 0) {
    const std::size_t comma = std::min(line.find(','), line.size());
    if (!read_short_field(slots_[0], line.substr(0, comma), row)) return false;
    line.remove_prefix(std::min(comma + 1, line.size()));
  }
  PlainRow text(line);
  double* const values = row.values.data();
  const std::size_t behind = first_number_ + numbers_;
  for (std::size_t i = first_number_; i < behind; ++i) {
    if (!text.next_field() || !text.number(values[slots_[i]])) return false;
  }
  line.remove_prefix(text.size());
  row.terminal = false;
  for (std::size_t i = behind; i < slots_.size(); ++i) {
    if (!line.starts_with(',')) return false;
    line.remove_prefix(1);
    const std::string_view field = line.substr(0, line.find(','));
    if (!read_short_field(slots_[i], field, row)) return false;
    line.remove_prefix(field.size());
  }
  row.settle();
  return line.empty() && row.weight() >= 0.0;
}

/// The same for columns in any order, some of them ignored. No field is in quotes. Not by PlainRow:
/// a second place that reads numbers with it would keep the compiler from inlining them in the
/// first.
bool TransitionCsv::read_mixed(std::string_view line, TransitionRow& row) const {
  if (line.find('"') != std::string_view::npos) return false;
  row.terminal = false;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const std::uint32_t slot = slots_[i];
    const std::size_t comma = line.find(',');
    const bool is_last = i + 1 == slots_.size();
    if (is_last != (comma == std::string_view::npos)) return false;
    const std::string_view field = line.substr(0, comma);
    line.remove_prefix(is_last ? line.size() : comma + 1);
    if (is_number(slot)) {
      const std::optional<double> value = parse_finite_number(field);
      if (!value) return false;
      row.values[slot] = *value;
    } else if (slot != ignored_slot() && !read_short_field(slot, field, row)) {
      return false;
    }
  }
  row.settle();
  return row.weight() >= 0.0;
}

bool TransitionCsv::read_terminal(const Place& place) const {
  const auto column = std::ranges::find(slots_, terminal_slot());
  if (column == slots_.end()) return false;
  const std::string_view field = fields_[static_cast<std::size_t>(column - slots_.begin())];
  const std::optional<bool> terminal = parse_flag(field);
  if (!terminal) {
    reject_field({place.file, place.line, "terminal"}, field, "0, 1, true or false");
  }
  return *terminal;
}

void TransitionCsv::read(std::string_view line, const Place& place, TransitionRow& row) {
  split_fields(line, place, fields_);
  if (fields_.size() != slots_.size()) {
    reject(place, fmt::format("found {} field(s)", fields_.size()),
           fmt::format("{}, as many as the header has", slots_.size()));
  }
  row.terminal = read_terminal(place);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (is_number(slots_[i])) read_number_field(i, place, row);
    if (slots_[i] != seq_slot()) continue;
    if (!read_short_field(slots_[i], fields_[i], row)) {
      reject_field({place.file, place.line, "seq"}, fields_[i], accepted_seq);
    }
  }
  row.settle();
}

void TransitionCsv::read_number_field(std::size_t column, const Place& place,
                                      TransitionRow& row) const {
  const std::size_t slot = slots_[column];
  const std::string_view field = fields_[column];
  const bool is_next = slot >= dimension_ && slot < 2 * dimension_;
  if (is_next && row.terminal && field.empty()) return;
  const bool is_weight = slot == weight_slot();
  const std::optional<double> value = parse_number(field);
  if (!value || !std::isfinite(*value) || (is_weight && *value < 0.0)) {
    reject_field({place.file, place.line, name_of(slot, dimension_)}, field,
                 is_weight ? accepted_weight : "a finite number");
  }
  row.values[slot] = *value;
}

}  // namespace shortfall::io
