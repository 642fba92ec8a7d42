#pragma once

#include <cstddef>
#include <span>

namespace shortfall::learn {

/// Numbers of scratch that `invert` needs for d rows.
constexpr std::size_t inverse_scratch(std::size_t d) {
  return 3 * d;
}

/// Replaces a matrix of d rows of padded length by its inverse, by Gauss-Jordan elimination with
/// partial pivoting, after scaling rows and columns by powers of two to largest entries near one.
/// Returns the reciprocal condition number of the scaled matrix in the 1-norm, 1 / (‖A‖ ‖A⁻¹‖), or
/// 0 where it is singular or not finite; the content is then not usable. Scaling features changes
/// nothing in it. Ours rather than Eigen's because this one allocates nothing, uses the vectors
/// that the processor has, and has the same bits everywhere.
double invert(double* matrix, std::size_t d, std::span<double> scratch);

}  // namespace shortfall::learn
