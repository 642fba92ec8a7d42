#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/learn/newton.hpp"
#include "shortfall/learn/runner.hpp"
#include "shortfall/learn/td_lambda.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "shortfall/mdp/stationary.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/theory/conditions.hpp"
#include "shortfall/theory/projection.hpp"
#include "studies/convergence.hpp"
#include "studies/learner_theory.hpp"

namespace shortfall::studies {
namespace {

constexpr std::size_t records_per_decade = 8;
constexpr std::uint64_t newton_warmup = 500;

/// A seed that makes runs of different names independent.
std::uint64_t derive_seed(std::uint64_t seed, const std::string& name) {
  std::uint64_t stream = 14695981039346656037u;  // FNV-1a
  for (const char c : name) stream = (stream ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return pcg64(seed, stream)();
}

learn::Replications learn_by(std::size_t algorithm, const LearningProblem& problem,
                             const learn::RunnerOptions& options, const Execution& execution) {
  const ChainSampler sampler(problem.chain);
  const learn::ErrorMetric metric = metric_of(problem);
  const learn::Simulation simulation{sampler, metric.phi, learn::StartAt{StateIndex{0}}};
  const std::size_t d = metric.phi.dimension();
  if (convergence_algorithms[algorithm] == "Newton") {
    return run_replications(
        learn::Newton(d, problem.loss, problem.gamma,
                      {.warmup = newton_warmup, .variant = learn::NewtonVariant::as_published}),
        simulation, metric, options, execution);
  }
  return run_replications(learn::TdLambda(d, problem.loss, problem.gamma,
                                          convergence_lambdas[algorithm], learn::PolynomialStep()),
                          simulation, metric, options, execution);
}

std::vector<CurvePoint> curve_of(const learn::Replications& found) {
  std::vector<CurvePoint> curve;
  for (const learn::Record& record : found.records) {
    curve.push_back({.iteration = record.iteration,
                     .distance = record.to_projected_value->mean,
                     .standard_error = record.to_projected_value->standard_error,
                     .median = record.to_projected_value->median,
                     .diverged = record.diverged,
                     .first_component_standard_error = record.first_component.standard_error});
  }
  return curve;
}

Learned learned_of(std::size_t algorithm, const learn::Replications& found,
                   const LearningProblem& problem) {
  const TraceLimit limit = limit_of_traces(problem, convergence_lambdas[algorithm]);
  const bool is_stable = limit.status == LimitStatus::stable;
  const double threshold = threshold_share * theory::q_norm(problem.value, problem.q);
  const auto& to_fixed_point = found.records.back().to_fixed_point;
  std::vector<CurvePoint> curve = curve_of(found);
  const CurvePoint end = curve.back();
  const double reached =
      updates_to(threshold, curve, &CurvePoint::iteration, &CurvePoint::distance);
  return {
      .algorithm = std::string(convergence_algorithms[algorithm]),
      .curve = std::move(curve),
      .distance = end.distance,
      .standard_error = end.standard_error,
      .diverged = end.diverged,
      .iterations_to_threshold = reached,
      .threshold = threshold,
      .runs = found.runs.size(),
      .to_fixed_point = to_fixed_point ? to_fixed_point->mean : infinity,
      .to_fixed_point_standard_error = to_fixed_point ? to_fixed_point->standard_error : infinity,
      .limit = std::string(shortfall::name_of(limit.status, limit_names)),
      .limit_distance = is_stable ? problem.distance_to_target(limit.theta) : infinity,
      .limit_rate = is_stable ? limit.rate : infinity};
}

Panel panel_of(const ConvergenceSetting& setting, const LearningProblem& problem) {
  const auto conditions = theory::check_conditions(problem.loss, problem.gamma);
  return {.setting = setting,
          .gamma_limit = conditions.gamma_limit,
          .condition_holds =
              conditions.guaranteed() && problem.gamma < conditions.gamma_limit,  // the paper's
          .value_norm = theory::q_norm(problem.value, problem.q),
          .fixed_point_distance = problem.has_fixed_point()
                                      ? problem.distance_to_target(problem.fixed_point.theta)
                                      : infinity,
          .fixed_point_status = std::string(to_string(problem.fixed_point.status)),
          .sharp_gamma_limit = conditions.sharp_gamma_limit,
          .projection_error = theory::q_norm(problem.target - problem.value, problem.q)};
}

constexpr std::size_t td_algorithms = 4;  ///< the first ones; Newton has the limit of TD(0)
constexpr double far_factor = 10.0;       ///< times ‖V‖_q

void count(const LearningProblem& problem, std::span<DrawTally, td_algorithms> tallies) {
  const double far = far_factor * theory::q_norm(problem.value, problem.q);
  std::array<double, td_algorithms> distance{};
  for (std::size_t a = 0; a < td_algorithms; ++a) {
    const TraceLimit limit = limit_of_traces(problem, convergence_lambdas[a]);
    const bool is_stable = limit.status == LimitStatus::stable;
    distance[a] = is_stable ? problem.distance_to_target(limit.theta) : infinity;
    if (is_stable) ++tallies[a].stable;
    if (limit.status == LimitStatus::away) ++tallies[a].away;
    if (is_stable && distance[a] > far) ++tallies[a].far;
  }
  const auto nearest = std::ranges::min_element(distance);
  if (*nearest < infinity) ++tallies[static_cast<std::size_t>(nearest - distance.begin())].nearest;
}

std::vector<ConvergenceSetting> with_few_features(const ConvergenceFigure& figure) {
  std::vector<ConvergenceSetting> few = figure.settings();
  std::erase_if(few, [](const ConvergenceSetting& s) { return s.d != few_features; });
  return few;
}

}  // namespace

std::string name_of(const RiskFamily& family, const ConvergenceSetting& setting) {
  return fmt::format("{}={},gamma={},d={}", family.level, setting.level, setting.gamma, setting.d);
}

LearningProblem convergence_problem(const RiskFamily& family, const ConvergenceSetting& setting,
                                    std::uint64_t draw) {
  pcg64 generator(draw);
  auto drawn =
      library::random_mdp({.states = convergence_states, .features = setting.d}, generator);
  LearningSetup setup{.chain = under_policy(drawn.model, drawn.policy),
                      .criterion = {family.loss(setting.level), setting.gamma},
                      .phi = std::move(drawn.features),
                      .q = {}};
  setup.q = stationary_law(setup.chain).probability;
  const Solution solution =
      evaluate_by_newton(setup.chain, setup.criterion, {.tolerance = 1e-9}, {.threads = 1});
  if (solution.status != Status::converged) {
    throw std::logic_error("no value for " + name_of(family, setting) + ": " +
                           solution.brief_report());
  }
  LearningProblem problem = learning_problem(std::move(setup), solution.values);
  problem.feature_norm = 1.0;  // orthonormal columns
  return problem;
}

ConvergenceScale convergence_scale(Scale scale) {
  if (scale == Scale::full) return {};
  return {.runs = 8, .iterations = 40'000, .draws = 40};
}

double sum_of_steps(std::uint64_t iterations) {
  learn::PolynomialStep step;
  double sum = 0.0;
  for (std::uint64_t n = 0; n < iterations; ++n) sum += step(n);
  return sum;
}

Panel convergence_runs(const RiskFamily& family, const ConvergenceSetting& setting,
                       const StudyOptions& options, const OnProgress& on_progress) {
  const ConvergenceScale scale = convergence_scale(options.scale);
  const LearningProblem problem = convergence_problem(family, setting, options.seed);
  Panel panel = panel_of(setting, problem);
  for (std::size_t a = 0; a < convergence_algorithms.size(); ++a) {
    const std::string name =
        name_of(family, setting) + "," + std::string(convergence_algorithms[a]);
    const auto progress = [&](double of_this) {
      on_progress((static_cast<double>(a) + of_this) / convergence_algorithms.size());
    };
    const learn::Replications found =
        learn_by(a, problem,
                 {.replications = scale.runs,
                  .seed = derive_seed(options.seed, name),
                  .record_at = learn::log_spaced(1, scale.iterations, records_per_decade)},
                 {.threads = options.threads, .monitor = monitor_of(progress)});
    panel.learned.push_back(learned_of(a, found, problem));
  }
  return panel;
}

std::vector<DrawTally> convergence_draws(const RiskFamily& family,
                                         const std::vector<ConvergenceSetting>& settings,
                                         const StudyOptions& options,
                                         const OnProgress& on_progress) {
  const std::size_t draws = convergence_scale(options.scale).draws;
  std::vector<DrawTally> all;
  for (std::size_t s = 0; s < settings.size(); ++s) {
    for (std::size_t a = 0; a < td_algorithms; ++a) {
      all.push_back({.setting = settings[s],
                     .algorithm = std::string(convergence_algorithms[a]),
                     .draws = draws});
    }
    const std::span<DrawTally, td_algorithms> tallies = std::span(all).last<td_algorithms>();
    for (std::size_t k = 1; k <= draws; ++k) {
      count(convergence_problem(family, settings[s], options.seed + k), tallies);
    }
    on_progress(static_cast<double>(s + 1) / static_cast<double>(settings.size()));
  }
  return all;
}

std::vector<ConvergenceSetting> ConvergenceFigure::settings() const {
  std::vector<ConvergenceSetting> all;
  for (const std::uint32_t d : {convergence_states, few_features}) {
    for (const double gamma : gammas) {
      for (const double level : levels) all.push_back({level, gamma, d});
    }
  }
  return all;
}

std::vector<Part> convergence_parts(const ConvergenceFigure& figure, const StudyOptions& options) {
  const bool is_full = options.scale == Scale::full;
  std::vector<Part> parts;
  for (const ConvergenceSetting& setting : figure.settings()) {
    parts.push_back(
        {.name = name_of(figure.family, setting),
         .seconds = is_full ? 4.5 : 0.2,
         .compute = [family = figure.family, setting, options](const OnProgress& on_progress) {
           return ConvergenceData{
               .panels = {convergence_runs(family, setting, options, on_progress)}};
         }});
  }
  parts.push_back({.name = "draws",
                   .seconds = is_full ? 6.0 : 0.5,
                   .compute = [figure, options](const OnProgress& on_progress) {
                     return ConvergenceData{.draws = convergence_draws(figure.family,
                                                                       with_few_features(figure),
                                                                       options, on_progress)};
                   }});
  return parts;
}

}  // namespace shortfall::studies
