#include "inventory/chi_square.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>

namespace shortfall::inventory::detail {

double chi_square_tail(double x, double degrees) {
  return degrees > 0.0 ? boost::math::gamma_q(0.5 * degrees, 0.5 * x) : 1.0;
}

double normal_two_sided(double z) {
  return std::erfc(std::abs(z) / std::numbers::sqrt2);
}

}  // namespace shortfall::inventory::detail
