#pragma once

#include "arrays.hpp"
#include "shortfall/io/model_csv.hpp"

/// Models from tables with one row an outcome.
namespace shortfall::python {

/// A cost from what the model holds, and back again: rewards are negative costs.
inline double in_sense(double amount, io::Sense sense) {
  return sense == io::Sense::reward ? 0.0 - amount : amount;
}

/// The columns of a table. Ids count from the smallest there is where `bases` says so, else from 0.
struct Columns {
  Integers state;
  Integers action;
  Integers next_state;
  Doubles probability;
  Doubles amount;
};

enum class Bases { zero, smallest };

io::LoadedModel model_of_columns(const Columns& columns, io::Sense sense,
                                 Bases bases = Bases::zero);

/// Of a pandas frame, by the names that the CSV has.
io::LoadedModel model_of_frame(const py::object& frame);

/// Of {state: {action: [(probability, next_state, reward, done), ...]}}.
io::LoadedModel model_of_gym(const py::dict& transitions);

}  // namespace shortfall::python
