#include "dp/policy_evaluation.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "parallel/partition.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/risk/compensated_sum.hpp"

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
  const auto finished_after_sweep = [&] {
    return run.finished(bellman.apply_policy(run.values, run.backed_up, chosen.rows));
  };

  // Of an average, the system of a policy with two closed classes has no solution to trust.
  StepRule rule(bellman.gamma() < 1.0 && (is_convex(loss) || is_concave(loss)));
  bool finished = finished_after_sweep();
  while (!finished) {
    const Vector start = values;
    const Vector swept = backed_up;
    const double residual_before = run.residual();
    Vector step;
    bellman.run([&] {
      step = solver.step(chosen, run.values, run.backed_up, TangentSolver::Goal::of(run, end),
                         run.watch());
    });

    // The inverse of I - γ P_w has sup norm 1 / (1-γ): a longer step does not solve the system.
    const double longest =
        bellman.gamma() < 1.0 ? 2.0 * residual_before / (1.0 - bellman.gamma()) : infinity;
    const bool solved = bellman.partition().communicator().all(
        step.allFinite() && (step.array().abs() <= longest).all());
    bool accepted = false;
    for (double t = 1.0; solved && t >= shortest_step && !accepted && !finished; t /= 2) {
      values = start + t * step;
      finished = finished_after_sweep();
      accepted = rule.accepts(t, run.residual(), residual_before);
    }
    if (!accepted && !finished) {
      values = bellman.gamma() < 1.0 ? swept : start + average_damping * (swept - start);
      finished = finished_after_sweep();
    }
  }
}

namespace {

constexpr std::uint32_t no_successor = std::numeric_limits<std::uint32_t>::max();

enum class Mark : std::uint8_t { unseen, on_path, solved };

/// What an equation needs besides the value of its successor.
struct Link {
  std::uint32_t next = no_successor;
  double factor = 0.0;  // γ w
  double b = 0.0;
};

/// A solution along the way: d(x), and of an average the mean of b over the cycle that follows.
struct Solved {
  double d = 0.0;
  double mean = 0.0;
};

/// The equations of all states, in order.
std::vector<Link> links_of(const Tangent& tangent, const Eigen::VectorXd& b) {
  const Partition& partition = tangent.partition();
  std::vector<Link> own(tangent.states());
  for (std::size_t x = 0; x < own.size(); ++x) {
    const PackedRows::Row row = tangent.rows().row(x);
    own[x].b = b[static_cast<Eigen::Index>(x)];
    if (row.next.empty()) continue;
    own[x].next = partition.state_of(row.next[0]);
    own[x].factor = tangent.gamma() * row.weight(0);
  }
  return partition.gather<Link>(own);
}

/// At the first state of the cycle that leads back to it.
Solved solve_cycle(const std::vector<Link>& links, std::uint32_t first, bool is_average) {
  double sum = 0.0;
  double factor = 1.0;
  double length = 0.0;
  std::uint32_t x = first;
  do {
    sum += factor * links[x].b;
    if (!is_average) factor *= links[x].factor;
    length += 1.0;
    x = links[x].next;
  } while (x != first);
  return is_average ? Solved{0.0, sum / length} : Solved{sum / (1.0 - factor), 0.0};
}

}  // namespace

void solve_single_successors(const Tangent& tangent, Eigen::VectorXd& r, Eigen::VectorXd& d) {
  const std::vector<Link> links = links_of(tangent, r);
  std::vector<Solved> solved(links.size());
  std::vector<Mark> marks(links.size(), Mark::unseen);
  std::vector<std::uint32_t> path;
  for (std::size_t start = 0; start < links.size(); ++start) {
    auto x = static_cast<std::uint32_t>(start);
    while (x != no_successor && marks[x] == Mark::unseen) {
      marks[x] = Mark::on_path;
      path.push_back(x);
      x = links[x].next;
    }
    if (x != no_successor && marks[x] == Mark::on_path) {
      solved[x] = solve_cycle(links, x, tangent.gamma() == 1.0);
      marks[x] = Mark::solved;
    }
    for (; !path.empty(); path.pop_back()) {
      const std::uint32_t y = path.back();
      if (marks[y] == Mark::solved) continue;
      const Link& link = links[y];
      const Solved after = link.next == no_successor ? Solved{} : solved[link.next];
      solved[y] = {(link.b - after.mean) + link.factor * after.d, after.mean};
      marks[y] = Mark::solved;
    }
  }
  double lowest = infinity;
  for (const Solved& s : solved) lowest = std::min(lowest, s.mean);
  const auto far = static_cast<double>(solved.size());
  d.resize(r.size());
  const Solved* const own = solved.data() + tangent.partition().first();
  for (Eigen::Index x = 0; x < r.size(); ++x) {
    d[x] = own[x].d + far * (own[x].mean - lowest);
    r[x] = own[x].mean;
  }
}

namespace {

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

}  // namespace

void EvaluationAccuracy::update(double error, double total) {
  const bool lower = total < last_total_ - negligible * std::abs(total);
  last_total_ = total;
  if (error <= 0.9 * smallest_error_) {
    smallest_error_ = error;
    return;
  }
  if (!lower) relative_ = std::max(0.01 * relative_, tightest);
  failures_ = lower ? 0 : failures_ + 1;
}

void PolicyEvaluation::evaluate(Iteration& run, std::span<const std::size_t> rows) {
  note_last(run);
  if (accuracy_.is_exhausted()) {
    evaluated_ = false;
    run.advance(run.bound());
    if (++rested_ < rest_) return;
    accuracy_ = EvaluationAccuracy();
    rested_ = 0;
    rest_ *= 2;
    return;
  }
  replace_values(run, rows, infinity);
}

double PolicyEvaluation::attempt(Iteration& run, std::span<const std::size_t> rows,
                                 double most_cost) {
  note_last(run);
  if (accuracy_.is_exhausted()) accuracy_ = EvaluationAccuracy();
  return replace_values(run, rows, most_cost);
}

void PolicyEvaluation::note_last(const Iteration& run) {
  if (!evaluated_) return;
  constexpr std::size_t states_per_task = 16384;
  const auto total = bellman_.partition().reduce(
      states_per_task, CompensatedSum(),
      [&](std::size_t first, std::size_t last) {
        CompensatedSum sum;
        for (std::size_t x = first; x < last; ++x) sum.add(run.values[x]);
        return sum;
      },
      [](CompensatedSum& a, const CompensatedSum& b) { a.add(b.value()); });
  accuracy_.update(run.removable(), total.value());
}

double PolicyEvaluation::replace_values(Iteration& run, std::span<const std::size_t> rows,
                                        double most_cost) {
  run.advance(run.bound());
  const double cost_before = solver_.cost();
  const auto cost_of = [&](double sweeps) {
    return solver_.cost() - cost_before + solver_.sweep_cost() * sweeps;
  };
  const Monitor within_cost = [&, ask = run.watch().for_part()](const Progress& progress) {
    if (cost_of(static_cast<double>(progress.done)) > most_cost) return Request::stop;
    return ask ? ask(progress) : Request::proceed;
  };
  const SolverOptions options{.tolerance = accuracy_.relative_to_bound() * run.removable(),
                              .max_iterations = 1000,
                              .start = run.values};
  Iteration inner(bellman_, options, within_cost, {});
  newton(inner, bellman_, {outcomes_, rows}, loss_, solver_, End::within_tolerance);
  const bool usable = inner.removable() <= run.removable();
  inner.advance(inner.bound());
  evaluated_ = usable && bellman_.partition().communicator().all(all_finite(inner.values));
  if (evaluated_) {
    run.values.swap(inner.values);
  } else {
    accuracy_.note_failure();
  }
  return cost_of(inner.iterations());
}

}  // namespace shortfall::detail
