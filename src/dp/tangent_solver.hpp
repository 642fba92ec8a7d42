#pragma once

#include <Eigen/Core>
#include <array>
#include <limits>
#include <optional>

#include "dp/bicgstab.hpp"
#include "dp/incomplete_lu.hpp"
#include "dp/iteration.hpp"
#include "dp/packed_rows.hpp"
#include "parallel/watch.hpp"

namespace shortfall::detail {

/// How accurate the last step of a run is to be.
enum class End { within_tolerance, with_digits_to_spare };

/// Solves (I - γ W) d = b approximately, for γ = 1 up to a constant in b, for a tangent that
/// changes from one solve to the next. It reduces the width of the residual r = b - (I - γ W) d,
/// max - min over states: without terminal states a constant in r is solved for exactly, and the
/// two-sided bound of d depends on the width alone.
///
/// Where no state has more than one successor, it solves exactly. Otherwise it begins with sweeps
/// d ← d + r, r ← γ W r, and stays with them while they contract fast. If not, BiCGSTAB continues.
/// An incomplete factorisation without fill-in is used at once; another is tried if the progress of
/// BiCGSTAB predicts a longer time than that takes, and from then on, in later solves as well, the
/// one with the better progress is used. BiCGSTAB often begins slowly: if the factorisation did not
/// do much better than that promised, the next solve tries again without. Neither may cost more
/// than sweeps to the end of the run would, judging by their contraction so far; what they
/// leave is left to sweeps for the same cost, and then to the next step.
class TangentSolver {
 public:
  /// For the states of this operator, which must outlive the solver.
  TangentSolver(const AnyLoss& loss, const BellmanOperator& bellman);
  TangentSolver(const TangentSolver&) = delete;
  TangentSolver& operator=(const TangentSolver&) = delete;

  struct Goal {
    double width;  ///< wanted of the residual, relative to that of b
    double least;  ///< more accuracy than this is of no use, even where it costs little
    double ample;  ///< wanted once BiCGSTAB runs, since more accuracy costs it little more

    /// For the next step of a run: a thirtieth of the bound is what the next improvement needs. If
    /// less is enough to end, a third of the tolerance is left to the residual, or a hundredth of
    /// it where people read the digits of the result.
    static Goal of(const Iteration& run, End end) {
      const double needed = run.tolerance() / run.removable();
      const double least = (end == End::within_tolerance ? 0.3 : 0.01) * needed;
      return {.width = needed < 0.03 ? 0.03 : least, .least = least, .ample = 1e-3};
    }
  };

  struct SweepGoal {
    double width;
    int most;
  };

  /// Whether d ↦ TV + γ W d is the backup itself, so that sweeps of a tangent are those of the
  /// policy.
  bool is_exact() const { return is_mean_; }

  /// The step from V for the tangent at V, b = TV - V.
  const Eigen::VectorXd& step(const ChosenRows& chosen, std::span<const double> values,
                              std::span<const double> backed_up, const Goal& goal, Watch& watch);

  /// The same by sweeps alone, until the residual has the relative width of the goal or its sweeps
  /// are used up.
  const Eigen::VectorXd& sweeps(const ChosenRows& chosen, std::span<const double> values,
                                std::span<const double> backed_up, const SweepGoal& goal,
                                Watch& watch);

  /// The cost of all steps so far, in products with W.
  double cost() const { return cost_; }
  /// The cost of a sweep of the last chosen rows.
  double sweep_cost() const { return sweep_cost_; }
  /// The smallest logarithm by which a product with γ W has reduced the width of a residual.
  double slowest_rate() const { return slowest_rate_; }

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

  template <class Solve>
  const Eigen::VectorXd& scaled(const ChosenRows& chosen, std::span<const double> values,
                                std::span<const double> backed_up, const Solve& solve);
  void solve(const Goal& goal, Watch& watch);
  bool sweep_while_fast(double width, Watch& watch);
  bool run_krylov(double width, double allowance, Watch& watch);
  Progress attempt(Way way, Begin begin, double width, double allowance, Watch& watch);
  bool factorise(double most_cost);
  void sweep();
  double remove_constant();
  Extremes extremes_of_residual() const;

  Tangent tangent_;
  bool has_terminals_;
  bool is_average_;
  BiCgStab krylov_;
  IncompleteLu factors_;
  Way preferred_ = Way::plain;
  bool factors_help_ = true;  ///< until shown otherwise
  bool knows_fill_in_ = false;
  double plain_again_ =
      0.0;  ///< what BiCGSTAB alone may cost in the next solve, if it is to be tried
  bool is_mean_;
  double sweep_cost_ = 1.0;
  double length_ = 0.0;                       ///< of rows, on average
  double factors_cost_ = 0.0;                 ///< to apply them once
  std::optional<double> factorisation_cost_;  ///< of the last one
  double cost_ = 0.0;
  double sweep_rate_ = 0.0;
  double slowest_rate_ = std::numeric_limits<double>::infinity();
  Extremes extremes_{0.0, 0.0};
  Eigen::VectorXd d_;
  Eigen::VectorXd r_;  ///< its residual
  Eigen::VectorXd next_;
  Extremes saved_{0.0, 0.0};
  Eigen::VectorXd saved_d_, saved_r_;  ///< before BiCGSTAB, whose residuals may grow at first
};

}  // namespace shortfall::detail
