#include "inventory/chi_square.hpp"

#include <boost/math/special_functions/gamma.hpp>

namespace shortfall::inventory::detail {

double chi_square_tail(double x, double degrees) {
  return degrees > 0.0 ? boost::math::gamma_q(0.5 * degrees, 0.5 * x) : 1.0;
}

}  // namespace shortfall::inventory::detail
