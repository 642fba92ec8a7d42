#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/learn/runner.hpp"
#include "shortfall/learn/td.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "shortfall/theory/conditions.hpp"
#include "shortfall/theory/distortion.hpp"
#include "studies/counterexample_chain.hpp"
#include "studies/counterexample_findings.hpp"
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
  const Solution solution = evaluate_by_newton(
      chain.chain, {chain.example.loss, chain.example.gamma}, {.threads = 1, .start = {1.0, -2.0}});
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
  return run_replications(td, learn::Simulation{sampler, phi, learn::StartLaw(chain.q)},
                          {.phi = phi, .q = chain.q},
                          {.replications = paths,
                           .seed = options.seed,
                           .threads = options.threads,
                           .record_at = record_at(options.scale),
                           .monitor = monitor_of(on_progress)});
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
  CounterexampleTables all;
  for (const CounterexampleTables& part : parts) {
    std::ranges::copy(part.drift, std::back_inserter(all.drift));
    std::ranges::copy(part.paths, std::back_inserter(all.paths));
    std::ranges::copy(part.paths_summary, std::back_inserter(all.paths_summary));
    std::ranges::copy(part.conditions, std::back_inserter(all.conditions));
  }
  return {.findings = counterexample_findings(all), .tables = all};
}

}  // namespace

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
