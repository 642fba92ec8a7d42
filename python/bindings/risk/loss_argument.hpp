#pragma once

#include <pybind11/pybind11.h>

#include "shortfall/risk/any_loss.hpp"

namespace shortfall::python {

/// Converts a Loss, a name such as "expectile:0.9", or a function. Throws InvalidInput for an
/// unknown name, TypeError for anything else.
AnyLoss loss_of(pybind11::handle object);

/// The argument of a function that takes a loss in any of these forms.
struct LossArgument {
  AnyLoss loss = Mean();
};

}  // namespace shortfall::python

template <>
struct pybind11::detail::type_caster<shortfall::python::LossArgument> {
  PYBIND11_TYPE_CASTER(shortfall::python::LossArgument, const_name("Loss | str | Callable"));

  /// Throws with the reason if conversion fails; returning false would lose it.
  bool load(handle source, bool) {
    value.loss = shortfall::python::loss_of(source);
    return true;
  }
};
