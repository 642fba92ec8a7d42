#pragma once

#include "bindings/arrays.hpp"
#include "shortfall/formats/model_csv.hpp"

/// Models from tables with one row per outcome.
namespace shortfall::python {

/// The columns of a table.
struct Columns {
  Integers state;
  Integers action;
  Integers next_state;
  Doubles probability;
  Doubles amount;
};

/// Whether ids start at 0 or at the smallest id in the table.
enum class Bases { zero, smallest };

io::LoadedModel model_of_columns(const Columns& columns, io::Sense sense,
                                 Bases bases = Bases::zero);

/// From a pandas frame with the column names of the CSV.
io::LoadedModel model_of_frame(const py::object& frame);

/// From {state: {action: [(probability, next_state, reward, done), ...]}}.
io::LoadedModel model_of_gym(const py::dict& transitions);

}  // namespace shortfall::python
