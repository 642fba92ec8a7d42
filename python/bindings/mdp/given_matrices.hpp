#pragma once

#include <optional>
#include <vector>

#include "arrays.hpp"

namespace shortfall::python {

/// The matrices of a model as Python holds them, of one size and one an action: SciPy's CSR, or
/// dense.
struct GivenMatrices {
  std::size_t states = 0;
  std::vector<py::object> transitions = {};
  std::optional<Doubles> by_row = {};       ///< amounts c(x, a), N × A; or else
  std::vector<py::object> by_outcome = {};  ///< amounts like transitions, in order of successors

  /// Whether a count of entries, or SciPy, needs indices of 64 bits.
  bool are_wide() const;
};

/// From what the constructor of Mdp takes. Throws InvalidInput where it does not fit together.
GivenMatrices given_matrices(py::handle transitions, py::handle amounts);

}  // namespace shortfall::python
