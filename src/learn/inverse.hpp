#pragma once

#include <cstddef>
#include <span>

namespace shortfall::learn {

/// Sizes r_i > 0 and c_j > 0 with |A_ij| ≤ r_i c_j: what the entries could be if nothing cancelled.
struct EntrySizes {
  std::span<const double> row;
  std::span<const double> column;
};

/// Numbers of scratch that `invert` needs for d rows.
constexpr std::size_t inverse_scratch(std::size_t d) {
  return 3 * d;
}

/// Replaces a matrix A of d rows of padded length by its inverse, by Gauss-Jordan elimination with
/// partial pivoting, after dividing rows and columns by their sizes, rounded to powers of two.
///
/// Returns 1 / ‖B⁻¹‖₁ with B the divided matrix, whose entries are at most 1:
/// the distance from singularity, where rounding in the making of A is about 1e-16. It falls with
/// the condition of A, and also where A is small because what was summed has cancelled, which no
/// condition number can see. Scaling features changes nothing in it. 0 where A is singular or not
/// finite; the content is then not usable.
///
/// Ours rather than Eigen's because this one allocates nothing, uses the vectors that the processor
/// has, and has the same bits whatever these are.
double invert(double* matrix, std::size_t d, const EntrySizes& sizes, std::span<double> scratch);

}  // namespace shortfall::learn
