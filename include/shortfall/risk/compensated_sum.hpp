#pragma once

#include <cmath>
#include <span>

namespace shortfall {

/// A sum that tracks its own rounding error (Neumaier, ZAMM 54, 1974). With unit roundoff u and n
/// terms, value() is within 2u |s| + 2n² u² Σ|x_i| of the exact sum s: as if summed in twice the
/// precision and then rounded. Check: 1 + 1e100 + 1 - 1e100 is 2, where a plain sum gives 0.
class CompensatedSum {
 public:
  void add(double x) {
    const double sum = sum_ + x;
    error_ += std::abs(sum_) >= std::abs(x) ? (sum_ - sum) + x : (x - sum) + sum_;
    sum_ = sum;
  }
  /// Adds a·b without rounding the product first.
  void add_product(double a, double b) {
    const double product = a * b;
    add(product);
    error_ += std::fma(a, b, -product);
  }
  double value() const { return std::isfinite(sum_) ? sum_ + error_ : sum_; }

 private:
  double sum_ = 0.0;
  double error_ = 0.0;
};

inline double compensated_sum(std::span<const double> numbers) {
  CompensatedSum sum;
  for (const double x : numbers) sum.add(x);
  return sum.value();
}

}  // namespace shortfall
