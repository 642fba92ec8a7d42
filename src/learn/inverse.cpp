#include "learn/inverse.hpp"

#include <algorithm>
#include <cmath>

#include "shortfall/learn/detail/vector_kernels.hpp"

namespace shortfall::learn {
namespace {

/// A power of two near 1/x, 1 for x = 0; never so extreme that a product of two leaves the range.
double scale_of(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, std::clamp(-exponent, -500, 500));
}

struct Square {
  double* entry;
  std::size_t d;
  std::size_t stride = padded(d);

  double* row(std::size_t i) const { return entry + i * stride; }
  double& operator()(std::size_t i, std::size_t j) const { return entry[i * stride + j]; }

  /// The largest column sum of magnitudes; NaN if an entry is.
  double norm(std::span<double> column_sum) const {
    std::fill_n(column_sum.begin(), d, 0.0);
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) column_sum[j] += std::abs((*this)(i, j));
    }
    double largest = 0.0;
    for (std::size_t j = 0; j < d; ++j) {
      if (!(column_sum[j] <= largest)) largest = column_sum[j];
    }
    return largest;
  }
};

/// A ← R A C, with R and C the powers of two that are written to `rows` and `columns`.
void divide(const Square& a, const EntrySizes& sizes, std::span<double> rows,
            std::span<double> columns) {
  for (std::size_t i = 0; i < a.d; ++i) {
    rows[i] = scale_of(sizes.row[i]);
    columns[i] = scale_of(sizes.column[i]);
  }
  for (std::size_t i = 0; i < a.d; ++i) {
    for (std::size_t j = 0; j < a.d; ++j) a(i, j) *= rows[i] * columns[j];
  }
}

std::size_t pivot_row(const Square& a, std::size_t k) {
  std::size_t pivot = k;
  for (std::size_t i = k + 1; i < a.d; ++i) {
    if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
  }
  return pivot;
}

/// False if a pivot is zero or NaN.
bool eliminate(const Square& a, std::span<double> pivots) {
  const auto add_scaled = vector_kernels().add_scaled;
  for (std::size_t k = 0; k < a.d; ++k) {
    const std::size_t pivot = pivot_row(a, k);
    pivots[k] = static_cast<double>(pivot);
    if (pivot != k) std::swap_ranges(a.row(k), a.row(k) + a.d, a.row(pivot));
    const double inverse = 1.0 / a(k, k);
    if (!std::isfinite(inverse)) return false;
    a(k, k) = 1.0;
    for (std::size_t j = 0; j < a.d; ++j) a(k, j) *= inverse;
    for (std::size_t i = 0; i < a.d; ++i) {
      if (i == k) continue;
      const double factor = a(i, k);
      a(i, k) = 0.0;
      add_scaled(a.row(i), -factor, a.row(k), a.d);
    }
  }
  // Row exchanges in the elimination are column exchanges of the inverse, in the opposite order.
  for (std::size_t k = a.d; k-- > 0;) {
    const auto pivot = static_cast<std::size_t>(pivots[k]);
    if (pivot == k) continue;
    for (std::size_t i = 0; i < a.d; ++i) std::swap(a(i, k), a(i, pivot));
  }
  return true;
}

}  // namespace

double invert(double* matrix, std::size_t d, const EntrySizes& sizes, std::span<double> scratch) {
  const Square a{matrix, d};
  const auto rows = scratch.subspan(0, d);
  const auto columns = scratch.subspan(d, d);
  const auto work = scratch.subspan(2 * d, d);
  divide(a, sizes, rows, columns);
  if (!std::isfinite(a.norm(work)) || !eliminate(a, work)) return 0.0;
  const double distance = 1.0 / a.norm(work);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) a(i, j) *= columns[i] * rows[j];
  }
  return std::isfinite(a.norm(work)) ? distance : 0.0;
}

}  // namespace shortfall::learn
