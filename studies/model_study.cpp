#include "studies/model_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "parallel/watch.hpp"
#include "require.hpp"
#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/error.hpp"
#include "shortfall/mdp/ergodicity.hpp"
#include "shortfall/theory/averager.hpp"
#include "shortfall/theory/conditions.hpp"
#include "shortfall/theory/projection.hpp"
#include "studies/learner_limit.hpp"
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
    if (std::ranges::count(chain.law(x).next, static_cast<StateIndex>(x)) > 0) return false;
  }
  return chain.has_terminal_states();
}

/// V, or nothing if stopped.
std::optional<Solution> exact_value(const Chain& chain, const Criterion& criterion,
                                    const ModelStudyOptions& options, const Monitor& monitor) {
  Solution solution;
  if (criterion.gamma < 1.0) {
    const double reach = chain.outcomes().largest_cost() / (1.0 - criterion.gamma);
    solution = evaluate_by_newton(
        chain, criterion,
        {.tolerance = 1e-9 * std::max(1.0, reach), .threads = options.threads, .monitor = monitor});
  } else {
    require(ends_without_return(chain),
            "gamma is 1, and a state can be visited twice before the end; accepted: gamma below 1, "
            "or 1 for models that pass each state at most once");
    FiniteHorizonSolution stages =
        evaluate_finite_horizon(chain, criterion,
                                {.stages = static_cast<int>(chain.states()),
                                 .keep = KeepStages::last,
                                 .threads = options.threads,
                                 .monitor = monitor});
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

/// One column per state that is visited.
MatrixXd one_per_state(const std::vector<double>& q) {
  const auto n = static_cast<Index>(q.size());
  MatrixXd phi = MatrixXd::Zero(n, n - std::ranges::count(q, 0.0));
  for (Index x = 0, j = 0; x < n; ++x) {
    if (q[static_cast<std::size_t>(x)] > 0.0) phi(x, j++) = 1.0;
  }
  return phi;
}

void check_size(const StudiedFeatures& features, std::size_t states) {
  const bool is_given = features.phi.cols() > 0;
  require(!is_given || static_cast<std::size_t>(features.phi.rows()) == states,
          "{}: features of {} states; accepted: a row for each of {} states", features.name,
          features.phi.rows(), states);
  const auto entries =
      static_cast<double>(states) *
      (is_given ? static_cast<double>(features.phi.cols()) : static_cast<double>(states));
  require(entries <= most_feature_entries,
          "{}: {:.3g} numbers for {} states; accepted: at most {:.0g}, states times features; "
          "--features has fewer",
          features.name, entries, states, most_feature_entries);
}

/// Averagers take features that are nonnegative and sum to at most one.
void check_averagers(const StudiedFeatures& features, const ModelStudyOptions& options) {
  for (const StudiedLearner& learner : options.learners) {
    if (!is_averager(learner.options.algorithm)) continue;
    const auto violation = theory::averager_violation(features.phi);
    if (!violation) continue;
    throw InvalidInput(fmt::format("{} with features {}, state {}: {}", learner.name, features.name,
                                   static_cast<std::size_t>(violation->state) + options.state_base,
                                   violation->message()));
  }
}

/// The theorem's hypotheses. With restarts, its proof needs the effective discount factor.
theory::Conditions conditions_of(const LearningProblem& problem, const Visits& visits,
                                 const ModelStudyOptions& options) {
  const bool has_restarts = problem.restart > 0.0;
  const double gamma = has_restarts ? std::min(1.0, problem.effective_gamma) : problem.gamma;
  theory::Conditions conditions = theory::check_conditions(problem.loss, gamma);
  if (has_restarts) {
    conditions.assumptions.back().reason += fmt::format(
        " (restarts make gamma = {:.6g} act like {:.6g})", problem.gamma, problem.effective_gamma);
  }
  conditions.assumptions.push_back({"ergodic chain", visits.ergodicity.is_ergodic(),
                                    visits.ergodicity.message(options.state_base)});
  conditions.assumptions.push_back(theory::features_assumption(problem.phi, problem.q));
  for (const StudiedLearner& learner : options.learners) {
    if (is_newton(learner.options.algorithm)) continue;
    conditions.assumptions.push_back(learner.options.step.assumption());
    break;
  }
  return conditions;
}

StudySetting setting_of(const LearningProblem& problem, const Solution& value,
                        const theory::Conditions& conditions) {
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
      .slope_min = conditions.slopes.lower,
      .slope_max = conditions.slopes.upper,
      .gamma_limit = conditions.gamma_limit,
      .sharp_gamma_limit = conditions.sharp_gamma_limit,
      .condition_holds = conditions.gamma < conditions.gamma_limit,
      .guaranteed = conditions.guaranteed()};
}

void add_values(const LearningProblem& problem, const StudyKeys& keys, ModelStudyTables& tables) {
  const Eigen::VectorXd fixed_point =
      problem.has_fixed_point() ? problem.fixed_point_values() : Eigen::VectorXd();
  for (Index x = 0; x < problem.value.size(); ++x) {
    StudyValue row{.state = static_cast<std::size_t>(x),
                   .q = problem.q[static_cast<std::size_t>(x)],
                   .value = problem.value[x],
                   .projection = problem.target[x],
                   .fixed_point = fixed_point.size() > 0 ? fixed_point[x] : infinity};
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
    for (const StudiedFeatures& features : options_.features) {
      check_size(features, chain.states());
      check_averagers(features, options_);
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
                            .restart = options_.restart},
                           value->values);
      const StudyKeys keys{features.name, criterion.loss.to_string(), criterion.gamma};
      const theory::Conditions conditions = conditions_of(problem, visits, options_);
      tables_.settings.push_back(setting_of(problem, *value, conditions));
      keys.put(tables_.settings.back());
      for (const auto& [name, holds, reason] : conditions.assumptions) {
        tables_.conditions.push_back(
            {.assumption = std::string(name), .holds = holds, .reason = reason});
        keys.put(tables_.conditions.back());
      }
      add_values(problem, keys, tables_);
      for (const StudiedLearner& learner : options_.learners) {
        if (!add_learner(problem, restarts, learner, keys)) return false;
      }
    }
    return true;
  }

  ModelStudyTables take() { return std::move(tables_); }

 private:
  bool add_learner(const LearningProblem& problem, const Restarts& restarts,
                   const StudiedLearner& learner, const StudyKeys& keys) {
    const auto found = study_learner(problem, restarts, learner, options_, part_monitor());
    if (!found) return false;
    ++done_;
    for (StudyPoint point : found->curve) {
      keys.put(point);
      tables_.curves.push_back(std::move(point));
    }
    tables_.ends.push_back(found->end);
    keys.put(tables_.ends.back());
    return true;
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
