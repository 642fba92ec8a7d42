#pragma once

#include <cmath>
#include <optional>
#include <type_traits>

#include "report/rows.hpp"
#include "shortfall/infinity.hpp"

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
#define SHORTFALL_RECORD(...)                                                      \
  template <class Self, class Visit>                                               \
  static void visit_fields(Self& self, const Visit& visit) {                       \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(SHORTFALL_RECORD_FIELD, __VA_ARGS__)) \
  }
#define SHORTFALL_RECORD_FIELD(name) visit(#name, self.name);

namespace shortfall::studies {

using report::Json;

/// A number, or null if it is infinite or missing.
inline Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

template <class T>
concept Record = requires(T& record) {
  T::visit_fields(record, [](const char*, auto&) {});
};

template <Record T>
void to_json(Json& json, const T& record) {
  json = Json::object();
  T::visit_fields(record, [&]<class Field>(const char* key, const Field& field) {
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
  T::visit_fields(record, [&]<class Field>(const char* key, Field& field) {
    if constexpr (std::is_same_v<Field, double>) {
      field = json.at(key).is_null() ? infinity : json.at(key).template get<double>();
    } else {
      json.at(key).get_to(field);
    }
  });
}

}  // namespace shortfall::studies
