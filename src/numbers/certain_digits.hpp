#pragma once

#include <string>

/// Numbers with certified errors, as people see them. Documents have all digits instead.
namespace shortfall {

/// A bound on an error, in two significant digits and rounded up: 0.43186 is "0.44", 1e-6 is
/// "1e-06". Without a bound: "unknown".
std::string bound_text(double bound);

/// Values with a common bound on their errors. Each is printed to the place of the bound's first
/// digit and no further, and what rounding it changed is added to the bound:
///
///     |exact value - what value() printed| ≤ what bound() prints.
///
///     CertainDigits digits(0.43186, {.decimals = 5});
///     digits.value(53.18516)   // "53.2"
///     digits.bound()           // "0.45", from 0.43186 + 0.01484
class CertainDigits {
 public:
  /// What is printed at most, however small the bound is. Without `decimals`, digits up to the
  /// place of the last of nine significant ones, or that of a tenth of `finest` if it is smaller,
  /// and no zeros at the end.
  struct Most {
    int decimals = -1;
    double finest = 1e-6;
  };

  explicit CertainDigits(double bound) : CertainDigits(bound, Most()) {}
  CertainDigits(double bound, const Most& most);

  std::string value(double value);
  /// For all values so far.
  std::string bound() const { return bound_text(with_rounding_); }

 private:
  int last_place(double value) const;

  double bound_;
  Most most_;
  double with_rounding_;
};

}  // namespace shortfall
