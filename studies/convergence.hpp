#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/risk/any_loss.hpp"
#include "studies/learning_problem.hpp"
#include "studies/record.hpp"
#include "studies/study.hpp"

/// The convergence experiments: a random model of ten states, evaluated by five learners.
namespace shortfall::studies {

/// A family of losses with one parameter, the level.
struct RiskFamily {
  std::string_view level;  ///< name of the parameter, and key in tables
  AnyLoss (*loss)(double level);
};

/// One panel of a figure.
struct ConvergenceSetting {
  double level = 0.0;
  double gamma = 0.0;
  std::uint32_t d = 0;  ///< features, of ten states
  SHORTFALL_RECORD(level, gamma, d)

  bool operator==(const ConvergenceSetting&) const = default;
};

/// "tau=0.6,gamma=0.9,d=5"
std::string name_of(const RiskFamily& family, const ConvergenceSetting& setting);

inline constexpr std::uint32_t convergence_states = 10;
inline constexpr std::uint32_t few_features = 5;

/// The draw determines kernel, costs, policy and features, which are orthonormal; the features for
/// a smaller d are the first columns of those for a larger d. V is exact to 1e-9.
LearningProblem convergence_problem(const RiskFamily& family, const ConvergenceSetting& setting,
                                    std::uint64_t draw);

/// All runs of a learner after `iteration` updates: a row of the table `curves`, without its
/// setting and learner. Null in a table is +∞ here.
struct CurvePoint {
  std::uint64_t iteration = 0;
  double distance = 0.0;  ///< mean of ‖Φθ_n - ΠV‖_q
  double standard_error = 0.0;
  double median = 0.0;
  std::size_t diverged = 0;
  double first_component_standard_error = 0.0;  ///< of θ_n
  SHORTFALL_RECORD(iteration, distance, standard_error, median, diverged,
                   first_component_standard_error)
};

/// One learner in one setting: a row of the table `ends`, without its setting.
struct Learned {
  std::string algorithm = {};
  std::vector<CurvePoint> curve = {};
  double distance = 0.0;  ///< at the end
  double standard_error = 0.0;
  std::size_t diverged = 0;
  double iterations_to_threshold = 0.0;  ///< +∞: never
  double threshold = 0.0;
  std::size_t runs = 0;
  double to_fixed_point = 0.0;  ///< mean of ‖Φθ_n - Φθ*‖_q
  double to_fixed_point_standard_error = 0.0;
  std::string limit = {};       ///< a LimitStatus, of the mean-field ODE: learner_theory.hpp
  double limit_distance = 0.0;  ///< of a stable limit
  double limit_rate = 0.0;
  SHORTFALL_RECORD(algorithm, curve, distance, standard_error, diverged, iterations_to_threshold,
                   threshold, runs, to_fixed_point, to_fixed_point_standard_error, limit,
                   limit_distance, limit_rate)
};

/// One panel of a figure: a row of the table `settings`.
struct Panel {
  ConvergenceSetting setting = {};
  std::string place = {};  ///< "tau 0.6, gamma 0.9"; not saved
  double gamma_limit = 0.0;
  bool condition_holds = false;
  double value_norm = 0.0;
  double fixed_point_distance = 0.0;  ///< +∞: there is none
  std::string fixed_point_status = {};
  double sharp_gamma_limit = 0.0;
  double projection_error = 0.0;
  std::vector<Learned> learned = {};
  SHORTFALL_RECORD(setting, gamma_limit, condition_holds, value_norm, fixed_point_distance,
                   fixed_point_status, sharp_gamma_limit, projection_error, learned)

  const Learned& by(std::string_view algorithm) const;
  /// Some run diverged, or the mean distance is more than ten times ‖V‖_q.
  bool has_diverged(const Learned& learner) const;
};

/// Results that depend on the draw, on other draws of the model: a row of the table `draws`.
struct DrawTally {
  ConvergenceSetting setting = {};
  std::string algorithm = {};
  std::size_t draws = 0;    ///< number of models
  std::size_t stable = 0;   ///< those with a stable limit
  std::size_t away = 0;     ///< those without one, on which iterates diverge
  std::size_t far = 0;      ///< those with a limit more than ten times ‖V‖_q away from ΠV
  std::size_t nearest = 0;  ///< those on which this algorithm's limit is the nearest to ΠV
  SHORTFALL_RECORD(setting, algorithm, draws, stable, away, far, nearest)
};

/// The result of a part of a convergence study, a panel or the draws; or of all.
struct ConvergenceData {
  std::vector<Panel> panels = {};
  std::vector<DrawTally> draws = {};
  std::uint64_t iterations = 0;  ///< not saved
  SHORTFALL_RECORD(panels, draws)

  /// Runs of a million iterations are as published; shorter ones may end before the limit.
  Coverage length() const { return iterations >= 1'000'000 ? Coverage::whole : Coverage::sample; }
  std::vector<Panel> with_features(std::uint32_t d) const;
  /// Throws std::logic_error if the setting is missing.
  const Panel& at(const ConvergenceSetting& setting) const;
  const DrawTally& drawn(const ConvergenceSetting& setting, std::string_view algorithm) const;
};

ConvergenceData convergence_data(const RiskFamily& family,
                                 const std::vector<ConvergenceData>& parts);

/// The tables `curves`, `settings`, `ends` and `draws`.
Json convergence_tables(const RiskFamily& family, const ConvergenceData& data);

inline constexpr std::array<std::string_view, 5> convergence_algorithms = {
    "TD(0)", "TD(0.3)", "TD(0.6)", "TD(1)", "Newton"};
/// λ by algorithm; Newton has the limit of TD(0).
inline constexpr std::array<double, 5> convergence_lambdas = {0.0, 0.3, 0.6, 1.0, 0.0};

struct ConvergenceScale {
  std::size_t runs = 20;
  std::uint64_t iterations = 1'000'000;
  std::size_t draws = 500;  ///< other models, for results that depend on the draw
};
ConvergenceScale convergence_scale(Scale scale);

/// ‖Φθ_n - ΠV‖_q has to fall and stay below this share of ‖V‖_q.
inline constexpr double threshold_share = 0.05;

/// Runs five learners on one problem, independently from θ = 0: TD and TD(λ) with steps
/// 2/(n+100)^(2/3), Newton with a warm-up of 500.
Panel convergence_runs(const RiskFamily& family, const ConvergenceSetting& setting,
                       const StudyOptions& options, const OnProgress& on_progress);

/// Σ η_n over the first `iterations` steps of TD: the corresponding time of the ODE.
double sum_of_steps(std::uint64_t iterations);

/// One tally per setting and TD algorithm: the limit of TD(λ) by learner_theory.hpp, without
/// simulation.
std::vector<DrawTally> convergence_draws(const RiskFamily& family,
                                         const std::vector<ConvergenceSetting>& settings,
                                         const StudyOptions& options,
                                         const OnProgress& on_progress);

/// The panels of a figure: for d = 10, then d = 5, one row of levels per γ.
struct ConvergenceFigure {
  RiskFamily family;
  std::vector<double> levels;
  std::vector<double> gammas;

  std::vector<ConvergenceSetting> settings() const;
};

/// One part per panel, and one for other draws of the model with d = 5.
std::vector<Part> convergence_parts(const ConvergenceFigure& figure, const StudyOptions& options);

// The paper's statements about its convergence figures, checked by the runs. Its model is not
// published, so ours is another draw; statements that depend on the draw are also checked on many
// others.

// One weight per state, d = N.

/// All learners end within 5 % of ‖V‖_q.
Finding learners_find_the_value(const ConvergenceData& data);
/// TD approaches V also where the condition on γ fails.
Finding td_finds_the_value_beyond_the_condition(const ConvergenceData& data);
/// Newton needs at most half of TD's iterations to 5 %.
Finding newton_needs_fewer_iterations(const ConvergenceData& data);
/// TD(λ), λ > 0, needs fewer than TD in most settings.
Finding traces_need_fewer_iterations(const ConvergenceData& data);
/// The larger of two λ next to each other needs fewer, in three of four pairs.
Finding longer_traces_need_fewer_iterations(const ConvergenceData& data);
/// The speed-up of TD(1) over TD, its geometric mean over levels, is larger for the larger γ.
Finding traces_help_more_at_larger_gamma(const ConvergenceData& data);
/// The standard error of the first weight ends at half of its largest value, or less.
Finding spread_shrinks(const ConvergenceData& data);
/// It grows with λ, by the mean of its logarithm over settings.
Finding spread_grows_with_lambda(const ConvergenceData& data);
/// In the first 10⁴ iterations Newton's is larger than TD's, by the same mean.
Finding newton_spreads_early(const ConvergenceData& data);
/// Ours: the final distance of TD(λ) from V is that of the slowest mode, exp(-rate Σ η_n).
Finding slowest_mode_explains_what_is_left(const ConvergenceData& data);

// Fewer features than states, d < N.

/// Where the condition holds, all learners converge, but some not to ΠV.
Finding learners_converge_within_the_condition(const ConvergenceData& data);
/// TD and Newton end at Φθ*, if it exists.
Finding newton_ends_where_td_does(const ConvergenceData& data);
/// TD(λ), λ > 0, ends elsewhere than TD in some of the settings.
Finding traces_change_the_limit(const ConvergenceData& data);
/// In these settings, where the loss is linear, it ends where TD does.
Finding traces_keep_the_neutral_limit(const ConvergenceData& data,
                                      const std::vector<ConvergenceSetting>& settings);
/// Some TD(λ) diverges in each of these settings.
Finding traces_diverge_at(const ConvergenceData& data,
                          const std::vector<ConvergenceSetting>& settings);
/// TD(1) ends at ΠV in these settings, where the loss is linear.
Finding td1_finds_the_projection(const ConvergenceData& data,
                                 const std::vector<ConvergenceSetting>& settings);
/// TD(1) is not the nearest to ΠV in this setting, on our model or on one in twenty others.
Finding td1_need_not_be_nearest(const ConvergenceData& data, const ConvergenceSetting& setting);
/// Ours: learners end at the limits of the mean-field ODE.
Finding ends_are_limits_of_the_ode(const ConvergenceData& data);
/// Ours: TD has a stable limit on all draws where γ < 2√(ε₁L₁)/(ε₁+L₁), and not always beyond.
Finding sharp_condition_suffices(const ConvergenceData& data);

}  // namespace shortfall::studies
