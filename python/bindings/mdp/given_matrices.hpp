#pragma once

#include <optional>
#include <vector>

#include "bindings/arrays.hpp"

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

}  // namespace shortfall::python
