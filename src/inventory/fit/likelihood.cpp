#include "inventory/fit/likelihood.hpp"

#include <nlopt.h>
#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <cstddef>
#include <memory>

namespace shortfall::inventory::detail {

double chi_square_tail(double x, double degrees) {
  return degrees > 0.0 ? boost::math::gamma_q(0.5 * degrees, 0.5 * x) : 1.0;
}

double f_tail(double x, double numerator, double denominator) {
  return boost::math::ibeta(0.5 * denominator, 0.5 * numerator,
                            denominator / (denominator + numerator * x));
}

namespace {

/// The coordinates that are not fixed.
struct FreePart {
  const Objective& objective;
  std::vector<double> theta;
  std::vector<double> gradient;
  std::vector<std::size_t> free;
  // NLopt's line search may end at a point that is not its best.
  std::vector<double> best;
  double best_value;

  double at(const double* x, double* slopes) {
    for (std::size_t i = 0; i < free.size(); ++i) theta[free[i]] = x[i];
    const double value = objective(theta, gradient);
    if (value > best_value) {
      best_value = value;
      best = theta;
    }
    for (std::size_t i = 0; slopes != nullptr && i < free.size(); ++i) {
      slopes[i] = -gradient[free[i]];
    }
    return -value;
  }
};

double negative_of(unsigned /*n*/, const double* x, double* gradient, void* part) {
  return static_cast<FreePart*>(part)->at(x, gradient);
}

}  // namespace

Maximum maximise(const Objective& objective, std::vector<double> start, const Bounds& bounds) {
  FreePart part{objective, start, std::vector<double>(start.size()), {}, start, 0.0};
  std::vector<double> x;
  std::vector<double> low;
  std::vector<double> high;
  for (std::size_t i = 0; i < start.size(); ++i) {
    part.theta[i] = std::clamp(start[i], bounds.low[i], bounds.high[i]);
    if (bounds.low[i] == bounds.high[i]) continue;
    part.free.push_back(i);
    x.push_back(part.theta[i]);
    low.push_back(bounds.low[i]);
    high.push_back(bounds.high[i]);
  }
  part.best = part.theta;
  part.best_value = objective(part.theta, part.gradient);
  if (x.empty()) return {part.best, part.best_value};
  constexpr double smallest_step = 1e-11;
  constexpr int most_evaluations = 1000;
  const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> solver(
      nlopt_create(NLOPT_LD_SLSQP, static_cast<unsigned>(x.size())), &nlopt_destroy);
  nlopt_set_min_objective(solver.get(), negative_of, &part);
  nlopt_set_lower_bounds(solver.get(), low.data());
  nlopt_set_upper_bounds(solver.get(), high.data());
  nlopt_set_xtol_abs1(solver.get(), smallest_step);
  nlopt_set_maxeval(solver.get(), most_evaluations);
  double value = 0.0;
  // Stopping because of roundoff is success here: steps are below the noise of the objective.
  static_cast<void>(nlopt_optimize(solver.get(), x.data(), &value));
  return {part.best, part.best_value};
}

}  // namespace shortfall::inventory::detail
