#pragma once

#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cctype>
#include <functional>
#include <string>
#include <type_traits>

#include "bindings/arrays.hpp"
#include "report/fields.hpp"

/// Classes of result types that list their fields (report/fields.hpp): each field is a read-only
/// attribute with its meaning.
namespace shortfall::python {

/// Numbers are arrays, dates are texts, and results are objects of their classes.
template <class Value>
py::object attribute_of(const Value& value) {
  if constexpr (report::is_optional<Value>) {
    return value ? attribute_of(*value) : py::none();
  } else if constexpr (std::is_same_v<Value, std::vector<double>>) {
    return copy(value);
  } else if constexpr (report::is_list<Value>) {
    py::list list;
    for (const auto& each : value) list.append(attribute_of(each));
    return list;
  } else if constexpr (report::is_named<Value>) {
    py::dict named;
    for (const auto& [name, each] : value.entries) named[py::str(name)] = attribute_of(each);
    return named;
  } else if constexpr (report::is_variant<Value>) {
    return std::visit([](const auto& each) { return attribute_of(each); }, value);
  } else if constexpr (std::is_same_v<Value, std::chrono::sys_days>) {
    return py::str(inventory::iso_date(value));
  } else {
    return py::cast(value);
  }
}

/// "Relative change." of "relative change".
inline std::string sentence(std::string phrase) {
  phrase[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(phrase[0])));
  return phrase + ".";
}

/// The fields of a Result as attributes of a class, of whose objects get(self) is the result.
template <report::Listed Result, class Self, class... Extra, class Get>
void define_fields(py::class_<Self, Extra...>& bound, const Get& get) {
  const auto define = [&](const auto& field) {
    const std::function<py::object(const Self&)> attribute = [get,
                                                              of = field.get](const Self& self) {
      return attribute_of(std::invoke(of, get(self)));
    };
    bound.def_property_readonly(field.key, attribute, sentence(field.meaning).c_str());
  };
  std::apply([&](const auto&... field) { (define(field), ...); }, report::Fields<Result>::list);
}

/// As the command prints it.
template <report::Listed Result>
py::object dictionary_of(const Result& result) {
  return py::module_::import("json").attr("loads")(report::dump(report::document_of(result)));
}

/// "Trend(change_per_year=0.1, p=0.2)": without fields that are lists or other results.
template <report::Listed Result>
std::string text_of_fields(const Result& result) {
  const auto document = report::document_of(result);
  std::string text;
  for (const auto& [key, value] : document.items()) {
    if (value.is_structured()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", key, report::dump(value));
  }
  return fmt::format("{}({})", report::Fields<Result>::name, text);
}

/// The class of a result that has nothing but its fields.
template <report::Listed Result>
void define_result(py::module_& module) {
  py::class_<Result> bound(module, report::Fields<Result>::name, report::Fields<Result>::meaning);
  define_fields<Result>(bound, [](const Result& self) -> const Result& { return self; });
  bound.def("to_dict", dictionary_of<Result>, "As a dict, as the command prints it.")
      .def("__repr__", text_of_fields<Result>);
}

}  // namespace shortfall::python
