#pragma once

#include <cstddef>
#include <span>

namespace shortfall::learn {

/// Sizes r_i > 0 and c_j > 0 with |A_ij| ≤ r_i c_j: the size of the entries without cancellation.
struct EntrySizes {
  std::span<const double> row;
  std::span<const double> column;
};

/// The scratch space that `invert` needs for d rows, in doubles.
constexpr std::size_t inverse_scratch(std::size_t d) {
  return 3 * d;
}

/// Replaces a matrix A of d rows of padded length by its inverse, by Gauss-Jordan elimination with
/// partial pivoting, after dividing rows and columns by their sizes, rounded to powers of two.
///
/// Returns 1 / ‖B⁻¹‖₁ with B the divided matrix, whose entries are at most 1: the distance from
/// singularity, on a scale where the rounding of A is about 1e-16. It decreases with the condition
/// of A, and also if A is small because its sums have cancelled, which no condition number can
/// detect. Scaling the features does not change it. Returns 0 if A is singular or not finite; the
/// contents are then not usable.
///
/// Used instead of Eigen's because it allocates nothing, uses the vector instructions of the
/// processor, and gives bitwise identical results on all of them.
double invert(double* matrix, std::size_t d, const EntrySizes& sizes, std::span<double> scratch);

}  // namespace shortfall::learn
