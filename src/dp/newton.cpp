#include "dp/newton.hpp"

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <utility>
#include <vector>

#include "dp/iteration.hpp"

namespace shortfall::detail {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

/// Residual reduction asked of a Krylov solve: each Newton step then gains up to four digits.
constexpr double krylov_tolerance = 1e-4;
constexpr int krylov_iterations = 500;

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

template <class Preconditioner>
Vector krylov_solve(const SparseMatrix& matrix, const Vector& right_side) {
  Eigen::BiCGSTAB<SparseMatrix, Preconditioner> solver;
  solver.setTolerance(krylov_tolerance);
  solver.setMaxIterations(krylov_iterations);
  solver.compute(matrix);
  return solver.solve(right_side);
}

/// Chains that mix slowly have few successors, and an incomplete factorisation of them is cheap and
/// nearly exact; with many successors it fills in, and the plain iteration converges fast anyway.
Vector newton_step(const SparseMatrix& matrix, const Vector& right_side) {
  const bool sparse = matrix.nonZeros() <= 16 * matrix.rows();
  return sparse ? krylov_solve<Eigen::IncompleteLUT<double>>(matrix, right_side)
                : krylov_solve<Eigen::DiagonalPreconditioner<double>>(matrix, right_side);
}

}  // namespace

Solution evaluate_rows_by_newton(const BellmanOperator& bellman, const ChosenRows& chosen,
                                 const AnyLoss& loss, const SolverOptions& options) {
  Iteration run(bellman, options);
  const auto sweep = [&] { return bellman.apply_policy(run.values, run.backed_up, chosen.rows); };
  const auto size = static_cast<Eigen::Index>(bellman.states());

  bool finished = run.finished(sweep());
  while (!finished) {
    const double error_before = run.bound().error;
    const SparseMatrix matrix = std::visit(
        [&](const auto& l) {
          return newton_matrix(l, chosen, bellman.gamma(), run.values, run.backed_up);
        },
        loss.variant());
    std::vector<double> swept = run.backed_up;
    const Vector residual = Eigen::Map<const Vector>(run.backed_up.data(), size) -
                            Eigen::Map<const Vector>(run.values.data(), size);
    Eigen::Map<Vector>(run.values.data(), size) += newton_step(matrix, residual);

    finished = run.finished(sweep());
    if (!finished && !(run.bound().error <= 0.5 * error_before)) {
      run.values.swap(swept);
      finished = run.finished(sweep());
    }
  }
  return std::move(run).solution();
}

}  // namespace shortfall::detail
