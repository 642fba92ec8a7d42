#include "dp/newton.hpp"

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "dp/incomplete_lu.hpp"

namespace shortfall::detail {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

/// Residual reduction required of a Krylov solve: each Newton step then gains up to four digits.
constexpr double krylov_tolerance = 1e-4;
constexpr int krylov_iterations = 500;

/// If even this fraction of a Newton step does not help, a sweep does.
constexpr double shortest_step = 1.0 / 128;

/// The weights w_j = p_j ℓ'(X_j - v) / Σ p ℓ'(X - v) of a row: the derivative of its risk v in the
/// direction of each target X_j. They are ≥ 0 and sum to one.
template <class L>
void tilt(const L& loss, const Outcomes::Row& law, std::span<const double> values, double gamma,
          double v, std::vector<double>& weights) {
  double sum = 0.0;
  weights.resize(law.next.size());
  for (std::size_t j = 0; j < law.next.size(); ++j) {
    const double target = law.cost[j] + gamma * values[law.next[j]];
    weights[j] = law.probability[j] * loss.at(target - v).left_slope;
    sum += weights[j];
  }
  for (double& w : weights) w /= sum;
}

/// I - γ P_w at `values`, whose backup is `backed_up`.
template <class L>
SparseMatrix newton_matrix(const L& loss, const ChosenRows& chosen, double gamma,
                           std::span<const double> values, std::span<const double> backed_up) {
  const auto states = static_cast<Eigen::Index>(values.size());
  SparseMatrix matrix(states, states);
  Eigen::Index entries = states;
  for (const std::size_t row : chosen.rows) {
    if (row != no_row) entries += static_cast<Eigen::Index>(chosen.outcomes.row(row).next.size());
  }
  matrix.reserve(entries);

  std::vector<double> weights;
  for (Eigen::Index x = 0; x < states; ++x) {
    matrix.startVec(x);
    bool diagonal_set = false;
    Eigen::Index last = -1;
    const auto add = [&](Eigen::Index column, double value) {
      if (column == last) {
        matrix.valuePtr()[matrix.data().size() - 1] += value;
      } else {
        matrix.insertBack(x, column) = value;
        last = column;
      }
    };
    const std::size_t row = chosen.rows[static_cast<std::size_t>(x)];
    if (row != no_row) {
      const Outcomes::Row law = chosen.outcomes.row(row);
      tilt(loss, law, values, gamma, backed_up[static_cast<std::size_t>(x)], weights);
      for (std::size_t j = 0; j < law.next.size(); ++j) {
        const auto next = static_cast<Eigen::Index>(law.next[j]);
        if (!diagonal_set && next >= x) {
          add(x, 1.0);
          diagonal_set = true;
        }
        add(next, -gamma * weights[j]);
      }
    }
    if (!diagonal_set) add(x, 1.0);
  }
  matrix.finalize();
  return matrix;
}

/// Chains that mix slowly have few successors, and their incomplete factorisation is cheap and
/// nearly exact; with many successors the unpreconditioned iteration converges fast.
Vector newton_step(const SparseMatrix& matrix, const Vector& right_side) {
  const auto solve_with = [&](auto solver) -> Vector {
    solver.setTolerance(krylov_tolerance);
    solver.setMaxIterations(krylov_iterations);
    solver.compute(matrix);
    return solver.solve(right_side);
  };
  const bool sparse = matrix.nonZeros() <= 16 * matrix.rows();
  if (sparse) return solve_with(Eigen::BiCGSTAB<SparseMatrix, IncompleteLu>());
  return solve_with(Eigen::BiCGSTAB<SparseMatrix>());
}

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
            const AnyLoss& loss) {
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
    const SparseMatrix matrix = std::visit(
        [&](const auto& l) {
          return newton_matrix(l, chosen, bellman.gamma(), run.values, run.backed_up);
        },
        loss.variant());
    const Vector step = newton_step(matrix, swept - start);

    // The inverse of I - γ P_w has sup norm 1 / (1-γ): a longer step does not solve the system.
    const bool solved = step.allFinite() && step.lpNorm<Eigen::Infinity>() <=
                                                2.0 * residual_before / (1.0 - bellman.gamma());
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
