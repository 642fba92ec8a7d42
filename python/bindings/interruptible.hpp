#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <future>

/// Computations without the interpreter, and long ones that Ctrl-C ends.
namespace shortfall::python {

/// What `work` returns. A loss that is a Python function takes the interpreter for itself, in
/// whatever thread it is called; who computes with one must therefore not hold it.
template <class Work>
auto without_interpreter(const Work& work) {
  const pybind11::gil_scoped_release released;
  return work();
}

/// Whether the user wants to stop. A computation asks now and then, by way of its callbacks.
class Interruption {
 public:
  struct Requested {};

  void request() { requested_ = true; }
  /// Throws Requested if so.
  void check() const {
    if (requested_) throw Requested();
  }

 private:
  std::atomic<bool> requested_ = false;
};

/// Runs work(interruption) in a thread of its own, without the interpreter, while this one watches
/// for signals: Python handles them in its main thread only, and a computation may be in any. On
/// Ctrl-C it waits for the computation to leave, and raises KeyboardInterrupt. What the work
/// throws, errors of Python callbacks included, is thrown here.
template <class Work>
auto interruptible(const Work& work) {
  constexpr std::chrono::milliseconds look_around{20};
  Interruption interruption;
  const pybind11::gil_scoped_release released;
  auto result = std::async(std::launch::async, [&] { return work(interruption); });
  while (result.wait_for(look_around) != std::future_status::ready) {
    const pybind11::gil_scoped_acquire interpreter;
    if (PyErr_CheckSignals() == 0) continue;
    pybind11::error_already_set error;
    interruption.request();
    {
      const pybind11::gil_scoped_release waiting;
      result.wait();
    }
    throw error;
  }
  return result.get();
}

}  // namespace shortfall::python
