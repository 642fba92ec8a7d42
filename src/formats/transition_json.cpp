#include "formats/transition_json.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "files/line_windows.hpp"
#include "formats/plain_object.hpp"
#include "shortfall/errors/error.hpp"

namespace shortfall::io {
namespace {

namespace json = simdjson::ondemand;

static_assert(padding >= simdjson::SIMDJSON_PADDING);

constexpr std::string_view accepted_line =
    R"({"x":[..],"y":[..],"cost":c}, and optionally "terminal", "weight" and "seq")";

/// The keys of a line seen so far.
struct Keys {
  bool x = false;
  bool y = false;
  bool cost = false;
  bool terminal = false;
  bool weight = false;
  bool seq = false;
};

}  // namespace

class TransitionJson::Parser {
 public:
  void start(std::string_view line, const Place& place, TransitionRow& row) {
    place_ = place;
    row_ = &row;
    keys_ = {};
    y_is_null_ = false;
    next_features_ = 0;
    if (key_buffer_.size() < line.size() + padding) key_buffer_.resize(line.size() + padding);
    const simdjson::padded_string_view padded(line.data(), line.size(), line.size() + padding);
    check_parsed(parser_.iterate(padded).get(document_));
  }

  /// The number of features in the line; 1 if unclear: then read() reports the error.
  std::size_t count_features() {
    json::object object;
    if (document_.get_object().get(object)) return 1;
    for (auto field : object) {
      std::string_view key;
      json::array x;
      if (get_key(field, key)) return 1;
      if (key != "x") continue;
      std::size_t count = 0;
      const bool found = !field.value().get_array().get(x) && !x.count_elements().get(count);
      return found && count > 0 ? count : 1;
    }
    return 1;
  }

  void read() {
    json::object object;
    check_parsed(document_.get_object().get(object));
    row_->terminal = false;
    row_->seq = no_seq;
    row_->weight() = 1.0;
    for (auto field : object) {
      std::string_view key;
      json::value value;
      check_parsed(get_key(field, key));
      check_parsed(field.value().get(value));
      read_field(key, value);
    }
    const char* behind = nullptr;
    if (document_.current_location().get(behind) != simdjson::OUT_OF_BOUNDS) {
      reject(place_, "there is text after the object", "one object per line");
    }
    check_complete();
    row_->settle();
  }

  const std::vector<std::string>& ignored() const { return ignored_; }

 private:
  /// The key is valid until the next one. Not in the parser's own buffer, which simdjson 3 uses
  /// even if it could not allocate it.
  simdjson::error_code get_key(simdjson::simdjson_result<json::field>& field,
                               std::string_view& key) {
    json::raw_json_string raw;
    if (const auto error = field.key().get(raw)) return error;
    std::uint8_t* place = key_buffer_.data();
    return parser_.unescape(raw, place).get(key);
  }

  void check_parsed(simdjson::error_code error) const {
    if (error == simdjson::SUCCESS) return;
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    reject(place_, fmt::format("this is not JSON ({})", simdjson::error_message(error)),
           accepted_line);
  }

  /// Rejects a value that is not accepted.
  [[noreturn]] void reject_value(json::value& value, std::string_view what,
                                 std::string_view accepted) const {
    reject_token(value.raw_json_token(), what, accepted);
  }
  [[noreturn]] void reject_token(std::string_view token, std::string_view what,
                                 std::string_view accepted) const {
    token = token.substr(0, token.find_last_not_of(" \t\r") + 1);
    constexpr std::size_t longest_token = 60;
    reject(place_, fmt::format("{} is {:?}", what, token.substr(0, longest_token)), accepted);
  }

  void read_field(std::string_view key, json::value& value) {
    bool other = false;
    bool& seen = key == "x"          ? keys_.x
                 : key == "y"        ? keys_.y
                 : key == "cost"     ? keys_.cost
                 : key == "terminal" ? keys_.terminal
                 : key == "weight"   ? keys_.weight
                 : key == "seq"      ? keys_.seq
                                     : other;
    if (&seen == &other) return ignore(key);
    if (seen) reject(place_, fmt::format("key {:?} appears twice", key), accepted_line);
    seen = true;
    if (&seen == &keys_.x) {
      check_count(read_features(value, row_->phi(), 'x'), 'x');
    } else if (&seen == &keys_.y) {
      read_next_features(value);
    } else if (&seen == &keys_.cost) {
      if (value.get_double().get(row_->cost())) reject_value(value, "cost", "a finite number");
    } else if (&seen == &keys_.terminal) {
      read_terminal(value);
    } else if (&seen == &keys_.weight) {
      const std::string_view token = value.raw_json_token();
      if (value.get_double().get(row_->weight()) || row_->weight() < 0.0) {
        reject_token(token, "weight", accepted_weight);
      }
    } else {
      const std::string_view token = value.raw_json_token();
      if (value.get_int64().get(row_->seq) || row_->seq < 0) {
        reject_token(token, "seq", accepted_seq);
      }
    }
  }

  /// The value is passed over when the next field is asked for.
  void ignore(std::string_view key) {
    if (looks_like_a_column(key)) {
      reject(place_, fmt::format("unknown key {:?}", key.substr(0, longest_quoted_name)),
             accepted_line);
    }
    remember_ignored(key, ignored_);
  }

  std::size_t read_features(json::value& value, std::span<double> features, char name) {
    json::array array;
    if (value.get_array().get(array)) {
      reject_value(value, std::string(1, name), "an array of numbers");
    }
    std::size_t count = 0;
    for (auto item : array) {
      json::value element;
      check_parsed(item.get(element));
      if (count < features.size() && element.get_double().get(features[count])) {
        reject_value(element, fmt::format("element {} of {}", count + 1, name), "a finite number");
      }
      ++count;
    }
    return count;
  }

  void check_count(std::size_t count, char name) const {
    if (count == row_->dimension()) return;
    if (count == 0 && name == 'x') reject(place_, "x is empty", "one number or more");
    reject(place_, fmt::format("found {} element(s) in {}", count, name),
           fmt::format("{}, the number of features of this stream", row_->dimension()));
  }

  void read_next_features(json::value& value) {
    check_parsed(value.is_null().get(y_is_null_));
    if (!y_is_null_) next_features_ = read_features(value, row_->phi_next(), 'y');
    if (next_features_ > 0) check_count(next_features_, 'y');
  }

  void read_terminal(json::value& value) {
    std::uint64_t number = 0;
    if (value.get_bool().get(row_->terminal) == simdjson::SUCCESS) return;
    if (value.get_uint64().get(number) || number > 1) {
      reject_value(value, "terminal", "0, 1, true or false");
    }
    row_->terminal = number == 1;
  }

  void check_complete() const {
    const bool lacks_y = (!keys_.y || y_is_null_) && !row_->terminal;
    const char* const missing = !keys_.x ? "x" : !keys_.cost ? "cost" : lacks_y ? "y" : nullptr;
    if (missing) reject(place_, fmt::format("{} is missing", missing), accepted_line);
    if (!row_->terminal) check_count(next_features_, 'y');
  }

  std::vector<std::string> ignored_;
  json::parser parser_;
  std::vector<std::uint8_t> key_buffer_;
  json::document document_;
  Place place_;
  TransitionRow* row_ = nullptr;
  Keys keys_;
  bool y_is_null_ = false;
  std::size_t next_features_ = 0;
};

TransitionJson::TransitionJson() : parser_(std::make_unique<Parser>()) {}
TransitionJson::~TransitionJson() = default;

const std::vector<std::string>& TransitionJson::ignored() const {
  return parser_->ignored();
}

void TransitionJson::read(std::string_view line, const Place& place, TransitionRow& row) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  const bool is_first = row.dimension() == 0;
  if (!is_first && PlainObject(line).transition(row)) return;
  try {
    parser_->start(line, place, row);
    if (is_first) {
      row.set_dimension(parser_->count_features());
      parser_->start(line, place, row);
    }
    parser_->read();
  } catch (const InvalidInput&) {
    if (is_first) row.set_dimension(0);
    throw;
  }
}

}  // namespace shortfall::io
