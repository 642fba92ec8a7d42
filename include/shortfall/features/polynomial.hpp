#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shortfall/features/feature_map.hpp"

namespace shortfall::features {

struct PolynomialOptions {
  std::size_t variables = 1;              ///< v ≥ 1, the length of a state
  std::size_t degree = 2;                 ///< p ≥ 1, the largest total degree
  Intercept intercept = Intercept::with;  ///< the monomial of degree 0
};

/// All monomials of total degree at most p in the v numbers of a state: (v + p)! / (v! p!)
/// features, one fewer without the intercept. They are ordered by degree, and within a degree
/// lexicographically with x1 first:
///
///   v = 3, p = 2:   1,   x1, x2, x3,   x1², x1 x2, x1 x3, x2², x2 x3, x3²
///
/// Check: at (2, 3, 5) these are 1, 2, 3, 5, 4, 6, 10, 9, 15, 25. Each monomial costs one product.
class Polynomial {
 public:
  /// Throws InvalidInput for v = 0, for p = 0, and for more than `max_features`.
  explicit Polynomial(const PolynomialOptions& options);
  static constexpr std::size_t max_features = 100'000;

  std::size_t dimension() const { return dimension_; }
  std::size_t variables() const { return variables_; }

  /// A state is anything with size() and operator[]: a vector, an array, a span. Throws
  /// InvalidInput if its size is not v, or if a monomial is not finite.
  template <class State>
  requires requires(const State& x, std::size_t i) {
    { x.size() } -> std::convertible_to<std::size_t>;
    static_cast<double>(x[i]);
  }
  void write(const State& x, std::span<double> out) const {
    if (x.size() != variables_) throw_wrong_size(x.size());
    std::size_t k = 0;
    if (intercept_ == Intercept::with) out[k++] = 1.0;
    for (std::size_t i = 0; i < variables_; ++i) out[k++] = static_cast<double>(x[i]);
    for (const Product& product : products_) {
      out[k++] = out[product.monomial] * static_cast<double>(x[product.variable]);
    }
    check_finite(out);
  }

  /// In the order of the features: "1", "x1", "x1^2", "x1 x2", ...
  std::vector<std::string> names() const;

 private:
  /// A monomial of degree two or more is an earlier monomial times a variable.
  struct Product {
    std::uint32_t monomial;
    std::uint32_t variable;
  };
  [[noreturn]] void throw_wrong_size(std::size_t found) const;

  std::size_t variables_;
  Intercept intercept_;
  std::size_t dimension_ = 0;
  std::vector<Product> products_;
};

}  // namespace shortfall::features
