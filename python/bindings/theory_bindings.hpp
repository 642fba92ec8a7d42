#pragma once

#include <pybind11/pybind11.h>

/// The parts of `bind_theory`, one a group of headers.
namespace shortfall::python {

void bind_check(pybind11::module_& core);
void bind_contraction(pybind11::module_& theory);
void bind_operators(pybind11::module_& theory);
void bind_projection(pybind11::module_& theory);
void bind_mean_field(pybind11::module_& theory);
void bind_long_run(pybind11::module_& theory);

/// What `work` returns, without the interpreter: a loss that is a Python function takes it for
/// itself, in whatever thread it is called.
template <class Work>
auto without_interpreter(const Work& work) {
  const pybind11::gil_scoped_release released;
  return work();
}

}  // namespace shortfall::python
