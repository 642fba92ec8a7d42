#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "shortfall/learn/any_learner.hpp"

namespace shortfall::python {

/// A learner as Python holds it: with what it was made of, so that it can be written down, and a
/// guard that two threads do not update it at once, since a batch runs without the interpreter.
struct PyLearner {
  PyLearner(std::size_t dimension, learn::LearnerOptions given)
      : options(std::move(given)), learner(dimension, options) {}
  PyLearner(const PyLearner& other) : PyLearner(other, Use(other)) {}
  PyLearner& operator=(const PyLearner&) = delete;

  /// While it lives, the learner is this thread's own. Throws std::runtime_error where it is in
  /// use.
  class Use {
   public:
    explicit Use(const PyLearner& learner) : busy_(learner.busy) {
      if (busy_.test_and_set(std::memory_order_acquire)) {
        throw std::runtime_error(
            "the learner is at work already, in another thread or within its loss");
      }
    }
    ~Use() { busy_.clear(std::memory_order_release); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    std::atomic_flag& busy_;
  };

  learn::LearnerOptions options;
  learn::AnyLearner learner;
  mutable std::atomic_flag busy;

 private:
  PyLearner(const PyLearner& other, const Use&) : options(other.options), learner(other.learner) {}
};

/// One class an algorithm, all with the methods of PyLearner.
struct PyTd : PyLearner {
  using PyLearner::PyLearner;
  static constexpr auto algorithm = learn::Algorithm::td;
};
struct PyTdLambda : PyLearner {
  using PyLearner::PyLearner;
  static constexpr auto algorithm = learn::Algorithm::td_lambda;
};
struct PyNewton : PyLearner {
  using PyLearner::PyLearner;
  static constexpr auto algorithm = learn::Algorithm::newton;
};

/// These three, after Learner itself.
void bind_algorithms(pybind11::module_& core);

}  // namespace shortfall::python
