#pragma once

#include <pybind11/pybind11.h>

#include "shortfall/formats/model_csv.hpp"

namespace shortfall::python {

/// A model from matrices P(x'|x, a), one per action: a sequence of SciPy sparse or dense N × N
/// matrices, or an A × N × N array. A row of zeros means that the state does not have the action.
/// `amounts`, costs or rewards, are c(x) of length N, c(x, a) of shape N × A, or matrices like P.
/// Sparse matrices and doubles are read in place.
io::LoadedModel model_of_matrices(pybind11::handle transitions, pybind11::handle amounts,
                                  io::Sense sense);

}  // namespace shortfall::python
