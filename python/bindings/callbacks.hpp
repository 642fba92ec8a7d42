#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <utility>

#include "bindings/interruptible.hpp"
#include "shortfall/monitor/monitor.hpp"

/// Python functions that a computation calls, from any thread.
namespace shortfall::python {

/// None, or a function.
using Callback = std::optional<pybind11::function>;

/// Calls it with the interpreter lock held; false if it returned something false but None. An
/// exception ends the computation. Takes a reference, because copying would need the lock.
template <class Argument>
bool call(const Callback& callback, const Argument& argument) {
  if (!callback) return true;
  const pybind11::gil_scoped_acquire interpreter;
  const pybind11::object answer = (*callback)(argument);
  return answer.is_none() || answer.cast<bool>();
}

/// What a Python monitor is called with; it may keep it.
struct ProgressReport {
  explicit ProgressReport(const Progress& reached) : activity(reached.activity), progress(reached) {
    progress.activity = activity;
  }
  ProgressReport(const ProgressReport& other) : ProgressReport(other.progress) {}
  ProgressReport& operator=(const ProgressReport&) = delete;

  std::string activity;
  Progress progress;
};

/// A monitor that also calls a Python function, which asks to stop by returning False. Keeps
/// references to both.
inline Monitor with_callback(const Monitor& monitor, const Callback& callback) {
  if (!callback) return monitor;
  return [&](const Progress& progress) {
    const Request request = monitor(progress);
    if (request == Request::stop) return request;
    return call(callback, ProgressReport(progress)) ? Request::proceed : Request::stop;
  };
}

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
