#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "report/rows.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "text/text.hpp"

/// Structs of namespace studies that are written as JSON and read back. They list their fields
/// once:
///
///   struct Point {
///     double x = 0.0;
///     std::string name = {};
///     SHORTFALL_RECORD(x, name)
///   };
///
/// Reading throws Json::exception if a key is missing or has another type. A field of type double
/// that is not finite is null in JSON, and infinity when read back.
#define SHORTFALL_RECORD(...)                                   \
  static constexpr std::string_view field_names = #__VA_ARGS__; \
  template <class Visit>                                        \
  void visit_fields(const Visit& visit) {                       \
    visit(__VA_ARGS__);                                         \
  }                                                             \
  template <class Visit>                                        \
  void visit_fields(const Visit& visit) const {                 \
    visit(__VA_ARGS__);                                         \
  }

namespace shortfall::studies {

using report::Json;

/// A number, or null if it is infinite or missing.
inline Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

template <class T>
concept Record = requires {
  T::field_names;
};

/// The names of a record's fields, one after the other.
class FieldNames {
 public:
  explicit FieldNames(std::string_view names) : names_(io::split(names, ',')) {}
  std::string next() { return std::string(io::trimmed(names_[next_++])); }

 private:
  std::vector<std::string_view> names_;
  std::size_t next_ = 0;
};

template <class Field>
void put_field(Json& json, const std::string& key, const Field& field) {
  if constexpr (std::is_same_v<Field, double>) {
    json[key] = number_or_null(field);
  } else if constexpr (std::is_same_v<Field, std::optional<bool>>) {
    json[key] = field ? Json(*field) : Json(nullptr);
  } else {
    json[key] = field;
  }
}

template <class Field>
void get_field(const Json& json, const std::string& key, Field& field) {
  if constexpr (std::is_same_v<Field, double>) {
    field = json.at(key).is_null() ? infinity : json.at(key).template get<double>();
  } else {
    json.at(key).get_to(field);
  }
}

template <Record T>
void to_json(Json& json, const T& record) {
  json = Json::object();
  FieldNames names(T::field_names);
  record.visit_fields([&](const auto&... field) { (put_field(json, names.next(), field), ...); });
}

template <Record T>
void from_json(const Json& json, T& record) {
  FieldNames names(T::field_names);
  record.visit_fields([&](auto&... field) { (get_field(json, names.next(), field), ...); });
}

/// A record of lists with the entries of all parts, one part after the other.
template <Record T>
T joined(const std::vector<T>& parts) {
  T all;
  for (const T& part : parts) {
    all.visit_fields([&](auto&... into) {
      part.visit_fields(
          [&](const auto&... from) { (into.insert(into.end(), from.begin(), from.end()), ...); });
    });
  }
  return all;
}

}  // namespace shortfall::studies
