#include "shortfall/theory/averager_fixed_point.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "errors/require.hpp"
#include "numbers/roundoff.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::theory {
namespace {

using Eigen::VectorXd;

/// Full steps converge for convex and concave losses; if this many have not, rounding is in the
/// way.
constexpr int full_steps = 60;

/// A step times t must reduce the residual to 1 - t · least_reduction times itself.
constexpr double least_reduction = 0.1;
constexpr double shortest_fraction = 1.0 / 4.0;

/// Iterations without a smaller residual after which it is rounding that remains.
constexpr int max_without_progress = 10;

struct AveragerPoint {
  VectorXd theta;
  AveragerOperator::Image image;
  double residual;

  bool is_finite() const { return std::isfinite(residual); }
};

class AveragerSearch {
 public:
  AveragerSearch(const AveragerOperator& averager, const AveragerFixedPointOptions& options)
      : averager_(averager),
        options_(options),
        takes_full_steps_(is_convex(averager.loss()) || is_concave(averager.loss())) {}

  AveragerFixedPoint run() {
    AveragerPoint point =
        at(options_.start.size() == 0 ? VectorXd::Zero(averager_.dimension()) : options_.start);
    AveragerPoint best = point;
    int without_progress = 0;
    while (true) {
      if (point.residual < best.residual) {
        best = point;
        without_progress = 0;
      } else {
        ++without_progress;
      }
      const auto status = verdict(point.is_finite() ? best : point, without_progress);
      if (status) return result(best, *status);
      point = step(point);
    }
  }

 private:
  AveragerPoint at(VectorXd theta) {
    ++evaluations_;
    AveragerOperator::Image image = averager_.apply(theta);
    const double residual = (image.value - theta).cwiseAbs().maxCoeff();
    const bool finite = image.value.allFinite();
    return {std::move(theta), std::move(image), finite ? residual : infinity};
  }

  double error_bound(const AveragerPoint& point) const {
    if (!point.is_finite()) return infinity;
    return detail::rounded_up((point.residual + point.image.rounding) / (1.0 - averager_.modulus()),
                              8.0);
  }

  std::optional<FixedPointStatus> verdict(const AveragerPoint& point, int without_progress) const {
    if (!point.is_finite()) return FixedPointStatus::diverged;
    if (error_bound(point) <= options_.tolerance) return FixedPointStatus::converged;
    if (point.residual <= point.image.rounding) return FixedPointStatus::precision_limit;
    const double reachable = point.image.rounding / (1.0 - averager_.modulus());
    if (without_progress > max_without_progress && point.residual <= 2.0 * reachable) {
      return FixedPointStatus::precision_limit;
    }
    if (evaluations_ > options_.max_iterations) return FixedPointStatus::iteration_limit;
    return std::nullopt;
  }

  AveragerPoint step(const AveragerPoint& point) {
    const VectorXd direction = averager_.newton_matrix(point.theta, point.image.value)
                                   .partialPivLu()
                                   .solve(point.image.value - point.theta);
    const bool full = takes_full_steps_ && evaluations_ <= full_steps;
    for (double t = 1.0; t >= shortest_fraction; t /= 2.0) {
      AveragerPoint trial = at(point.theta + t * direction);
      const bool accepted =
          full ? trial.is_finite() : trial.residual <= (1.0 - t * least_reduction) * point.residual;
      if (accepted) return trial;
    }
    return at(point.image.value);
  }

  AveragerFixedPoint result(const AveragerPoint& point, FixedPointStatus status) const {
    return {.status = status,
            .theta = point.theta,
            .residual = point.residual,
            .error_bound = error_bound(point),
            .iterations = evaluations_ - 1};
  }

  const AveragerOperator& averager_;
  const AveragerFixedPointOptions& options_;
  bool takes_full_steps_;
  int evaluations_ = 0;
};

}  // namespace

AveragerFixedPoint averager_fixed_point(const AveragerOperator& averager,
                                        const AveragerFixedPointOptions& options) {
  require(options.tolerance > 0.0, "tolerance = {}; accepted: a number > 0", options.tolerance);
  require(options.start.size() == 0 || options.start.size() == averager.dimension(),
          "the start has {} entries; accepted: one for each of {} features", options.start.size(),
          averager.dimension());
  require(options.start.allFinite(), "the start is not finite; accepted: finite numbers");
  return AveragerSearch(averager, options).run();
}

}  // namespace shortfall::theory
