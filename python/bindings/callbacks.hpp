#pragma once

#include <pybind11/pybind11.h>

#include <optional>

#include "bindings/interruptible.hpp"
#include "shortfall/dp/solution.hpp"

/// Python functions that a computation calls, from any thread.
namespace shortfall::python {

/// None, or a function.
using Callback = std::optional<pybind11::function>;

/// Calls it with the interpreter lock held. An exception ends the computation. Takes a reference,
/// because copying would need the lock.
template <class... Arguments>
void call(const Callback& callback, const Arguments&... arguments) {
  if (!callback) return;
  const pybind11::gil_scoped_acquire interpreter;
  (*callback)(arguments...);
}

/// Makes a solver stop on Ctrl-C and report its progress. Keeps references to all arguments.
inline void watch(SolverOptions& options, const Interruption& interruption,
                  const Callback& on_iteration, const Callback& on_progress) {
  options.on_sweep = [&] { interruption.check(); };
  options.on_iteration = [&](const IterationRecord& record) {
    interruption.check();
    call(on_iteration, record);
  };
  options.on_progress = [&](double fraction) {
    interruption.check();
    call(on_progress, fraction);
  };
}

}  // namespace shortfall::python
