#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <pcg_random.hpp>
#include <span>
#include <utility>

#include "parallel/threads.hpp"
#include "shortfall/dp/evaluate.hpp"
#include "shortfall/mdp/random_streams.hpp"
#include "shortfall/mdp/stationary.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/numbers/portable_math.hpp"
#include "shortfall/theory/averager_bound.hpp"
#include "shortfall/theory/averager_fixed_point.hpp"
#include "shortfall/theory/averager_steps.hpp"
#include "shortfall/theory/conditions.hpp"
#include "shortfall/theory/fixed_point.hpp"
#include "studies/averagers.hpp"

namespace shortfall::studies {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using theory::AveragerOperator;
using theory::FixedPointStatus;

double uniform_number(pcg64& bits, double from, double to) {
  return from + (to - from) * std::ldexp(static_cast<double>(bits() >> 11), -53);
}

std::size_t uniform_count(pcg64& bits, std::size_t from, std::size_t to) {
  return from + static_cast<std::size_t>(bits() % (to - from + 1));
}

/// A step to the right from every state, round the end, and a loop in the first make it ergodic.
Chain draw_chain(pcg64& bits, std::size_t states) {
  const bool local = bits() % 2 == 0;
  Outcomes outcomes;
  for (std::size_t x = 0; x < states; ++x) {
    std::vector<std::size_t> next{(x + 1) % states};
    if (x == 0) next.push_back(0);
    for (std::size_t more = uniform_count(bits, 0, 3); more > 0; --more) {
      const std::size_t by = local ? uniform_count(bits, 0, 4) : uniform_count(bits, 0, states - 1);
      next.push_back(local ? std::clamp<std::size_t>(x + by, 2, states + 1) - 2 : by);
    }
    const double of_state = uniform_number(bits, -1.0, 1.0);
    double sum = 0.0;
    const std::size_t begin = outcomes.size();
    for (const std::size_t y : next) {
      outcomes.probability.push_back(uniform_number(bits, 0.05, 1.0));
      outcomes.cost.push_back(of_state + uniform_number(bits, -0.5, 0.5));
      outcomes.next.push_back(static_cast<StateIndex>(y));
      sum += outcomes.probability.back();
    }
    for (std::size_t o = begin; o < outcomes.size(); ++o) outcomes.probability[o] /= sum;
    outcomes.row_begin.push_back(outcomes.size());
  }
  outcomes.sort_rows();
  return Chain(std::move(outcomes));
}

/// The weight of cell i at a point of [0, 1], before a row is divided by its sum.
double weight_at(std::string_view features, double point, Index i, Index cells, double width,
                 pcg64& bits) {
  const double grid = point * static_cast<double>(cells - 1);
  const double distance = std::abs(grid - static_cast<double>(i));
  if (features == "hats") return std::max(0.0, 1.0 - distance);
  if (features == "radial") return portable::exp(-0.5 * distance * distance / (width * width));
  if (features == "stochastic") return -portable::log1p(-uniform_number(bits, 0.0, 1.0));
  const auto group = static_cast<Index>(point * static_cast<double>(cells));
  return std::min(group, cells - 1) == i ? 1.0 : 0.0;
}

MatrixXd draw_features(pcg64& bits, std::string_view features, Index states) {
  const auto cells =
      static_cast<Index>(uniform_count(bits, 2, std::min<std::size_t>(5, std::size_t(states) / 2)));
  const double width = uniform_number(bits, 0.4, 1.2);  // in distances of the grid
  MatrixXd phi(states, cells);
  for (Index x = 0; x < states; ++x) {
    const double point = static_cast<double>(x) / static_cast<double>(states - 1);
    for (Index i = 0; i < cells; ++i) {
      phi(x, i) = weight_at(features, point, i, cells, width, bits);
    }
    phi.row(x) /= phi.row(x).sum();
  }
  return phi;
}

constexpr std::size_t setting_count = averager_losses.size() * averager_discounts.size();

/// Relative to the largest cost over 1-γ, which bounds every value.
constexpr double relative_tolerance = 1e-9;
constexpr double most_cost = 1.5;

enum class TdEnd { settles, leaves, undecided };

/// One model with one loss and discount.
struct ModelEnd {
  bool averager_settles = false;
  int iterations = 0;
  TdEnd td = TdEnd::undecided;
  double averager_error = infinity;
  double td_error = infinity;
  double averager_largest = infinity;
  double td_largest = infinity;
  double by_bound = 0.0;
  double by_oscillation = 0.0;
  bool violates_bound = false;
  std::size_t recursion_violations = 0;
  std::size_t recursion_steps = 0;
  double td_difference = infinity;
};

double deviation_of(const VectorXd& values, std::span<const double> q) {
  const Eigen::Map<const VectorXd> law(q.data(), values.size());
  const double mean = law.dot(values);
  return theory::q_norm((values.array() - mean).matrix(), q);
}

/// The mean field's ODE from 0 leads to a root; it attracts if all eigenvalues have negative real
/// parts.
TdEnd end_of_td(const theory::MeanField& field, double tolerance, VectorXd& theta) {
  const theory::FixedPoint found =
      theory::projected_fixed_point(field, {.tolerance = tolerance, .max_iterations = 2000});
  theta = found.theta;
  if (found.status == FixedPointStatus::diverged) return TdEnd::leaves;
  if (found.status == FixedPointStatus::not_isolated) return TdEnd::leaves;
  if (found.status == FixedPointStatus::iteration_limit) return TdEnd::undecided;
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(field.jacobian(theta), false);
  return solver.eigenvalues().real().maxCoeff() < 0.0 ? TdEnd::settles : TdEnd::leaves;
}

/// Steps θ ← θ + η h(θ) from the far corner of the box. For η m_i L ≤ 1, L the largest slope that
/// errors within the box meet, h_i(θ) - h_i(θ*) = m_i ξ (γ w φ'ᵀΔ - Δ_i) with slopes ξ and laws w,
/// so that the distance from θ* falls by 1 - η (1-γ) ξ min m_i or more.
void check_recursion(const AveragerOperator& averager, const theory::AveragerFixedPoint& found,
                     ModelEnd& end) {
  constexpr int steps = 10;
  const auto [lower, upper] = averager.loss().slope_bounds();
  const VectorXd zero = VectorXd::Zero(averager.dimension());
  const theory::AveragerBox box = theory::averager_box(averager, zero);
  const double reach = box.high - box.low;
  const double steepest = upper < infinity ? upper : averager.loss().at(reach).left_slope;
  const double visits = averager.visits().maxCoeff();
  if (!(steepest < infinity)) return;
  const double eta = 1.0 / (steepest * visits);
  const double factor =
      1.0 - eta * lower * averager.visits().minCoeff() * (1.0 - averager.modulus());
  VectorXd theta = VectorXd::Constant(averager.dimension(), box.high);
  double distance = (theta - found.theta).cwiseAbs().maxCoeff();
  for (int n = 0; n < steps; ++n) {
    theta += eta * averager.drift(theta);
    const double next = (theta - found.theta).cwiseAbs().maxCoeff();
    // Both distances are from a point within error_bound of θ*, and steps round.
    const double slack = 2.0 * found.error_bound + 1e-12 * reach;
    if (!(next <= factor * distance + slack)) ++end.recursion_violations;
    ++end.recursion_steps;
    distance = next;
  }
}

ModelEnd compute_end(const AveragerProblem& problem, const AnyLoss& loss, double gamma) {
  ModelEnd end;
  const double tolerance = relative_tolerance * most_cost / (1.0 - gamma);
  const AveragerOperator averager(problem.chain, loss, gamma, problem.phi, problem.q);
  const theory::AveragerFixedPoint found =
      theory::averager_fixed_point(averager, {.tolerance = tolerance});
  end.averager_settles = found.status == FixedPointStatus::converged;
  end.iterations = found.iterations;
  const Solution solution =
      evaluate_by_newton(problem.chain, {loss, gamma}, {.tolerance = tolerance}, {.threads = 1});
  const Eigen::Map<const VectorXd> value(solution.values.data(),
                                         static_cast<Eigen::Index>(solution.values.size()));
  const double scale = deviation_of(value, problem.q);
  const VectorXd limit = problem.phi * found.theta;
  end.averager_error = theory::q_norm(limit - value, problem.q) / scale;
  const double largest = theory::averager_error(averager, found.theta, value);
  end.averager_largest = largest / scale;
  const theory::AveragerBound bound = theory::averager_bound(averager, value);
  // The bound is of the exact value and fixed point; (1) and the left-hand side move by this much.
  const double slack =
      found.error_bound + (2.0 / (1.0 - averager.modulus()) + 2.0) * solution.error_bound;
  end.violates_bound =
      !(largest <= bound.bound + slack) || !(bound.bound <= bound.oscillation_bound * (1.0 + 1e-9));
  end.by_bound = largest / (bound.bound + slack);
  end.by_oscillation = largest / (bound.oscillation_bound + slack);
  check_recursion(averager, found, end);
  VectorXd td(problem.phi.cols());
  const theory::MeanField field(problem.chain, loss, gamma, problem.phi, problem.q);
  end.td = end_of_td(field, tolerance, td);
  if (end.td == TdEnd::settles) {
    const VectorXd of_td = problem.phi * td;
    end.td_error = theory::q_norm(of_td - value, problem.q) / scale;
    end.td_largest = (of_td - value).cwiseAbs().maxCoeff() / scale;
    end.td_difference = (of_td - limit).cwiseAbs().maxCoeff() / scale;
  }
  return end;
}

double middle_value(std::vector<double> values) {
  if (values.empty()) return infinity;
  std::ranges::sort(values);
  return 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
}

/// The entries of those models that `takes` accepts.
template <class Takes>
double median_of(std::span<const ModelEnd> ends, double ModelEnd::*entry, const Takes& takes) {
  std::vector<double> values;
  for (const ModelEnd& end : ends) {
    if (takes(end)) values.push_back(end.*entry);
  }
  return middle_value(std::move(values));
}

void add_ends(std::span<const ModelEnd> ends, AveragerModelsRow& row) {
  const auto both = [](const ModelEnd& end) { return end.td == TdEnd::settles; };
  const auto rest = [](const ModelEnd& end) { return end.td != TdEnd::settles; };
  const auto all = [](const ModelEnd&) { return true; };
  for (const ModelEnd& end : ends) {
    row.averager_settles += end.averager_settles ? 1U : 0U;
    row.most_iterations = std::max(row.most_iterations, end.iterations);
    row.td_settles += both(end) ? 1U : 0U;
    row.td_undecided += end.td == TdEnd::undecided ? 1U : 0U;
    row.averager_closer += both(end) && end.averager_error < end.td_error ? 1U : 0U;
    row.bound_violations += end.violates_bound ? 1U : 0U;
    row.largest_error_by_bound = std::max(row.largest_error_by_bound, end.by_bound);
    row.recursion_violations += end.recursion_violations;
    row.recursion_steps += end.recursion_steps;
    if (both(end))
      row.largest_td_difference = std::max(row.largest_td_difference, end.td_difference);
  }
  row.averager_error = median_of(ends, &ModelEnd::averager_error, both);
  row.td_error = median_of(ends, &ModelEnd::td_error, both);
  row.averager_largest_error = median_of(ends, &ModelEnd::averager_largest, both);
  row.td_largest_error = median_of(ends, &ModelEnd::td_largest, both);
  row.averager_error_elsewhere = median_of(ends, &ModelEnd::averager_error, rest);
  row.error_by_bound = median_of(ends, &ModelEnd::by_bound, all);
  row.error_by_oscillation_bound = median_of(ends, &ModelEnd::by_oscillation, all);
}

}  // namespace

AveragerProblem averager_problem(std::string_view features, std::uint64_t seed,
                                 std::uint64_t model) {
  pcg64 bits = stream_generator(seed, model);
  const std::size_t states = uniform_count(bits, 6, 14);
  Chain chain = draw_chain(bits, states);
  std::vector<double> q = stationary_law(chain).probability;
  MatrixXd phi = draw_features(bits, features, static_cast<Index>(states));
  return {std::move(chain), std::move(q), std::move(phi)};
}

std::size_t averager_model_count(Scale scale) {
  return scale == Scale::full ? 10'000 : 20;
}

std::vector<AveragerModelsRow> averager_models(std::string_view features, std::size_t count,
                                               const StudyOptions& options,
                                               const OnProgress& on_progress) {
  std::vector<AnyLoss> losses;
  for (const std::string_view spec : averager_losses) losses.push_back(AnyLoss::parse(spec));
  std::vector<std::vector<ModelEnd>> ends(setting_count, std::vector<ModelEnd>(count));
  std::atomic<std::size_t> done = 0;
  detail::Workers(options.threads).run([&] {
    detail::parallel_for_blocks(count, 8, [&](std::size_t first, std::size_t last) {
      for (std::size_t model = first; model < last; ++model) {
        const AveragerProblem problem = averager_problem(features, options.seed, model);
        for (std::size_t s = 0; s < setting_count; ++s) {
          ends[s][model] = compute_end(problem, losses[s / averager_discounts.size()],
                                       averager_discounts[s % averager_discounts.size()]);
        }
        on_progress(static_cast<double>(++done) / static_cast<double>(count));
      }
    });
  });
  std::vector<AveragerModelsRow> rows;
  for (std::size_t s = 0; s < setting_count; ++s) {
    const AnyLoss& loss = losses[s / averager_discounts.size()];
    const double gamma = averager_discounts[s % averager_discounts.size()];
    rows.push_back({.features = std::string(features),
                    .loss = loss.to_string(),
                    .gamma = gamma,
                    .models = count,
                    .td_condition = gamma < theory::sharp_gamma_limit(loss.slope_bounds())});
    add_ends(ends[s], rows.back());
  }
  return rows;
}

}  // namespace shortfall::studies
