#pragma once

#include <Eigen/Core>
#include <array>

#include "dp/bicgstab.hpp"
#include "dp/incomplete_lu.hpp"
#include "dp/iteration.hpp"
#include "dp/tangent.hpp"
#include "watch.hpp"

namespace shortfall::detail {

/// How accurate the last step of a run is to be.
enum class End { within_tolerance, with_digits_to_spare };

/// Solves (I - γ W) d = b approximately, for a tangent that changes from one solve to the next. It
/// reduces the width of the residual r = b - (I - γ W) d, max - min over states: without
/// terminal states a constant in r is solved for exactly, and the two-sided bound of d depends on
/// the width alone.
///
/// It begins with sweeps d ← d + r, r ← γ W r, and stays with them while they contract fast. If
/// not, BiCGSTAB continues. If its progress predicts a longer time than it takes to try an
/// incomplete factorisation, that is tried, and from then on, in later solves as well, the one with
/// the better progress is used. If neither gets there at a bounded cost, sweeps do.
class TangentSolver {
 public:
  TangentSolver(const AnyLoss& loss, double gamma, bool has_terminals)
      : tangent_(loss, gamma),
        has_terminals_(has_terminals),
        krylov_(tangent_),
        allowance_(4000.0) {}
  TangentSolver(const TangentSolver&) = delete;
  TangentSolver& operator=(const TangentSolver&) = delete;

  struct Goal {
    double width;  ///< wanted of the residual, relative to that of b
    double least;  ///< more accuracy than this is of no use, even where it costs little

    /// For the next step of a run: a hundredth of the bound is what a step gains at best. If that
    /// is enough to end, a third of the tolerance is left to the residual, or a thousandth of it
    /// where people read the digits of the result.
    static Goal of(const Iteration& run, End end) {
      const double needed = run.tolerance() / run.removable();
      const double least = (end == End::within_tolerance ? 0.3 : 1e-3) * needed;
      return {.width = needed < 0.01 ? 0.01 : least, .least = least};
    }
  };

  /// The step from V for the tangent at V, b = TV - V.
  const Eigen::VectorXd& step(const ChosenRows& chosen, std::span<const double> values,
                              std::span<const double> backed_up, const Goal& goal, Watch& watch);

  /// The cost of the last step, in products with W.
  double cost() const { return cost_; }
  std::size_t entries() const { return tangent_.entries(); }

 private:
  enum class Way { plain, preconditioned };
  enum class Begin { afresh, where_it_ended };

  /// How an attempt went.
  struct Progress {
    double cost = 0.0;
    double start = 1.0;                    ///< width
    double least = 1.0;                    ///< smallest width
    double predicted(double width) const;  ///< cost to get from there to this width
  };

  void solve(const Goal& goal, Watch& watch);
  bool sweep_while_fast(double width, Watch& watch);
  bool run_krylov(double width, Watch& watch);
  Progress attempt(Way way, Begin begin, double width, double allowance, Watch& watch);
  void sweep();
  void remove_constant();

  Tangent tangent_;
  bool has_terminals_;
  BiCgStab krylov_;
  IncompleteLu factors_;
  Way preferred_ = Way::plain;
  bool factors_help_ = true;  ///< until shown otherwise
  double allowance_;          ///< for BiCGSTAB, in products
  double cost_ = 0.0;
  double sweep_rate_ = 0.0;  ///< logarithm of the contraction of a sweep
  Extremes extremes_{0.0, 0.0};
  Eigen::VectorXd d_;
  Eigen::VectorXd r_;  ///< its residual
  Eigen::VectorXd next_;
  Extremes saved_{0.0, 0.0};
  Eigen::VectorXd saved_d_, saved_r_;  ///< before BiCGSTAB, whose residuals may grow at first
};

}  // namespace shortfall::detail
