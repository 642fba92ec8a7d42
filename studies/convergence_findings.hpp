#pragma once

#include <vector>

#include "convergence_data.hpp"

/// What the paper says in words about its convergence figures, judged by the runs. Its model is not
/// published, so that ours is another draw; what depends on that is also asked of many draws.
namespace shortfall::studies {

// One weight a state, d = N.

/// All learners are within 5 % of ‖V‖_q in the end.
Finding learners_find_the_value(const ConvergenceData& data);
/// TD comes nearer to V where the condition on γ fails, too.
Finding td_finds_the_value_beyond_the_condition(const ConvergenceData& data);
/// Newton needs at most half of the iterations that TD takes to 5 %.
Finding newton_needs_fewer_iterations(const ConvergenceData& data);
/// TD(λ), λ > 0, needs fewer than TD in most settings.
Finding traces_need_fewer_iterations(const ConvergenceData& data);
/// The larger of two λ next to each other needs fewer, in three of four pairs.
Finding longer_traces_need_fewer_iterations(const ConvergenceData& data);
/// The speed-up of TD(1) over TD, its geometric mean over levels, is larger for the larger γ.
Finding traces_help_more_at_larger_gamma(const ConvergenceData& data);
/// The standard error of the first weight ends at half of its largest value, or less.
Finding spread_shrinks(const ConvergenceData& data);
/// It grows from λ to λ, on the mean of its logarithm over settings.
Finding spread_grows_with_lambda(const ConvergenceData& data);
/// In the first 10⁴ iterations, Newton's is larger than TD's, likewise.
Finding newton_spreads_early(const ConvergenceData& data);
/// Ours: how far TD(λ) is from V in the end is what the slowest mode leaves, exp(-rate Σ η_n).
Finding slowest_mode_explains_what_is_left(const ConvergenceData& data);

// Fewer features than states, d < N.

/// Where the condition holds all learners converge, and some not to ΠV.
Finding learners_converge_within_the_condition(const ConvergenceData& data);
/// TD and Newton end at Φθ*, wherever there is one.
Finding newton_ends_where_td_does(const ConvergenceData& data);
/// TD(λ), λ > 0, ends elsewhere than TD in some of the settings.
Finding traces_change_the_limit(const ConvergenceData& data);
/// In these settings, in which the loss is linear, it ends where TD does.
Finding traces_keep_the_neutral_limit(const ConvergenceData& data,
                                      const std::vector<ConvergenceSetting>& settings);
/// Some TD(λ) diverges in each of these settings.
Finding traces_diverge_at(const ConvergenceData& data,
                          const std::vector<ConvergenceSetting>& settings);
/// TD(1) ends at ΠV, in settings in which the loss is linear.
Finding td1_finds_the_projection(const ConvergenceData& data,
                                 const std::vector<ConvergenceSetting>& settings);
/// TD(1) is not the nearest to ΠV in this setting, on our model or on one in twenty others.
Finding td1_need_not_be_nearest(const ConvergenceData& data, const ConvergenceSetting& setting);
/// Ours: ends are the limits that the mean-field ODE has.
Finding ends_are_limits_of_the_ode(const ConvergenceData& data);
/// Ours: TD has a stable limit on all draws where γ < 2√(ε₁L₁)/(ε₁+L₁), and not always beyond.
Finding sharp_condition_suffices(const ConvergenceData& data);

}  // namespace shortfall::studies
