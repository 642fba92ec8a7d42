#include "shortfall/theory/averager_bound.hpp"

#include <algorithm>
#include <cmath>

#include "errors/require.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::theory {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// The range of V over some states, by cell.
struct CellRanges {
  explicit CellRanges(Index cells)
      : low(VectorXd::Constant(cells, infinity)), high(VectorXd::Constant(cells, -infinity)) {}
  void add(Index i, double value) {
    low[i] = std::min(low[i], value);
    high[i] = std::max(high[i], value);
  }
  VectorXd low;
  VectorXd high;
};

void check_values(const AveragerOperator& averager, const Eigen::Ref<const VectorXd>& values) {
  require(values.size() == averager.phi().rows(), "{} values; accepted: one for each of {} states",
          values.size(), averager.phi().rows());
}

}  // namespace

AveragerBound averager_bound(const AveragerOperator& averager,
                             const Eigen::Ref<const VectorXd>& values) {
  check_values(averager, values);
  const Eigen::MatrixXd& phi = averager.phi();
  CellRanges visited(phi.cols());  // over q φ_i > 0
  CellRanges support(phi.cols());  // over R and φ_i > 0
  for (const StateIndex x : averager.reached()) {
    for (Index i = 0; i < phi.cols(); ++i) {
      if (phi(x, i) == 0.0) continue;
      if (!averager.is_visited(i)) return {infinity, infinity, infinity};
      support.add(i, values[x]);
      if (averager.q()[x] > 0.0) visited.add(i, values[x]);
    }
  }
  double oscillation = 0.0, missing = 0.0, gap = 0.0, largest_sum = 0.0;
  for (const StateIndex x : averager.reached()) {
    double sum = 0.0, upper = 0.0, lower = 0.0;
    for (Index i = 0; i < phi.cols(); ++i) {
      if (phi(x, i) == 0.0) continue;
      oscillation = std::max(oscillation, support.high[i] - support.low[i]);
      sum += phi(x, i);
      upper += phi(x, i) * visited.high[i];
      lower += phi(x, i) * visited.low[i];
    }
    missing = std::max(missing, std::abs(1.0 - sum) * std::abs(values[x]));
    gap = std::max({gap, upper - values[x], values[x] - lower});
    largest_sum = std::max(largest_sum, sum);
  }
  const double horizon = 1.0 / (1.0 - averager.modulus());
  return {oscillation, (largest_sum * oscillation + missing) * horizon, gap * horizon};
}

double averager_error(const AveragerOperator& averager, const Eigen::Ref<const VectorXd>& theta,
                      const Eigen::Ref<const VectorXd>& values) {
  check_values(averager, values);
  require(theta.size() == averager.dimension(), "{} weights; accepted: one for each of {} features",
          theta.size(), averager.dimension());
  double error = 0.0;
  for (const StateIndex x : averager.reached()) {
    error = std::max(error, std::abs(averager.phi().row(x).dot(theta) - values[x]));
  }
  return error;
}

}  // namespace shortfall::theory
