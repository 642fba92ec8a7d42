#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

/// Computations without the interpreter, and long ones that Ctrl-C ends.
namespace shortfall::python {

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

/// What is computed without the interpreter in threads that its exit would not wait for, and could
/// not survive. At exit no more begins, and `leave` waits until the rest has ended.
class Unfinished {
 public:
  /// While it lives, exit waits.
  Unfinished() { ++count(); }
  ~Unfinished() { --count(); }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  /// Throws std::runtime_error once the interpreter is about to exit.
  static void check() {
    if (leaving()) throw std::runtime_error("the interpreter is about to exit");
  }
  static void leave() {
    leaving() = true;
    const pybind11::gil_scoped_release released;
    while (count() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

 private:
  static std::atomic<int>& count() {
    static std::atomic<int> computations = 0;
    return computations;
  }
  static std::atomic<bool>& leaving() {
    static std::atomic<bool> value = false;
    return value;
  }
};

/// What `work` returns. A loss that is a Python function takes the interpreter for itself, in
/// whatever thread it is called; who computes with one must therefore not hold it.
template <class Work>
auto without_interpreter(const Work& work) {
  const Unfinished unfinished;
  const pybind11::gil_scoped_release released;
  return work();
}

/// Runs work(interruption) in a thread of its own, without the interpreter, while this one watches
/// for signals: Python handles them in its main thread only, and a computation may be in any. On
/// Ctrl-C it waits for the computation to leave, and raises KeyboardInterrupt. What the work
/// throws, errors of Python callbacks included, is thrown here.
template <class Work>
auto interruptible(const Work& work) {
  constexpr std::chrono::milliseconds look_around{20};
  Interruption interruption;
  const Unfinished unfinished;
  const pybind11::gil_scoped_release released;
  auto result = std::async(std::launch::async, [&] { return work(interruption); });
  while (result.wait_for(look_around) != std::future_status::ready) {
    const pybind11::gil_scoped_acquire interpreter;
    try {
      if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
      Unfinished::check();
    } catch (...) {
      interruption.request();
      const pybind11::gil_scoped_release waiting;
      result.wait();
      throw;
    }
  }
  return result.get();
}

}  // namespace shortfall::python
