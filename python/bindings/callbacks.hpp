#pragma once

#include <pybind11/pybind11.h>

#include <optional>

#include "interruptible.hpp"
#include "shortfall/dp/solution.hpp"

/// Python functions that a computation calls on its way, from whatever thread it is in.
namespace shortfall::python {

/// None, or a function.
using Callback = std::optional<pybind11::function>;

/// Calls it with the interpreter taken; what it raises ends the computation. A reference, because
/// copies would need the interpreter.
template <class... Arguments>
void call(const Callback& callback, const Arguments&... arguments) {
  if (!callback) return;
  const pybind11::gil_scoped_acquire interpreter;
  (*callback)(arguments...);
}

/// Makes a solve end on Ctrl-C, and tell `on_iteration` how it is going.
inline void watch(SolverOptions& options, const Callback& on_iteration,
                  const Interruption& interruption) {
  options.on_iteration = [&](const IterationRecord& record) { call(on_iteration, record); };
  options.on_sweep = [&] { interruption.check(); };
  options.on_progress = [&](double) { interruption.check(); };
}

}  // namespace shortfall::python
