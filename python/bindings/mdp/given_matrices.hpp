#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <vector>

#include "bindings/arrays.hpp"
#include "shortfall/formats/model_csv.hpp"

namespace shortfall::python {

/// The matrices of a model as Python objects, one per action and all of one size: SciPy CSR or
/// dense.
struct GivenMatrices {
  std::size_t states = 0;
  std::vector<py::object> transitions = {};
  std::optional<Doubles> by_row = {};       ///< amounts c(x, a), N × A; otherwise
  std::vector<py::object> by_outcome = {};  ///< amounts like transitions, sorted by successor

  /// Whether the number of entries, or SciPy, needs 64-bit indices.
  bool are_wide() const;
};

/// From the arguments of the constructor of Mdp. Throws InvalidInput if they do not fit together.
GivenMatrices given_matrices(py::handle transitions, py::handle amounts);

/// A model from matrices P(x'|x, a), one per action: a sequence of SciPy sparse or dense N × N
/// matrices, or an A × N × N array. A row of zeros means that the state does not have the action.
/// `amounts`, costs or rewards, are c(x) of length N, c(x, a) of shape N × A, or matrices like P.
/// Sparse matrices and doubles are read in place.
io::LoadedModel model_of_matrices(pybind11::handle transitions, pybind11::handle amounts,
                                  io::Sense sense);

}  // namespace shortfall::python
