#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "shortfall/learn/any_learner.hpp"

namespace shortfall::python {

/// A learner with its options, so that it can be pickled, and with a guard against updates from two
/// threads at once, because a batch runs without the interpreter lock.
struct PyLearner {
  PyLearner(std::size_t dimension, learn::LearnerOptions given)
      : options(std::move(given)), learner(dimension, options) {}
  PyLearner(const learn::LearnerOptions& given, const learn::AnyLearner& learned)
      : options(given), learner(learned) {}
  PyLearner(const PyLearner& other) : PyLearner(other, Use(other)) {}
  PyLearner& operator=(const PyLearner&) = delete;

  /// Exclusive use of an object with a learner while this one exists. Throws std::runtime_error if
  /// it is already in use.
  class Use {
   public:
    template <class T>
    explicit Use(const T& object) : busy_(object.busy) {
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

/// A constant, (b1, b2, delta), or a string for either.
using StepArgument = std::variant<double, std::tuple<double, double, double>, std::string>;
learn::AnyStep step_of(const StepArgument& step);
StepArgument default_step();

/// In Python, 0 is the default.
learn::NewtonOptions newton_options(std::uint64_t warmup, std::uint64_t refactor_every,
                                    bool as_published);

/// Binds these classes; Learner must be bound before.
void bind_algorithms(pybind11::module_& core);
/// Binds StreamRun; the algorithms must be bound before.
void bind_stream_run(pybind11::module_& core);

}  // namespace shortfall::python
