#include "shortfall/theory/fixed_point.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "errors/require.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "theory/residual.hpp"

namespace shortfall::theory {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// A pivot of the Jacobian below this fraction of the scale of its terms counts as rounding.
constexpr double singular_tolerance = 1e-12;

/// Newton's step times t must reduce the residual to 1 - t · sufficient_decrease times itself.
constexpr double sufficient_decrease = 0.1;
constexpr double shortest_step = 1.0 / 32.0;

/// The time step grows as long as a step increases the residual by no more than this: small enough
/// to follow the ODE away from an unstable root rather than jump back across it.
constexpr double tolerated_growth = 1.05;

/// A point w in orthonormal coordinates with F(w) = Bᵀ diag(q) r(Bw), so that ‖F‖₂ = ‖Π r(Bw)‖_q.
struct Point {
  VectorXd w;
  VectorXd force;
  double norm = infinity;  ///< ‖F‖₂
  double slope = 0.0;      ///< the largest mean slope over all states
  double rounding = 0.0;   ///< bound on the rounding error of `norm`

  bool is_root() const { return norm <= rounding; }
  bool is_finite() const { return std::isfinite(norm) && std::isfinite(rounding); }
};

/// F'(w), and Newton's step if it is regular.
struct Linearisation {
  MatrixXd jacobian;
  std::optional<VectorXd> step;
};

class Search {
 public:
  Search(const MeanField& given, const FixedPointOptions& options)
      : given_(given.projection()),
        field_(given.chain(), given.loss(), given.gamma(), given_.orthonormal_features(),
               given_.q()),
        options_(options),
        monotonicity_(given.monotonicity()),
        lipschitz_(given.loss().slope_bounds().upper * (1.0 + given.effective_gamma())) {}

  FixedPoint run() {
    const VectorXd start =
        options_.start.size() == 0 ? VectorXd::Zero(given_.dimension()) : options_.start;
    Point point = at(given_.to_orthonormal(start));
    farthest_ =
        divergence_factor * (point.w.norm() + std::max(point.norm, point.rounding) / point.slope);
    for (int iteration = 0;; ++iteration) {
      const Linearisation local = linearise(point);
      const auto status = verdict(point, local);
      if (status || iteration == options_.max_iterations) {
        return result(point, local, status.value_or(FixedPointStatus::iteration_limit), iteration);
      }
      point = certified() ? monotone_step(point, local) : general_step(point, local);
    }
  }

 private:
  /// A smaller monotonicity is itself within rounding.
  bool certified() const { return monotonicity_ > 100.0 * epsilon * lipschitz_; }

  Point at(VectorXd w) const {
    const Projection& basis = field_.projection();
    const detail::Residual residual =
        detail::residual(field_.chain(), field_.loss(), field_.gamma(), basis.phi() * w);
    const Eigen::Map<const VectorXd> q(basis.q().data(), basis.states());
    Point point;
    point.force = basis.phi().transpose() * residual.value.cwiseProduct(q);
    point.norm = point.force.norm();
    point.slope = residual.mean_slope.maxCoeff();
    point.rounding = rounding(w, certified() ? field_.loss().slope_bounds().upper : point.slope,
                              q_norm(residual.value, basis.q()));
    point.w = std::move(w);
    return point;
  }

  /// To first order in the unit roundoff: the error of r due to its arguments and its sum, plus
  /// that of the projection, whose basis is orthonormal up to the condition of the features.
  double rounding(const VectorXd& w, double slope, double residual_norm) const {
    const Outcomes& outcomes = field_.chain().outcomes();
    const double largest_value = (field_.projection().phi().cwiseAbs() * w.cwiseAbs()).maxCoeff();
    const double magnitude = outcomes.largest_cost() + (1.0 + field_.gamma()) * largest_value;
    const auto terms = static_cast<double>(outcomes.longest_row()) + dimension() + 8.0;
    const double sums = static_cast<double>(given_.states()) + dimension() * given_.condition();
    return epsilon * (terms * slope * magnitude + sums * residual_norm);
  }

  double dimension() const { return static_cast<double>(given_.dimension()); }

  Linearisation linearise(const Point& point) const {
    if (!point.is_finite()) return {};
    Linearisation local{field_.jacobian(point.w), std::nullopt};
    const Eigen::FullPivLU<MatrixXd> lu(local.jacobian);
    const double smallest_pivot = lu.matrixLU().diagonal().cwiseAbs().minCoeff();
    const double scale = (1.0 + field_.gamma()) * point.slope;
    if (smallest_pivot > singular_tolerance * scale) local.step = -lu.solve(point.force);
    return local;
  }

  /// ‖Φθ - Φθ*‖_q, with the rounding between Bw and Φθ added.
  double error_bound(const Point& point) const {
    if (!certified()) return infinity;
    return (point.norm + point.rounding) / monotonicity_ +
           epsilon * dimension() * given_.condition() * point.w.norm();
  }

  std::optional<FixedPointStatus> verdict(const Point& point, const Linearisation& local) const {
    if (!point.is_finite() || point.w.norm() > farthest_) return FixedPointStatus::diverged;
    if (point.is_root() && !local.step) return FixedPointStatus::not_isolated;
    const double error = certified()  ? error_bound(point)
                         : local.step ? local.step->norm()
                                      : infinity;
    if (error <= options_.tolerance) return FixedPointStatus::converged;
    if (point.is_root()) return FixedPointStatus::precision_limit;
    return std::nullopt;
  }

  std::optional<Point> newton_step(const Point& point, const Linearisation& local) const {
    if (!local.step) return std::nullopt;
    for (double t = 1.0; t >= shortest_step; t /= 2.0) {
      Point trial = at(point.w + t * *local.step);
      if (trial.norm <= (1.0 - t * sufficient_decrease) * point.norm) return trial;
    }
    return std::nullopt;
  }

  Point monotone_step(const Point& point, const Linearisation& local) const {
    if (auto trial = newton_step(point, local)) return *std::move(trial);
    return at(point.w + monotonicity_ / lipschitz_ / lipschitz_ * point.force);
  }

  /// Newton until it stalls; then the ODE until the residual is half of its value at the stall.
  Point general_step(const Point& point, const Linearisation& local) {
    if (point.norm <= newton_again_below_) {
      if (auto trial = newton_step(point, local)) return *std::move(trial);
      newton_again_below_ = 0.5 * point.norm;
      time_step_ = 0.0;
    }
    // An explicit method would also be stable with this step: the ODE is followed, not jumped over.
    const double shortest_time_step = 0.5 / ((1.0 + field_.gamma()) * point.slope);
    time_step_ = std::max(time_step_, shortest_time_step);
    const auto d = given_.dimension();
    const MatrixXd shifted = MatrixXd::Identity(d, d) / time_step_ - local.jacobian;
    Point moved = at(point.w + Eigen::FullPivLU<MatrixXd>(shifted).solve(point.force));
    time_step_ *= moved.norm <= tolerated_growth * point.norm ? 1.5 : 0.5;
    return moved;
  }

  FixedPoint result(const Point& point, const Linearisation& local, FixedPointStatus status,
                    int iterations) const {
    FixedPoint found;
    found.status = status;
    found.theta = given_.from_orthonormal(point.w);
    found.residual_norm = point.norm;
    found.error_bound = error_bound(point);
    if (local.step) found.error_estimate = local.step->norm();
    found.iterations = iterations;
    return found;
  }

  const Projection& given_;
  MeanField field_;  ///< the same drift, in features that are orthonormal in the q-norm
  const FixedPointOptions& options_;
  double monotonicity_;
  double lipschitz_;
  double farthest_ = infinity;  ///< ‖w‖ beyond which the search has diverged
  double newton_again_below_ = infinity;
  double time_step_ = 0.0;
};

}  // namespace

FixedPoint projected_fixed_point(const MeanField& field, const FixedPointOptions& options) {
  require(options.tolerance > 0.0, "tolerance = {}; accepted: a number > 0", options.tolerance);
  const Eigen::Index d = field.projection().dimension();
  require(options.start.size() == 0 || options.start.size() == d,
          "the start has {} entries; accepted: one for each of {} features", options.start.size(),
          d);
  return Search(field, options).run();
}

}  // namespace shortfall::theory
