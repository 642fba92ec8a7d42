#include "studies/model_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "errors/require.hpp"
#include "mdp/successors.hpp"
#include "parallel/watch.hpp"
#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/ergodicity.hpp"
#include "shortfall/theory/averager.hpp"
#include "shortfall/theory/conditions.hpp"
#include "studies/learner_theory.hpp"
#include "studies/learning_problem.hpp"
#include "studies/model_study_runs.hpp"

namespace shortfall::studies {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Decompositions of Φ take N d² operations, and learners copy its rows.
constexpr double most_feature_entries = 4e6;

/// Whether no state can be visited twice before the end.
bool ends_without_return(const Chain& chain) {
  if (communicating_classes(chain).count() != chain.states()) return false;
  for (std::size_t x = 0; x < chain.states(); ++x) {
    bool returns = false;
    for_each_successor(chain, x, [&](StateIndex y) { returns = returns || y == x; });
    if (returns) return false;
  }
  return chain.has_terminal_states();
}

/// V, or nothing if stopped.
std::optional<Solution> exact_value(const Chain& chain, const Criterion& criterion,
                                    const ModelStudyOptions& options, const Monitor& monitor) {
  Solution solution;
  if (criterion.gamma < 1.0) {
    const double reach = chain.outcomes().largest_cost() / (1.0 - criterion.gamma);
    solution = evaluate_by_newton(chain, criterion, {.tolerance = 1e-9 * std::max(1.0, reach)},
                                  {options.threads, monitor});
  } else {
    require(ends_without_return(chain),
            "gamma is 1, and a state can be visited twice before the end; accepted: gamma below 1, "
            "or 1 for models that pass each state at most once");
    FiniteHorizonSolution stages = evaluate_finite_horizon(
        chain, criterion, {.stages = static_cast<int>(chain.states()), .keep = KeepStages::last},
        {options.threads, monitor});
    solution = {.status = stages.status,
                .values = std::move(stages.values.back()),
                .policy = {},
                .error_bound = stages.error_bound,
                .iterations = static_cast<int>(chain.states()),
                .trace = {}};
  }
  if (solution.status == Status::stopped) return std::nullopt;
  // A bound that only rounding keeps from the tolerance is as good as converged.
  if (solution.status == Status::overflow || solution.status == Status::iteration_limit ||
      !(solution.error_bound < infinity)) {
    throw std::runtime_error(fmt::format("{} with gamma {}: no exact value: {}",
                                         criterion.loss.to_string(), criterion.gamma,
                                         solution.brief_report()));
  }
  return solution;
}

Restarts restarts_of(const Chain& chain, const ModelStudyOptions& options) {
  Restarts restarts = options.start ? restarts_at(chain, *options.start) : uniform_restarts(chain);
  restarts.probability = options.restart;
  return restarts;
}

/// Averagers take features that are nonnegative and sum to at most one.
void check_averagers(const StudiedFeatures& features, const Chain& chain,
                     const ModelStudyOptions& options) {
  for (const StudiedLearner& learner : options.learners) {
    if (!is_averager(learner.options.algorithm) || features.phi.cols() == 0) continue;
    Eigen::MatrixXd phi = features.phi;
    for (std::size_t x = 0; x < chain.states(); ++x) {
      if (chain.is_terminal(x)) phi.row(static_cast<Index>(x)).setZero();
    }
    const auto violation = theory::averager_violation(phi);
    if (!violation) continue;
    throw InvalidInput(fmt::format("{} with features {}, state {}: {}", learner.name, features.name,
                                   static_cast<std::size_t>(violation->state) + options.state_base,
                                   violation->message()));
  }
}

StudySetting setting_of(const LearningProblem& problem, const Solution& value) {
  const SlopeBounds slopes = problem.loss.slope_bounds();
  const bool has_fixed_point = problem.has_fixed_point();
  return {
      .d = static_cast<std::size_t>(problem.phi.cols()),
      .rank = static_cast<std::size_t>(problem.basis.cols()),
      .visited = problem.q.size() - static_cast<std::size_t>(std::ranges::count(problem.q, 0.0)),
      .value_norm = problem.norm(problem.value),
      .value_status = std::string(to_string(value.status)),
      .value_error_bound = value.error_bound,
      .projection_error = problem.norm(problem.target - problem.value),
      .fixed_point_distance =
          has_fixed_point ? problem.norm(problem.fixed_point_values() - problem.value) : infinity,
      .fixed_point_status = std::string(to_string(problem.fixed_point.status)),
      .fixed_point_error_bound = has_fixed_point ? problem.fixed_point.error_bound : infinity,
      .slope_min = slopes.lower,
      .slope_max = slopes.upper,
      .gamma_limit = theory::gamma_limit(slopes),
      .sharp_gamma_limit = theory::sharp_gamma_limit(slopes),
      .condition_holds = (problem.restart > 0.0 ? problem.effective_gamma : problem.gamma) <
                         theory::gamma_limit(slopes)};
}

/// `averager` has the values of the averager's fixed point, or none.
void add_values(const LearningProblem& problem, const Eigen::VectorXd& averager,
                const StudyKeys& keys, ModelStudyTables& tables) {
  const Eigen::VectorXd fixed_point =
      problem.has_fixed_point() ? problem.fixed_point_values() : Eigen::VectorXd();
  const auto entry = [](const Eigen::VectorXd& v, Index x) {
    return v.size() > 0 ? v[x] : infinity;
  };
  for (Index x = 0; x < problem.value.size(); ++x) {
    StudyValue row{.state = static_cast<std::size_t>(x),
                   .q = problem.q[static_cast<std::size_t>(x)],
                   .value = problem.value[x],
                   .projection = problem.target[x],
                   .fixed_point = entry(fixed_point, x),
                   .averager_fixed_point = entry(averager, x)};
    keys.put(row);
    tables.values.push_back(std::move(row));
  }
}

/// The parts of a study, done one after the other.
class ModelStudyRun {
 public:
  explicit ModelStudyRun(const ModelStudyOptions& options)
      : options_(options),
        monitor_(detail::keeping_stop(options.monitor)),
        total_(options.features.size() * options.gammas.size() * options.losses.size() *
               options.learners.size()) {}

  /// False if stopped.
  bool add_criterion(const Criterion& criterion) {
    const Chain chain = options_.chain_under(criterion);
    check_feature_sizes(options_.features, chain.states());
    for (const StudiedFeatures& features : options_.features) {
      check_averagers(features, chain, options_);
    }
    const auto value = exact_value(chain, criterion, options_, part_monitor());
    if (!value) return false;
    const Restarts restarts = restarts_of(chain, options_);
    const Visits visits = long_run_visits(chain, restarts, options_.state_base);
    for (const StudiedFeatures& features : options_.features) {
      const LearningProblem problem =
          learning_problem({.chain = chain,
                            .criterion = criterion,
                            .phi = features.phi.cols() > 0 ? features.phi : one_per_state(visits.q),
                            .q = visits.q,
                            .tolerance = 1e-9 * std::max(1.0, chain.outcomes().largest_cost()),
                            .restart = options_.restart,
                            .value_error_bound = value->error_bound},
                           value->values);
      const StudyKeys keys{features.name, criterion.loss.to_string(), criterion.gamma};
      tables_.settings.push_back(setting_of(problem, *value));
      keys.put(tables_.settings.back());
      Eigen::VectorXd averager;
      for (const StudiedLearner& learner : options_.learners) {
        const auto found = study_learner(problem, restarts, learner, options_, part_monitor());
        if (!found) return false;
        ++done_;
        add_runs(*found, {problem, visits, learner, options_.state_base}, keys);
        if (is_averager(learner.options.algorithm)) averager = found->limit.values;
      }
      add_values(problem, averager, keys, tables_);
    }
    return true;
  }

  ModelStudyTables take() { return std::move(tables_); }

 private:
  void add_runs(const StudiedRuns& found, const LearnerCase& given, const StudyKeys& keys) {
    const std::vector<theory::Assumption> assumptions = assumptions_of(given);
    for (const auto& [name, holds, reason] : assumptions) {
      tables_.conditions.push_back({.algorithm = given.learner.name,
                                    .assumption = std::string(name),
                                    .holds = holds,
                                    .reason = reason});
      keys.put(tables_.conditions.back());
    }
    for (StudyPoint point : found.curve) {
      keys.put(point);
      tables_.curves.push_back(std::move(point));
    }
    tables_.ends.push_back(found.end);
    tables_.ends.back().guaranteed = theory::all_hold(assumptions);
    keys.put(tables_.ends.back());
  }

  /// Reports the fraction of the study that is done.
  Monitor part_monitor() {
    if (!monitor_) return {};
    return [this](const Progress& part) {
      const double fraction =
          part.total > 0 ? static_cast<double>(part.done) / static_cast<double>(part.total) : 0.0;
      return monitor_({.activity = "learning",
                       .done = done_,
                       .total = total_,
                       .fraction = std::min(fraction, 1.0)});
    };
  }

  const ModelStudyOptions& options_;
  Monitor monitor_;
  std::uint64_t done_ = 0;
  std::uint64_t total_;
  ModelStudyTables tables_;
};

}  // namespace

void check_feature_sizes(const std::vector<StudiedFeatures>& given, std::size_t states) {
  for (const auto& [name, phi] : given) {
    const auto n = static_cast<double>(states);
    require(phi.cols() > 0 || n * n <= most_feature_entries,
            "{} with {} states; accepted: at most {} states, or fewer features, with --features "
            "FILE.csv",
            name, states, std::floor(std::sqrt(most_feature_entries)));
    if (phi.cols() == 0) continue;
    require(static_cast<std::size_t>(phi.rows()) == states,
            "{}: features of {} states; accepted: a row for each of {} states", name, phi.rows(),
            states);
    require(n * static_cast<double>(phi.cols()) <= most_feature_entries,
            "{}: {} features of {} states; accepted: at most {} numbers in all", name, phi.cols(),
            states, most_feature_entries);
  }
}

std::optional<ModelStudyTables> model_study(const ModelStudyOptions& options) {
  ModelStudyRun run(options);
  for (const double gamma : options.gammas) {
    for (const AnyLoss& loss : options.losses) {
      if (!run.add_criterion({loss, gamma})) return std::nullopt;
    }
  }
  return run.take();
}

}  // namespace shortfall::studies
