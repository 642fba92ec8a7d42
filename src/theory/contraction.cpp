#include "shortfall/theory/contraction.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "errors/require.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/theory/conditions.hpp"

namespace shortfall::theory {
namespace {

void require_bounded(SlopeBounds slopes) {
  require(slopes.lower > 0.0 && slopes.upper >= slopes.lower && slopes.upper < infinity,
          "slopes in [{}, {}]; accepted: a loss with slopes bounded away from 0 and from infinity",
          slopes.lower, slopes.upper);
}

void require_gamma_below(double limit, std::string_view formula, double gamma) {
  require(gamma >= 0.0 && gamma < limit,
          "gamma = {}; accepted here: a number in [0, {:.6g}), where the "
          "upper end is {}",
          gamma, limit, formula);
}

void require_alpha_below(double limit, double alpha) {
  require(alpha > 0.0 && alpha < limit, "alpha = {}; accepted here: a number in (0, {:.6g})", alpha,
          limit);
}

}  // namespace

double paper_monotonicity(SlopeBounds slopes, double gamma) {
  if (slopes.upper == infinity) return -infinity;
  return slopes.lower - gamma * slopes.upper;
}

double monotonicity(SlopeBounds slopes, double gamma) {
  const auto [lower, upper] = slopes;
  if (upper == infinity) return -infinity;
  const double sum = lower + upper;
  if (gamma <= 2.0 * lower / sum) return lower * (1.0 - gamma);
  return lower * (upper / sum) - 0.25 * gamma * gamma * sum;
}

QNormContraction QNormContraction::paper(SlopeBounds slopes, double gamma) {
  require_bounded(slopes);
  require_gamma_below(gamma_limit(slopes), "smallest slope / largest slope", gamma);
  return {paper_monotonicity(slopes, gamma), slopes.upper * (1.0 + gamma)};
}

QNormContraction QNormContraction::sharp(SlopeBounds slopes, double gamma) {
  require_bounded(slopes);
  require_gamma_below(sharp_gamma_limit(slopes),
                      "the geometric over the arithmetic mean of the smallest and largest slope",
                      gamma);
  return {theory::monotonicity(slopes, gamma), slopes.upper * (1.0 + gamma)};
}

double QNormContraction::one_minus_g(double alpha) const {
  return alpha * (2.0 * monotonicity_ - alpha * lipschitz_ * lipschitz_);
}

double QNormContraction::g(double alpha) const {
  return std::max(0.0, 1.0 - one_minus_g(alpha));
}

double QNormContraction::modulus(double alpha) const {
  require_alpha_below(alpha_limit(), alpha);
  return std::sqrt(g(alpha));
}

double QNormContraction::alpha_limit() const {
  return 2.0 * best_alpha();
}

double QNormContraction::best_alpha() const {
  return monotonicity_ / lipschitz_ / lipschitz_;
}

SupNormContraction::SupNormContraction(SlopeBounds slopes, double gamma)
    : slopes_(slopes), gamma_(gamma) {
  require_bounded(slopes);
  require_gamma_below(1.0, "the limit for every discounted model", gamma);
}

double SupNormContraction::modulus(double alpha) const {
  require_alpha_below(alpha_limit(), alpha);
  return std::max(1.0 - alpha * slopes_.lower * (1.0 - gamma_),
                  alpha * slopes_.upper * (1.0 + gamma_) - 1.0);
}

double SupNormContraction::alpha_limit() const {
  return 2.0 / (slopes_.upper * (1.0 + gamma_));
}

double SupNormContraction::best_alpha() const {
  return 2.0 / (slopes_.upper * (1.0 + gamma_) + slopes_.lower * (1.0 - gamma_));
}

ParameterContraction::ParameterContraction(SlopeBounds slopes, double gamma)
    : decrease_(2.0 * slopes.lower - gamma * (slopes.lower + slopes.upper)),
      lipschitz_(slopes.upper * (1.0 + gamma)) {
  require_bounded(slopes);
  require_gamma_below(2.0 * slopes.lower / (slopes.lower + slopes.upper),
                      "the smallest slope over the mean of the smallest and largest", gamma);
}

double ParameterContraction::singular_value_limit(double alpha) const {
  return std::sqrt(decrease_ / alpha) / lipschitz_;
}

double ParameterContraction::squared_modulus(double alpha, SingularRange singular) const {
  const double limit = singular_value_limit(alpha);
  require(
      singular.smallest > 0.0 && singular.largest < limit,
      "the weighted features have singular values in [{:.6g}, {:.6g}]; accepted for alpha = {}: "
      "within (0, {:.6g}); scale the features to get there",
      singular.smallest, singular.largest, alpha, limit);
  const double a = alpha * singular.largest * lipschitz_;
  return 1.0 - singular.smallest * singular.smallest * (alpha * decrease_ - a * a);
}

}  // namespace shortfall::theory
