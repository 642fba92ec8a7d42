#include "formats/transition_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <system_error>

#include "formats/rows.hpp"

namespace shortfall::io {
namespace {

constexpr std::string_view accepted_header =
    "x1,..,xd,y1,..,yd,cost or x1,..,xd,y1,..,yd,cost,terminal, in any order";
constexpr std::size_t longest_name = 60;  // quoted in messages
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
  if (name == "terminal") return 2 * first_y + 1;
  return no_slot;
}

std::string name_of(std::size_t slot, std::size_t d) {
  if (slot < d) return fmt::format("x{}", slot + 1);
  if (slot < 2 * d) return fmt::format("y{}", slot - d + 1);
  return slot == 2 * d ? "cost" : "terminal";
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
  return name == "cost" || name == "terminal" || feature_number(name, 'x') ||
         feature_number(name, 'y');
}

TransitionCsv::TransitionCsv(std::string_view header, const Place& place) {
  split_fields(header, place, fields_);
  const auto count = [&](char letter) {
    return std::ranges::count_if(
        fields_, [&](std::string_view name) { return feature_number(name, letter).has_value(); });
  };
  dimension_ = static_cast<std::size_t>(std::max({count('x'), count('y'), std::ptrdiff_t{1}}));
  place_columns(place);
  const auto terminal = std::ranges::find(slots_, terminal_slot());
  const bool is_plain = terminal == slots_.end() || terminal == slots_.end() - 1;
  numbers_ = is_plain ? static_cast<std::size_t>(terminal - slots_.begin()) : 0;
}

void TransitionCsv::place_columns(const Place& place) {
  std::vector<bool> found(terminal_slot() + 1);
  for (const std::string_view name : fields_) {
    const std::uint32_t slot = slot_of(name, dimension_);
    if (slot == no_slot) {
      const std::string_view start = name.substr(0, longest_name);
      reject(place, fmt::format("unknown column {:?}", start), accepted_header);
    }
    if (found[slot]) reject(place, fmt::format("column {} appears twice", name), accepted_header);
    found[slot] = true;
    slots_.push_back(slot);
  }
  for (std::size_t slot = 0; slot < terminal_slot(); ++slot) {
    if (found[slot]) continue;
    reject(place, fmt::format("column {} is missing", name_of(slot, dimension_)), accepted_header);
  }
}

bool TransitionCsv::read_plain(std::string_view line, TransitionRow& row) const {
  if (numbers_ == 0) return false;
  if (line.ends_with('\r')) line.remove_suffix(1);
  PlainRow text(line);
  double* const values = row.values.data();
  for (std::size_t i = 0; i < numbers_; ++i) {
    if (!text.next_field() || !text.number(values[slots_[i]])) return false;
  }
  line.remove_prefix(text.size());
  row.terminal = false;
  if (numbers_ == slots_.size()) return line.empty();
  if (!line.starts_with(',')) return false;
  const std::optional<bool> terminal = parse_flag(line.substr(1));
  if (!terminal) return false;
  row.terminal = *terminal;
  row.settle();
  return true;
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
    const std::size_t slot = slots_[i];
    const bool is_next = slot >= dimension_ && slot < 2 * dimension_;
    if (slot == terminal_slot() || (is_next && row.terminal && fields_[i].empty())) continue;
    const std::optional<double> value = parse_number(fields_[i]);
    if (!value || !std::isfinite(*value)) {
      reject_field({place.file, place.line, name_of(slot, dimension_)}, fields_[i],
                   "a finite number");
    }
    row.values[slot] = *value;
  }
  row.settle();
}

}  // namespace shortfall::io
