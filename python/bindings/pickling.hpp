#pragma once

#include <pybind11/pybind11.h>

#include <utility>

namespace shortfall::python {

/// pybind11::pickle, for the old protocols 0 and 1, too, with which an object would be copied by
/// its base class: that throws through C, and ends the interpreter.
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
