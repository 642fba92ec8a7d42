#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

#include "shortfall/monitor/monitor.hpp"

/// Computations without the interpreter lock, and long ones that Ctrl-C can stop.
namespace shortfall::python {

/// Counts computations that run without the interpreter lock. The interpreter must not exit while
/// one is running: at exit no new ones start, and `leave` waits for the others to finish.
class Unfinished {
 public:
  /// Exit waits while this object exists.
  Unfinished() { ++count(); }
  ~Unfinished() { --count(); }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  /// Throws std::runtime_error if the interpreter is about to exit.
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

/// Returns work(), run without the interpreter lock. A loss that is a Python function takes the
/// lock in whatever thread it is called, so the caller must not hold it.
template <class Work>
auto without_interpreter(const Work& work) {
  const Unfinished unfinished;
  const pybind11::gil_scoped_release released;
  return work();
}

/// Runs work(monitor) in a new thread, without the interpreter lock, while the calling thread
/// watches for signals: Python handles signals only in its main thread. On Ctrl-C the monitor asks
/// to stop, and KeyboardInterrupt is raised once the computation has stopped. Exceptions of `work`,
/// including those of Python callbacks, are rethrown here.
template <class Work>
auto interruptible(const Work& work) {
  constexpr std::chrono::milliseconds polling_interval{20};
  std::atomic<bool> interrupted = false;
  const Monitor monitor = [&](const Progress&) {
    return interrupted ? Request::stop : Request::proceed;
  };
  const Unfinished unfinished;
  const pybind11::gil_scoped_release released;
  auto result = std::async(std::launch::async, [&] { return work(monitor); });
  while (result.wait_for(polling_interval) != std::future_status::ready) {
    const pybind11::gil_scoped_acquire interpreter;
    try {
      if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
      Unfinished::check();
    } catch (...) {
      interrupted = true;
      const pybind11::gil_scoped_release waiting;
      result.wait();
      throw;
    }
  }
  return result.get();
}

}  // namespace shortfall::python
