#pragma once

#include <pybind11/pybind11.h>

#include <utility>

namespace shortfall::python {

/// pybind11::pickle that also supports protocols 0 and 1. Without this, those copy an object
/// through its base class, which throws through C code and aborts the interpreter.
template <class Class, class GetState, class SetState>
void define_pickling(Class& type, GetState&& get_state, SetState&& set_state) {
  namespace py = pybind11;
  type.def(py::pickle(std::forward<GetState>(get_state), std::forward<SetState>(set_state)))
      .def("__reduce_ex__", [](const py::object& self, int) {
        return py::make_tuple(py::module_::import("copyreg").attr("__newobj__"),
                              py::make_tuple(py::type::of(self)), self.attr("__getstate__")());
      });
}

}  // namespace shortfall::python
