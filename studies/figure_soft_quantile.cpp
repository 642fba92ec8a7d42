#include "studies/convergence.hpp"
#include "studies/convergence_findings.hpp"

namespace shortfall::studies {
namespace {

AnyLoss soft_quantile(double mu) {
  return SoftQuantile(mu, 2.0);
}

const ConvergenceFigure soft_quantile_figure = {
    .family = {"mu", soft_quantile}, .levels = {0.2, 0.5, 0.8}, .gammas = {0.05, 0.9}};

/// The paper states this for the expectile only; whether it carries over is our question.
Finding asked_by_us(Finding finding) {
  finding.published = "stated for the expectile";
  return finding;
}

Results conclude_soft_quantile(const std::vector<ConvergenceData>& parts) {
  const ConvergenceData data = convergence_data(soft_quantile_figure.family, parts);
  return {
      .findings = {learners_find_the_value(data), asked_by_us(newton_needs_fewer_iterations(data)),
                   asked_by_us(learners_converge_within_the_condition(data)),
                   newton_ends_where_td_does(data), td1_need_not_be_nearest(data, {0.8, 0.05, 5}),
                   traces_diverge_at(data, {{0.8, 0.9, 5}}), ends_are_limits_of_the_ode(data),
                   sharp_condition_suffices(data)},
      .tables = convergence_tables(soft_quantile_figure.family, data)};
}

}  // namespace

Study figure_soft_quantile(const StudyOptions& options) {
  return {.name = "figure-soft-quantile",
          .title = "Convergence under the soft quantile",
          .question =
              "The same learners on the same model under the soft quantile with kappa = 2, "
              "whose loss is neither convex nor concave: do they find the value, and where "
              "do they converge if five features cannot represent it?",
          .source = "Wang and Delage, convergence figure for the soft quantile",
          .parts = convergence_parts(soft_quantile_figure, options),
          .conclude = conclude_soft_quantile};
}

}  // namespace shortfall::studies
