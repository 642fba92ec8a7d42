#include "dp/newton.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <limits>

#include "parallel/partition.hpp"

namespace shortfall::detail {
namespace {

using Vector = Eigen::VectorXd;

/// If even this fraction of a Newton step does not help, a sweep does.
constexpr double shortest_step = 1.0 / 128;

/// Step selection. If ℓ is convex or concave on the whole line, Newton's method is policy iteration
/// over the weights w: full steps always converge, though the residual may grow temporarily. Full
/// steps are taken until several in a row have brought no new smallest residual, which only a
/// failing linear solve can cause. Otherwise a step must reduce the residual, and some fraction of
/// it does: the residual at a fraction t is (1 - t) times the old one up to the next kink.
class StepRule {
 public:
  explicit StepRule(bool trust_full_steps) : trust_(trust_full_steps) {}

  bool accepts(double t, double residual, double residual_before) {
    without_gain_ = residual < smallest_ ? 0 : without_gain_ + 1;
    smallest_ = std::min(smallest_, residual);
    trust_ = trust_ && without_gain_ < 10;
    return trust_ || residual <= (1.0 - 0.1 * t) * residual_before;
  }

 private:
  bool trust_;
  int without_gain_ = 0;
  double smallest_ = std::numeric_limits<double>::infinity();
};

}  // namespace

void newton(Iteration& run, const BellmanOperator& bellman, const ChosenRows& chosen,
            const AnyLoss& loss, TangentSolver& solver, End end) {
  const auto size = static_cast<Eigen::Index>(bellman.states());
  Eigen::Map<Vector> values(run.values.data(), size);
  const Eigen::Map<Vector> backed_up(run.backed_up.data(), size);
  double residual = 0.0;
  const auto finished_after_sweep = [&] {
    const SweepSummary sweep = bellman.apply_policy(run.values, run.backed_up, chosen.rows);
    residual = sweep.residual();
    return run.finished(sweep);
  };

  StepRule rule(is_convex(loss) || is_concave(loss));
  bool finished = finished_after_sweep();
  while (!finished) {
    const Vector start = values;
    const Vector swept = backed_up;
    const double residual_before = residual;
    Vector step;
    bellman.run([&] {
      step = solver.step(chosen, run.values, run.backed_up, TangentSolver::Goal::of(run, end),
                         run.watch());
    });

    // The inverse of I - γ P_w has sup norm 1 / (1-γ): a longer step does not solve the system.
    const double longest = 2.0 * residual_before / (1.0 - bellman.gamma());
    const bool solved = bellman.partition().communicator().all(
        step.allFinite() && (step.array().abs() <= longest).all());
    bool accepted = false;
    for (double t = 1.0; solved && t >= shortest_step && !accepted && !finished; t /= 2) {
      values = start + t * step;
      finished = finished_after_sweep();
      accepted = rule.accepts(t, residual, residual_before);
    }
    if (!accepted && !finished) {
      values = swept;
      finished = finished_after_sweep();
    }
  }
}

}  // namespace shortfall::detail
