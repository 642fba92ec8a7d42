#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/mdp/outcomes.hpp"

namespace shortfall::io {

/// The format is described in shortfall/formats/petsc_model.hpp.
inline constexpr std::int64_t petsc_matrix_id = 1211216;
inline constexpr std::int64_t petsc_vector_id = 1211214;
inline constexpr std::string_view accepted_petsc_matrix =
    "one matrix in PETSc's binary format, with real numbers in double precision";

/// A matrix in compressed rows, or a vector, which has one column.
struct PetscMatrix {
  std::string file;  ///< its name, for messages
  std::uint64_t columns = 0;
  bool is_vector = false;
  std::vector<std::size_t> row_begin{0};
  std::vector<StateIndex> column;
  std::vector<double> value;

  std::size_t rows() const { return row_begin.size() - 1; }
};

/// Throws InvalidInput unless the file has one matrix or vector, and nothing else. A dense matrix
/// gets rows without its zeros.
PetscMatrix read_petsc_matrix(const std::string& path);

}  // namespace shortfall::io
