#pragma once

#include <vector>

#include "studies/convergence_data.hpp"

/// The paper's statements about its convergence figures, checked by the runs. Its model is not
/// published, so ours is another draw; statements that depend on the draw are also checked on many
/// others.
namespace shortfall::studies {

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
