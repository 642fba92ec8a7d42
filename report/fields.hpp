#pragma once

#include <chrono>
#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "report/rows.hpp"
#include "shortfall/inventory/fit/records.hpp"
#include "shortfall/names/names.hpp"

/// A result type lists its fields once, and the documents of the commands, the pages, the classes
/// of Python with their stubs, and the reference are made from that list:
///
///   template <>
///   struct Fields<Trend> {
///     static constexpr auto name = "Trend";  // of the class in Python
///     static constexpr auto meaning = "Growth of demand over time.";
///     static constexpr auto list = std::tuple{
///         Field{"change_per_year", &Trend::change_per_year, "relative change"},
///         Field{"p", &Trend::p, "probability of as clear a trend by chance"}};
///   };
///
/// A field is a number, a truth value, a text, a date, another result that lists its fields, or an
/// optional, a list, a variant or Named results of these.
namespace shortfall::report {

/// When a document has a field. Classes of Python have all of them.
enum class InDocuments {
  always,  ///< null if it has no value
  if_any,  ///< left out if it has no value
  never
};

/// `get` is a pointer to a member, or a function of the result.
template <class Get>
struct Field {
  const char* key;
  Get get;
  const char* meaning;  ///< a phrase that begins with a small letter
  InDocuments in_documents = InDocuments::always;
};

/// Specialised for each result type.
template <class Result>
struct Fields;

template <class T>
concept Listed = requires {
  Fields<T>::list;
};

/// Results by name, in their order: an object of a document, and a dict in Python.
template <class T>
struct Named {
  std::vector<std::pair<std::string, T>> entries;
};

/// The fields of a part of a result as its own: `get` leads from the result to the part.
template <class Get, class... Part>
constexpr auto through(Get get, const std::tuple<Field<Part>...>& fields) {
  const auto lifted = [get]<class Inner>(const Field<Inner>& field) {
    const auto composed = [get, inner = field.get](const auto& result) {
      return std::invoke(inner, std::invoke(get, result));
    };
    return Field<decltype(composed)>{field.key, composed, field.meaning, field.in_documents};
  };
  return std::apply([&](const auto&... field) { return std::tuple{lifted(field)...}; }, fields);
}

template <class>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;
template <class>
inline constexpr bool is_named = false;
template <class T>
inline constexpr bool is_named<Named<T>> = true;
template <class>
inline constexpr bool is_variant = false;
template <class... T>
inline constexpr bool is_variant<std::variant<T...>> = true;

/// Calls visit(field, value) for each field of a result, in the order of the list.
template <Listed Result, class Visit>
void visit_fields(const Result& result, const Visit& visit) {
  std::apply([&](const auto&... field) { (visit(field, std::invoke(field.get, result)), ...); },
             Fields<Result>::list);
}

/// Whether a document has this value of a field.
template <class Field, class Value>
bool is_shown(const Field& field, const Value& value) {
  if constexpr (is_optional<Value>) {
    if (!value) return field.in_documents == InDocuments::always;
  }
  return field.in_documents != InDocuments::never;
}

/// A field, or a whole result, as a document.
template <class Value>
Json document_of(const Value& value) {
  if constexpr (Listed<Value>) {
    Json object = Json::object();
    visit_fields(value, [&](const auto& field, const auto& each) {
      if (is_shown(field, each)) object[field.key] = document_of(each);
    });
    return object;
  } else if constexpr (is_optional<Value>) {
    return value ? document_of(*value) : Json();
  } else if constexpr (is_list<Value>) {
    Json list = Json::array();
    for (const auto& each : value) list.push_back(document_of(each));
    return list;
  } else if constexpr (is_named<Value>) {
    Json object = Json::object();
    for (const auto& [name, each] : value.entries) object[name] = document_of(each);
    return object;
  } else if constexpr (is_variant<Value>) {
    return std::visit([](const auto& each) { return document_of(each); }, value);
  } else if constexpr (std::is_same_v<Value, std::chrono::sys_days>) {
    return inventory::iso_date(value);
  } else {
    return value;
  }
}

/// What a field is, for stubs and the reference: int, list[float], dict[str, OrderChoice], ..
template <class Value>
std::string type_name() {
  const auto inner = []<class T>(std::type_identity<T>) { return type_name<T>(); };
  if constexpr (Listed<Value>) {
    return Fields<Value>::name;
  } else if constexpr (is_optional<Value>) {
    return type_name<typename Value::value_type>() + " | None";
  } else if constexpr (is_list<Value>) {
    return "list[" + type_name<typename Value::value_type>() + "]";
  } else if constexpr (is_named<Value>) {
    return "dict[str, " +
           inner([]<class T>(const Named<T>&) { return std::type_identity<T>(); }(Value())) + "]";
  } else if constexpr (is_variant<Value>) {
    return [&]<class First, class... Others>(const std::variant<First, Others...>&) {
      return (type_name<First>() + ... + (" | " + type_name<Others>()));
    }(Value());
  } else if constexpr (std::is_same_v<Value, bool>) {
    return "bool";
  } else if constexpr (std::is_integral_v<Value>) {
    return "int";
  } else if constexpr (std::is_floating_point_v<Value>) {
    return "float";
  } else {
    return "str";
  }
}

/// The type of a field's value.
template <class Result, class Field>
using ValueOf = std::remove_cvref_t<decltype(std::invoke(std::declval<const Field&>().get,
                                                         std::declval<const Result&>()))>;

inline constexpr Names<InDocuments, 3> in_documents_names = {{{"always", InDocuments::always},
                                                              {"if any", InDocuments::if_any},
                                                              {"never", InDocuments::never}}};

/// The class of a result in Python: `name`, `meaning`, and `fields`, each with `key`, `type`,
/// `meaning` and `in_documents`.
template <Listed Result>
Json description_of() {
  Json fields = Json::array();
  const auto add = [&]<class Each>(const Each& field) {
    fields.push_back({{"key", field.key},
                      {"type", type_name<ValueOf<Result, Each>>()},
                      {"meaning", field.meaning},
                      {"in_documents", name_of(field.in_documents, in_documents_names)}});
  };
  std::apply([&](const auto&... field) { (add(field), ...); }, Fields<Result>::list);
  return {{"name", Fields<Result>::name}, {"meaning", Fields<Result>::meaning}, {"fields", fields}};
}

}  // namespace shortfall::report
