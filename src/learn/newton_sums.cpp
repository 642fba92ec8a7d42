#include "shortfall/learn/detail/newton_sums.hpp"

#include <algorithm>

#include "shortfall/learn/detail/state_checks.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::learn {

void NewtonSums::scale(double factor) {
  const std::size_t stride = target.size();
  for (std::size_t i = 0; i * stride < products.size(); ++i) {
    if (is_vanishing(i)) continue;
    for (std::size_t j = 0; j < stride; ++j) products[i * stride + j] *= factor;
    target[i] *= factor;
    x_squares[i] *= factor;
    if (z_squares[i] >= 1e-200) z_squares[i] *= factor;
  }
  weight *= factor;
  square *= factor * factor;
}

void NewtonSums::keep_missing_of(const NewtonSums& older, std::size_t dimension) {
  const std::size_t stride = target.size();
  for (std::size_t i = 0; i < dimension; ++i) {
    if (z_squares[i] == 0.0) z_squares[i] = older.z_squares[i];
    if (x_squares[i] > 0.0) continue;
    std::copy_n(older.products.begin() + static_cast<std::ptrdiff_t>(i * stride), stride,
                products.begin() + static_cast<std::ptrdiff_t>(i * stride));
    target[i] = older.target[i];
    x_squares[i] = older.x_squares[i];
  }
}

void NewtonSums::clear() {
  for (AlignedVector* const sum : {&products, &target, &x_squares, &z_squares}) {
    std::fill(sum->begin(), sum->end(), 0.0);
  }
  weight = 0.0;
  square = 0.0;
}

void NewtonSums::check_state(std::size_t dimension, const Names& names) const {
  detail::check_padding(names.products, products, dimension);
  detail::check_numbers(names.target, target, dimension);
  const auto check_squares = [&](const char* name, const AlignedVector& squares) {
    detail::check_numbers(name, squares, dimension);
    for (const double x : squares) detail::check_real(name, x, 0.0, infinity);
  };
  check_squares(names.x_squares, x_squares);
  check_squares(names.z_squares, z_squares);
  detail::check_real("sum of weights", weight, 0.0, infinity);
  detail::check_real("sum of squared shares", square, 0.0, infinity);
}

}  // namespace shortfall::learn
