#pragma once

#include <pybind11/pybind11.h>

/// One function per module of the library; `core` is the extension module that Python imports.
namespace shortfall::python {

void bind_risk(pybind11::module_& core);
void bind_mdp(pybind11::module_& core);
void bind_dp(pybind11::module_& core);
void bind_finite_horizon(pybind11::module_& core);
void bind_features(pybind11::module_& core);
void bind_learners(pybind11::module_& core);
void bind_replications(pybind11::module_& core);
void bind_theory(pybind11::module_& core);
void bind_library(pybind11::module_& core);
void bind_inventory(pybind11::module_& core);
void bind_training(pybind11::module_& core);

}  // namespace shortfall::python
