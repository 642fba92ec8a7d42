#include "studies/counterexample.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/learn/runner.hpp"
#include "shortfall/learn/td.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "shortfall/mdp/stationary.hpp"
#include "shortfall/theory/conditions.hpp"
#include "shortfall/theory/distortion.hpp"
#include "shortfall/theory/mean_field.hpp"
#include "studies/study.hpp"

namespace shortfall::studies {
namespace {

using library::DeltaRoot;

constexpr std::array<double, 4> probabilities = {0.85, 0.9, 0.95, 0.99};
constexpr std::size_t paths_shown = 5;
constexpr double nudge = 1e-3;  ///< change of γ to both sides

std::vector<std::uint64_t> record_at(Scale scale) {
  return learn::log_spaced(100, scale == Scale::full ? 1'000'000 : 100'000, 8);
}

std::vector<DriftRow> drift_rows(const CounterexampleChain& chain) {
  std::vector<DriftRow> rows;
  for (int i = -10; i <= 20; ++i) {
    rows.push_back({chain.p, chain.root_name(), i / 10.0, chain.drift(i / 10.0)});
  }
  return rows;
}

/// Starts from nonzero values, so that a result of 0 comes from the solver, not from its start.
double largest_value(const CounterexampleChain& chain) {
  const Solution solution =
      evaluate_by_newton(chain.chain, {chain.example.loss, chain.example.gamma},
                         {.start = {1.0, -2.0}}, {.threads = 1});
  double largest = 0.0;
  for (const double value : solution.values) largest = std::max(largest, std::abs(value));
  return largest;
}

ConditionRow condition_row(const CounterexampleChain& chain, Scale scale) {
  const double gamma = chain.example.gamma;
  const auto conditions = theory::check_conditions(chain.example.loss, gamma);
  return {.p = chain.p,
          .root = chain.root_name(),
          .gamma = gamma,
          .gamma_limit = conditions.gamma_limit,
          .sharp_gamma_limit = conditions.sharp_gamma_limit,
          .distortion_gamma_limit = theory::distortion_gamma_limit(chain.chain, conditions.slopes),
          .largest_value = largest_value(chain),
          .drift_at_smaller_gamma = chain.drift(1.0, gamma - nudge),
          .drift_at_larger_gamma = chain.drift(1.0, gamma + nudge),
          .expected_theta = chain.expected_iterates(record_at(scale)).back(),
          .expected_theta_half_steps = chain.expected_iterates(record_at(scale), 0.5).back()};
}

/// Paths of TD from θ = 1 whose chain starts in its stationary law.
learn::Replications paths_of(const CounterexampleChain& chain, const StudyOptions& options,
                             const OnProgress& on_progress) {
  const std::size_t paths = options.scale == Scale::full ? 100 : 40;
  const features::Dense phi(chain.example.features);
  const ChainSampler sampler(chain.chain);
  learn::Td<Expectile> td(1, chain.example.loss, chain.example.gamma, chain.steps());
  td.start_from(std::array{1.0});
  return run_replications(
      td, learn::Simulation{sampler, phi, learn::StartLaw(chain.q)}, {.phi = phi, .q = chain.q},
      {.replications = paths, .seed = options.seed, .record_at = record_at(options.scale)},
      {.threads = options.threads, .monitor = monitor_of(on_progress)});
}

std::vector<PathRow> path_rows(const CounterexampleChain& chain, const learn::Replications& found) {
  std::vector<PathRow> rows;
  for (std::size_t path = 0; path < paths_shown; ++path) {
    for (std::size_t k = 0; k < found.records.size(); ++k) {
      rows.push_back({chain.p, chain.root_name(), path + 1, found.records[k].iteration,
                      found.runs[path].first_component[k]});
    }
  }
  return rows;
}

std::vector<PathSummaryRow> summary_rows(const CounterexampleChain& chain,
                                         const learn::Replications& found, Scale scale) {
  const std::vector<double> expected = chain.expected_iterates(record_at(scale));
  std::vector<PathSummaryRow> rows;
  for (std::size_t k = 0; k < found.records.size(); ++k) {
    const learn::Summary& theta = found.records[k].first_component;
    rows.push_back({chain.p, chain.root_name(), found.records[k].iteration, theta.mean,
                    theta.standard_error, sign_of_drift(chain.drift(1.0)), expected[k]});
  }
  return rows;
}

CounterexampleTables compute(const CounterexampleChain& chain, const StudyOptions& options,
                             const OnProgress& on_progress) {
  const learn::Replications found = paths_of(chain, options, on_progress);
  return {.drift = drift_rows(chain),
          .paths = path_rows(chain, found),
          .paths_summary = summary_rows(chain, found, options.scale),
          .conditions = {condition_row(chain, options.scale)}};
}

Results conclude(const std::vector<CounterexampleTables>& parts) {
  const CounterexampleTables all = joined(parts);
  return {.findings = counterexample_findings(all), .tables = all};
}

template <class Row>
std::string place_of(const Row& row) {
  return fmt::format("p {}, {} root", row.p, row.root);
}

/// The drift is zero at every θ ≥ 0.
Finding drift_vanishes(const CounterexampleTables& tables) {
  double largest = 0.0;
  std::size_t points = 0;
  for (const DriftRow& row : tables.drift) {
    if (row.p != critical_probability || row.theta < 0.0) continue;
    largest = std::max(largest, std::abs(row.drift));
    ++points;
  }
  return {.claim = "At p = 9/10 every theta >= 0 is an equilibrium of the mean-field ODE",
          .published = "drift 0",
          .found = fmt::format("largest drift at {} points, both roots: {:.1e}", points, largest),
          .verdict = verdict_of(points > 0 && largest <= drift_rounding)};
}

Finding drift_has_sign(const CounterexampleTables& tables, int sign) {
  bool holds = true;
  std::vector<std::string> slopes;
  for (const DriftRow& row : tables.drift) {
    const double p = row.p;
    const double theta = row.theta;
    if (theta <= 0.0 || (sign > 0 ? p <= critical_probability : p >= critical_probability))
      continue;
    const double drift = row.drift;
    holds = holds && sign_of_drift(drift) == sign;
    if (theta == 1.0) slopes.push_back(fmt::format("{}: {:.2e}", place_of(row), drift));
  }
  return {.claim = sign > 0
                       ? "For p in (9/10, 1) the drift is positive for every theta > 0: away "
                         "from the value"
                       : "For p below 9/10 the drift is negative for every theta > 0: towards the "
                         "value",
          .published = sign > 0 ? "positive" : "",
          .found = fmt::format("drift at theta = 1: {}", fmt::join(slopes, ", ")),
          .verdict = verdict_of(holds && !slopes.empty()),
          .origin = sign > 0 ? Origin::paper : Origin::ours};
}

Finding value_is_representable(const CounterexampleTables& tables) {
  double largest = 0.0, at_zero = 0.0;
  for (const ConditionRow& row : tables.conditions) {
    largest = std::max(largest, row.largest_value);
  }
  for (const DriftRow& row : tables.drift) {
    if (row.theta == 0.0) at_zero = std::max(at_zero, std::abs(row.drift));
  }
  return {
      .claim = "The value is 0, and the feature represents it with theta = 0, where the drift is 0",
      .published = "0",
      .found = fmt::format("largest value {:.2g}, largest drift at 0 {:.2g}", largest, at_zero),
      .verdict = verdict_of(largest <= 1e-6 && at_zero <= drift_rounding)};
}

Finding conditions_are_in_order(const CounterexampleTables& tables) {
  bool holds = false;
  std::string found;
  for (const ConditionRow& row : tables.conditions) {
    if (row.p != critical_probability) continue;
    const double limit = row.gamma_limit;
    const double distortion = row.distortion_gamma_limit;
    const double below = row.drift_at_smaller_gamma;
    const double above = row.drift_at_larger_gamma;
    const bool here = std::abs(limit - 0.1) <= drift_rounding &&
                      std::abs(distortion - std::sqrt(19.0) / 10.0) <= drift_rounding &&
                      limit < distortion && distortion < critical_probability &&
                      sign_of_drift(below) < 0 && sign_of_drift(above) > 0;
    holds = found.empty() ? here : holds && here;
    found = fmt::format(
        "{:.4f} < {:.4f} < 0.9 (sqrt(19)/10 = {:.4f}); the weaker slope condition "
        "allows {:.4f}; drift at theta = 1 for gamma a little below and above 0.9: {:.1e}, {:.1e}",
        limit, distortion, std::sqrt(19.0) / 10.0, row.sharp_gamma_limit, below, above);
  }
  return {.claim =
              "At p = 9/10 the condition requires gamma < 1/10, the distortion coefficient "
              "gamma < sqrt(19)/10, and the true threshold is 9/10",
          .published = "1/10 < sqrt(19)/10 < 9/10",
          .found = found,
          .verdict = verdict_of(holds)};
}

/// The last row of each chain.
std::vector<PathSummaryRow> ends_of(const std::vector<PathSummaryRow>& summary) {
  std::vector<PathSummaryRow> ends;
  for (const PathSummaryRow& row : summary) {
    const bool is_next = !ends.empty() && ends.back().p == row.p && ends.back().root == row.root;
    if (is_next) {
      ends.back() = row;
    } else {
      ends.push_back(row);
    }
  }
  return ends;
}

std::string mean_text(const PathSummaryRow& end) {
  return fmt::format("{}: {:.3f} ({:.3f})", place_of(end), end.mean_theta, end.standard_error);
}

/// Significant if beyond three standard errors of the final mean over all paths.
Finding iterates_follow_the_drift(const CounterexampleTables& tables) {
  std::vector<Verdict> verdicts;
  std::vector<std::string> texts;
  for (const PathSummaryRow& end : ends_of(tables.paths_summary)) {
    const int sign = end.drift_sign;
    if (sign == 0) continue;
    const double moved = end.mean_theta - 1.0;
    const bool is_significant = std::abs(moved) > 3.0 * end.standard_error;
    verdicts.push_back(is_significant ? verdict_of(moved * sign > 0.0) : Verdict::open);
    texts.push_back(mean_text(end));
  }
  return {.claim =
              "Iterates of TD from theta = 1 move away from 0 on average for p > 9/10, and towards "
              "0 for p < 9/10",
          .published = "away for p > 9/10",
          .found = fmt::format("final mean theta (standard error): {}", fmt::join(texts, ", ")),
          .verdict = verdicts.empty() ? Verdict::open : all_of(verdicts)};
}

/// A first-order effect would halve with the steps, a second-order effect falls to a quarter.
Finding no_drift_at_the_critical_probability(const CounterexampleTables& tables) {
  bool holds = true;
  std::vector<std::string> texts;
  for (const ConditionRow& row : tables.conditions) {
    if (row.p != critical_probability) continue;
    const double whole = row.expected_theta - 1.0;
    const double half = row.expected_theta_half_steps - 1.0;
    holds =
        holds && std::abs(whole) > 3.0 * std::abs(half) && std::abs(whole) < 5.0 * std::abs(half);
    texts.push_back(
        fmt::format("{}: {:.2e}, with half the steps {:.2e}", place_of(row), whole, half));
  }
  return {.claim = "At p = 9/10 iterates of TD from theta > 0 have no expected drift",
          .published = "none",
          .found = fmt::format("exact expected final theta minus 1: {}{}", fmt::join(texts, "; "),
                               holds ? ". This is of second order in the steps, where successive "
                                       "moves are correlated; there is no first-order drift"
                                     : ""),
          .verdict = verdict_of(holds && !texts.empty())};
}

Finding means_are_as_expected(const CounterexampleTables& tables) {
  double largest = 0.0;
  const std::vector<PathSummaryRow> ends = ends_of(tables.paths_summary);
  for (const PathSummaryRow& end : ends) {
    const double apart = end.mean_theta - end.expected_theta;
    largest = std::max(largest, std::abs(apart) / end.standard_error);
  }
  return {.claim = "Means of simulated paths agree with the exact recursion for E theta_n",
          .found = fmt::format("{} chains, differences of at most {:.1f} standard errors",
                               ends.size(), largest),
          .verdict = verdict_of(!ends.empty() && largest <= 4.0),
          .origin = Origin::ours};
}

}  // namespace

int sign_of_drift(double drift) {
  return drift > drift_rounding ? 1 : drift < -drift_rounding ? -1 : 0;
}

CounterexampleChain::CounterexampleChain(double probability, DeltaRoot delta)
    : p(probability),
      root(delta),
      example(library::counterexample(probability, delta)),
      chain(under_policy(example.model, {0, 0})),
      q(stationary_law(chain).probability) {}

std::string CounterexampleChain::root_name() const {
  return root == DeltaRoot::smaller ? "smaller" : "larger";
}

double CounterexampleChain::drift(double theta, double gamma) const {
  const theory::MeanField field(chain, example.loss, gamma, example.features, q);
  return field.drift(Eigen::VectorXd::Constant(1, theta))[0];
}

learn::PolynomialStep CounterexampleChain::steps(double factor) const {
  return learn::PolynomialStep(8.0 * factor / example.features.squaredNorm(), 1000.0);
}

std::vector<double> CounterexampleChain::expected_iterates(
    const std::vector<std::uint64_t>& record_at, double factor) const {
  struct Move {
    double probability;
    double growth;  ///< a(x, x')
  };
  std::array<std::array<Move, 2>, 2> moves{};
  for (std::size_t x = 0; x < 2; ++x) {
    const Outcomes::Row law = chain.law(x);
    const double phi = example.features(static_cast<Eigen::Index>(x), 0);
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      const double error = example.gamma * example.features(law.next[i], 0) - phi;
      moves[x][law.next[i]] = {law.probability[i], phi * example.loss.at(error).value};
    }
  }
  learn::PolynomialStep step = steps(factor);
  std::array<double, 2> mean = {q[0], q[1]};
  std::vector<double> found;
  std::uint64_t n = 0;
  for (const std::uint64_t end : record_at) {
    for (; n < end; ++n) {
      const double eta = step(n);
      std::array<double, 2> next{};
      for (std::size_t x = 0; x < 2; ++x) {
        for (std::size_t y = 0; y < 2; ++y) {
          next[y] += mean[x] * moves[x][y].probability * (1.0 + eta * moves[x][y].growth);
        }
      }
      mean = next;
    }
    found.push_back(mean[0] + mean[1]);
  }
  return found;
}

std::vector<Finding> counterexample_findings(const CounterexampleTables& tables) {
  return {value_is_representable(tables),    drift_vanishes(tables),
          drift_has_sign(tables, 1),         drift_has_sign(tables, -1),
          iterates_follow_the_drift(tables), no_drift_at_the_critical_probability(tables),
          means_are_as_expected(tables),     conditions_are_in_order(tables)};
}

Study counterexample(const StudyOptions& options) {
  Study study{.name = "counterexample",
              .title = "A chain on which TD moves away from the value",
              .question =
                  "Two states, no costs, one feature that can represent the value, which is 0: "
                  "what does TD do under the expectile of level 10/11 where the condition "
                  "on gamma fails?",
              .source = "Wang and Delage, example of two states",
              .conclude = conclude};
  for (const double p : probabilities) {
    for (const DeltaRoot root : {DeltaRoot::smaller, DeltaRoot::larger}) {
      const CounterexampleChain chain(p, root);
      study.parts.push_back({.name = fmt::format("p={},root={}", p, chain.root_name()),
                             .seconds = options.scale == Scale::full ? 4.0 : 0.2,
                             .compute = [chain, options](const OnProgress& on_progress) {
                               return compute(chain, options, on_progress);
                             }});
    }
  }
  return study;
}

}  // namespace shortfall::studies
