#include "studies/convergence.hpp"
#include "studies/convergence_findings.hpp"

namespace shortfall::studies {
namespace {

AnyLoss expectile(double tau) {
  return Expectile(tau);
}

const ConvergenceFigure expectile_figure = {
    .family = {"tau", expectile}, .levels = {0.1, 0.4, 0.5, 0.6, 0.9}, .gammas = {0.6, 0.9}};

Results conclude_expectile(const std::vector<ConvergenceData>& parts) {
  const ConvergenceData data = convergence_data(expectile_figure.family, parts);
  return {
      .findings = {learners_find_the_value(data), td_finds_the_value_beyond_the_condition(data),
                   slowest_mode_explains_what_is_left(data), newton_needs_fewer_iterations(data),
                   traces_need_fewer_iterations(data), longer_traces_need_fewer_iterations(data),
                   traces_help_more_at_larger_gamma(data), spread_shrinks(data),
                   spread_grows_with_lambda(data), newton_spreads_early(data),
                   learners_converge_within_the_condition(data), newton_ends_where_td_does(data),
                   traces_change_the_limit(data),
                   traces_keep_the_neutral_limit(data, {{0.5, 0.6, 5}, {0.5, 0.9, 5}}),
                   traces_diverge_at(data, {{0.6, 0.9, 5}, {0.9, 0.9, 5}}),
                   td1_finds_the_projection(data, {{0.5, 0.6, 5}, {0.5, 0.9, 5}}),
                   td1_need_not_be_nearest(data, {0.6, 0.6, 5}), ends_are_limits_of_the_ode(data),
                   sharp_condition_suffices(data)},
      .tables = convergence_tables(expectile_figure.family, data)};
}

}  // namespace

Study figure_expectile(const StudyOptions& options) {
  return {.name = "figure-expectile",
          .title = "Convergence under the expectile",
          .question =
              "On a random model of ten states, how fast do TD, TD(lambda) and Newton reach "
              "the value of a policy under the expectile, and where do they converge if five "
              "features cannot represent it? The published model is not known; this is "
              "another draw.",
          .source = "Wang and Delage, convergence figure for the expectile",
          .parts = convergence_parts(expectile_figure, options),
          .conclude = conclude_expectile};
}

}  // namespace shortfall::studies
