#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "report/rows.hpp"
#include "shortfall/infinity.hpp"
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
  auto fields() {                                               \
    return std::tie(__VA_ARGS__);                               \
  }                                                             \
  auto fields() const {                                         \
    return std::tie(__VA_ARGS__);                               \
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

template <class T, class Visit>
void visit_fields(T& record, const Visit& visit) {
  const auto names = io::split(T::field_names, ',');
  auto name = names.begin();
  std::apply([&](auto&... field) { (visit(std::string(io::trimmed(*name++)), field), ...); },
             record.fields());
}

template <Record T>
void to_json(Json& json, const T& record) {
  json = Json::object();
  visit_fields(record, [&]<class Field>(const std::string& key, const Field& field) {
    if constexpr (std::is_same_v<Field, double>) {
      json[key] = number_or_null(field);
    } else if constexpr (std::is_same_v<Field, std::optional<bool>>) {
      json[key] = field ? Json(*field) : Json(nullptr);
    } else {
      json[key] = field;
    }
  });
}

template <Record T>
void from_json(const Json& json, T& record) {
  visit_fields(record, [&]<class Field>(const std::string& key, Field& field) {
    if constexpr (std::is_same_v<Field, double>) {
      field = json.at(key).is_null() ? infinity : json.at(key).template get<double>();
    } else {
      json.at(key).get_to(field);
    }
  });
}

}  // namespace shortfall::studies
