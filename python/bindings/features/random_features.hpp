#pragma once

#include <pybind11/pybind11.h>

namespace shortfall::python {

/// RandomRelu and RandomFourier.
void bind_random_features(pybind11::module_& module);

}  // namespace shortfall::python
