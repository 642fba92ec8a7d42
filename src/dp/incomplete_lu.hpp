#pragma once

#include <Eigen/SparseCore>
#include <cstddef>
#include <vector>

namespace shortfall::detail {

/// Incomplete LU factorisation without fill-in, as a preconditioner for Eigen's Krylov solvers:
/// L and U have the pattern of A, and entries of the elimination outside it are dropped. For
/// an M-matrix, such as I - γ P, it exists and never breaks down (Meijerink and van der Vorst,
/// Mathematics of Computation 31, 1977). On a tridiagonal matrix it is exact.
///
/// Its cost is bounded whatever the structure: it takes the memory of A, one application
/// costs one product with A, and the factorisation at most `longest_pivot_row` products:
/// longer rows eliminate nothing, not even within the pattern. That keeps L U ≥ A entrywise, a
/// regular splitting.
class IncompleteLu {
 public:
  using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;
  static constexpr Eigen::Index longest_pivot_row = 16;

  IncompleteLu& compute(const Matrix& matrix);

  /// x with L U x = b.
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

  // Also required by Eigen of a preconditioner.
  IncompleteLu& analyzePattern(const Matrix&) { return *this; }
  IncompleteLu& factorize(const Matrix& matrix) { return compute(matrix); }
  Eigen::ComputationInfo info() const { return Eigen::Success; }

 private:
  void eliminate(int row, std::vector<int>& position_of_column);

  Matrix factors_;             // L below the diagonal, with unit diagonal, and U
  std::vector<int> diagonal_;  // position of each row's diagonal entry
};

}  // namespace shortfall::detail
