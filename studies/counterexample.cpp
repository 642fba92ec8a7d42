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
#include "studies/verdict_rules.hpp"

namespace shortfall::studies {
namespace {

using library::DeltaRoot;

constexpr std::array<double, 4> probabilities = {0.85, 0.9, 0.95, 0.99};
constexpr std::size_t paths_shown = 5;
constexpr double nudge = 1e-3;  ///< change of γ to both sides

std::vector<std::uint64_t> record_at(Scale scale) {
  return learn::log_spaced(100, scale == Scale::full ? 1'000'000 : 100'000, 8);
}

Json drift_rows(const CounterexampleChain& chain) {
  Json rows = Json::array();
  for (int i = -10; i <= 20; ++i) {
    Json row = chain.keys();
    row["theta"] = i / 10.0;
    row["drift"] = chain.drift(i / 10.0);
    rows.push_back(std::move(row));
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

Json condition_row(const CounterexampleChain& chain, Scale scale) {
  const double gamma = chain.example.gamma;
  const auto conditions = theory::check_conditions(chain.example.loss, gamma);
  Json row = chain.keys();
  row["gamma"] = gamma;
  row["gamma_limit"] = conditions.gamma_limit;
  row["sharp_gamma_limit"] = conditions.sharp_gamma_limit;
  row["distortion_gamma_limit"] = theory::distortion_gamma_limit(chain.chain, conditions.slopes);
  row["largest_value"] = largest_value(chain);
  row["drift_at_smaller_gamma"] = chain.drift(1.0, gamma - nudge);
  row["drift_at_larger_gamma"] = chain.drift(1.0, gamma + nudge);
  row["expected_theta"] = chain.expected_iterates(record_at(scale)).back();
  row["expected_theta_half_steps"] = chain.expected_iterates(record_at(scale), 0.5).back();
  return row;
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
      {.replications = paths,
       .seed = options.seed,
       .threads = options.threads,
       .record_at = record_at(options.scale),
       .on_replication = [&](std::size_t finished) {
         on_progress(static_cast<double>(finished) / static_cast<double>(paths));
       }});
}

Json path_rows(const CounterexampleChain& chain, const learn::Replications& found) {
  Json rows = Json::array();
  for (std::size_t path = 0; path < paths_shown; ++path) {
    for (std::size_t k = 0; k < found.records.size(); ++k) {
      Json row = chain.keys();
      row["path"] = path + 1;
      row["iteration"] = found.records[k].iteration;
      row["theta"] = number_or_null(found.runs[path].first_component[k]);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

Json summary_rows(const CounterexampleChain& chain, const learn::Replications& found, Scale scale) {
  const std::vector<double> expected = chain.expected_iterates(record_at(scale));
  Json rows = Json::array();
  for (std::size_t k = 0; k < found.records.size(); ++k) {
    const learn::Summary& theta = found.records[k].first_component;
    Json row = chain.keys();
    row["iteration"] = found.records[k].iteration;
    row["mean_theta"] = number_or_null(theta.mean);
    row["standard_error"] = number_or_null(theta.standard_error);
    row["drift_sign"] = sign_of_drift(chain.drift(1.0));
    row["expected_theta"] = expected[k];
    rows.push_back(std::move(row));
  }
  return rows;
}

Json compute(const CounterexampleChain& chain, const StudyOptions& options,
             const OnProgress& on_progress) {
  const learn::Replications found = paths_of(chain, options, on_progress);
  return {{"drift", drift_rows(chain)},
          {"paths", path_rows(chain, found)},
          {"paths_summary", summary_rows(chain, found, options.scale)},
          {"conditions", Json::array({condition_row(chain, options.scale)})}};
}

Results conclude(const std::vector<Json>& parts) {
  Json tables;
  for (const Json& part : parts) {
    for (const auto& [name, rows] : part.items()) {
      std::ranges::copy(rows, std::back_inserter(tables[name]));
    }
  }
  return {.findings = counterexample_findings(tables), .tables = tables};
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
