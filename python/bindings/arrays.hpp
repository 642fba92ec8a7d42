#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"

/// Converts between NumPy arrays and spans, without copies where the layout allows it.
namespace shortfall::python {

namespace py = pybind11;

/// Array arguments: anything that NumPy converts without losing digits. Contiguous arrays of the
/// right type are not copied.
using Doubles = py::array_t<double, py::array::c_style>;
using Integers = py::array_t<std::int64_t, py::array::c_style>;
using Flags = py::array_t<bool, py::array::c_style>;

/// Throws InvalidInput unless `array` has this number of dimensions.
template <class T, int Flags>
void check_dimensions(const py::array_t<T, Flags>& array, py::ssize_t dimensions,
                      std::string_view name) {
  require(array.ndim() == dimensions, "{} has {} dimensions; accepted: {}", name, array.ndim(),
          dimensions);
}

/// All numbers of an array as one span, for any shape.
template <class T, int Flags>
std::span<const T> span_of(const py::array_t<T, Flags>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

template <class T, int Flags>
std::span<const T> vector_span(const py::array_t<T, Flags>& array, std::string_view name) {
  check_dimensions(array, 1, name);
  return span_of(array);
}

/// A read-only view of memory of `owner`, which it keeps alive.
template <class T>
py::array_t<T> view(std::span<const T> numbers, py::handle owner) {
  py::array_t<T> array(static_cast<py::ssize_t>(numbers.size()), numbers.data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}
template <class Range>
auto view(const Range& numbers, py::handle owner) {
  return view(std::span<const typename Range::value_type>(numbers), owner);
}

/// A new array with these numbers.
template <class Range>
auto copy(const Range& numbers) {
  return py::array_t<typename Range::value_type>(static_cast<py::ssize_t>(numbers.size()),
                                                 numbers.data());
}

}  // namespace shortfall::python
