#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numbers>

#include "shortfall/learn/interval.hpp"

namespace shortfall::learn {
namespace {

/// P(|N| > c √∫B²). The integrand is smooth with all derivatives 0 at 0, even about π/2: the
/// midpoint rule converges faster than any power. In extended precision, whose functions do
/// not depend on the vector instructions.
double random_scaling_tail(double c) {
  constexpr int points = 200;
  long double sum = 0.0L;
  for (int i = 0; i < points; ++i) {
    const long double z = c / std::sin((i + 0.5L) * std::numbers::pi_v<long double> / (2 * points));
    sum += z < 700.0L ? std::sqrt(z / std::sinh(z)) : 0.0L;
  }
  return static_cast<double>(sum / points);
}

/// What the search finds at 95 %. It takes half a millisecond, longer than the rest of an interval.
constexpr double random_scaling_quantile_95 = 6.7473021091755072;

}  // namespace

double student_quantile(double level, double degrees) {
  return student_tail_quantile(1.0 - level, degrees);
}

double student_tail_quantile(double alpha, double degrees) {
  return boost::math::quantile(
      boost::math::complement(boost::math::students_t(degrees), 0.5 * alpha));
}

double random_scaling_quantile(double level) {
  detail::check_level(level);
  if (level == 0.95) return random_scaling_quantile_95;
  double low = 0.0;
  double high = 1.0;
  while (random_scaling_tail(high) > 1.0 - level) high *= 2.0;
  while (high - low > 1e-12 * high) {
    const double middle = low + 0.5 * (high - low);
    (random_scaling_tail(middle) > 1.0 - level ? low : high) = middle;
  }
  return high;
}

}  // namespace shortfall::learn
