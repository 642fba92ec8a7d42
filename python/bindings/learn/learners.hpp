#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "shortfall/learn/any_learner.hpp"

namespace shortfall::python {

/// A learner with its options, so that it can be pickled, and with a guard against updates from two
/// threads at once, because a batch runs without the interpreter lock.
struct PyLearner {
  PyLearner(std::size_t dimension, learn::LearnerOptions given)
      : options(std::move(given)), learner(dimension, options) {}
  PyLearner(const PyLearner& other) : PyLearner(other, Use(other)) {}
  PyLearner& operator=(const PyLearner&) = delete;

  /// Exclusive use of the learner while this object exists. Throws std::runtime_error if it is
  /// already in use.
  class Use {
   public:
    explicit Use(const PyLearner& learner) : busy_(learner.busy) {
      if (busy_.test_and_set(std::memory_order_acquire)) {
        throw std::runtime_error(
            "the learner is already in use, in another thread or within its loss");
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

/// One class per algorithm, all with the methods of PyLearner.
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

struct PyAveragerTd : PyLearner {
  using PyLearner::PyLearner;
  static constexpr auto algorithm = learn::Algorithm::averager_td;
};
struct PyAveragerNewton : PyLearner {
  using PyLearner::PyLearner;
  static constexpr auto algorithm = learn::Algorithm::averager_newton;
};

/// Binds these classes; Learner must be bound before.
void bind_algorithms(pybind11::module_& core);

}  // namespace shortfall::python
