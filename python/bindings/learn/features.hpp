#pragma once

#include <span>

#include "bindings/arrays.hpp"

namespace shortfall::python {

/// The features of one state, from any Python object. NumPy's general conversion takes longer than
/// an update, so a contiguous vector of doubles is used directly.
class Features {
 public:
  explicit Features(py::handle object) {
    if (py::isinstance<py::array>(object)) {
      const auto* array = py::detail::array_proxy(object.ptr());
      constexpr int plain =
          py::detail::npy_api::NPY_ARRAY_C_CONTIGUOUS_ | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
      if (array->nd == 1 && (array->flags & plain) == plain && is_double(array->descr)) {
        numbers_ = {reinterpret_cast<const double*>(array->data),
                    static_cast<std::size_t>(array->dimensions[0])};
        return;
      }
    }
    const auto converted = py::reinterpret_borrow<py::object>(object).cast<Doubles>();
    numbers_ = vector_span(converted, "phi");
    converted_ = converted;
  }

  operator std::span<const double>() const { return numbers_; }  // NOLINT

 private:
  static bool is_double(PyObject* descriptor) {
    static const PyObject* const native = py::dtype::of<double>().release().ptr();
    return descriptor == native;
  }

  py::object converted_;
  std::span<const double> numbers_;
};

}  // namespace shortfall::python
