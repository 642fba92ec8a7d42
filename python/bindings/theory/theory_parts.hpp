#pragma once

#include <pybind11/pybind11.h>

/// The parts of `bind_theory`, one per group of headers.
namespace shortfall::python {

void bind_averager(pybind11::module_& theory);
void bind_check(pybind11::module_& core);
void bind_contraction(pybind11::module_& theory);
void bind_operators(pybind11::module_& theory);
void bind_projection(pybind11::module_& theory);
void bind_mean_field(pybind11::module_& theory);
void bind_long_run(pybind11::module_& theory);

}  // namespace shortfall::python
