#include "studies/discount.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <pcg_random.hpp>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/mdp/library.hpp"

namespace shortfall::studies {
namespace {

/// A loss, and ℓ(·/γ) as one of the losses that have a name. A factor makes no difference.
struct ScaledLoss {
  AnyLoss loss;
  bool is_homogeneous;
  std::function<AnyLoss(double gamma)> over;
};

/// Costs of the model are of the order 10.
std::vector<ScaledLoss> scaled_losses() {
  std::vector<ScaledLoss> losses;
  for (const double tau : {0.1, 0.5, 0.9}) {
    losses.push_back({Expectile(tau), true, [tau](double) { return Expectile(tau); }});
  }
  for (const double beta : {0.01, 0.1}) {
    losses.push_back(
        {Entropic(beta), false, [beta](double gamma) { return Entropic(beta / gamma); }});
  }
  losses.push_back({SoftQuantile(0.8, 2.0), false, [](double gamma) {
                      const SoftQuantile loss(0.8, 2.0);
                      std::vector<Knot> knots;
                      for (const double x : {-4.0, -2.0, 0.0, 2.0, 4.0}) {
                        knots.push_back({gamma * x, loss.at(x).value});
                      }
                      return Piecewise(std::move(knots));
                    }});
  return losses;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t x = 0; x < a.size(); ++x) largest = std::max(largest, std::abs(a[x] - b[x]));
  return largest;
}

DiscountRow compare(const Chain& chain, const ScaledLoss& scaled, double gamma,
                    const StudyOptions& options) {
  const SolverOptions solver{.tolerance = 1e-9};
  const Execution execution{.threads = options.threads};
  // γ^T is 1e-18.
  const int stages = static_cast<int>(std::ceil(18.0 * std::log(10.0) / -std::log(gamma)));
  const Solution bellman = evaluate_by_newton(chain, {scaled.loss, gamma}, solver, execution);
  const Solution rescaled =
      evaluate_by_newton(chain, {scaled.over(gamma), gamma}, solver, execution);
  const FiniteHorizonSolution total = evaluate_finite_horizon(
      chain, {scaled.loss, gamma},
      {.stages = stages, .keep = KeepStages::last, .discount = Discount::outside}, execution);
  const std::vector<double>& outside = total.values.back();
  const auto largest =
      static_cast<std::size_t>(std::ranges::max_element(bellman.values) - bellman.values.begin());
  const double left = std::pow(gamma, stages) * std::abs(outside[largest]) / (1.0 - gamma);
  return {.loss = scaled.loss.to_string(),
          .is_homogeneous = scaled.is_homogeneous,
          .gamma = gamma,
          .inside = bellman.values[largest],
          .outside = outside[largest],
          .from_bellman = distance(outside, bellman.values),
          .from_rescaled = distance(outside, rescaled.values),
          .certified = bellman.error_bound + rescaled.error_bound + total.error_bound + left};
}

DiscountRows compute(const StudyOptions& options, const OnProgress& on_progress) {
  pcg64 generator(options.seed);
  const library::RandomMdp random = library::random_mdp({}, generator);
  const Chain chain = under_policy(random.model, random.policy);
  DiscountRows result;
  const std::vector<ScaledLoss> losses = scaled_losses();
  for (const ScaledLoss& loss : losses) {
    for (const double gamma : {0.5, 0.9}) {
      result.rows.push_back(compare(chain, loss, gamma, options));
      on_progress(static_cast<double>(result.rows.size()) / static_cast<double>(2 * losses.size()));
    }
  }
  return result;
}

std::string text_of(const DiscountRow& row) {
  return fmt::format("{}, gamma {}: {:.4f} instead of {:.4f}", row.loss, row.gamma, row.outside,
                     row.inside);
}

Finding limit_solves_the_equation(const std::vector<DiscountRow>& rows) {
  std::vector<std::string> apart;
  for (const DiscountRow& row : rows) {
    if (row.from_bellman <= row.certified) continue;
    apart.push_back(text_of(row));
  }
  return {
      .claim =
          "With growing T the total risk of T stages, V_T(x) = c(x) + gamma SR(c(X_1) + gamma "
          "SR(c(X_2) + ..)), tends to the solution of the Bellman equation V(x) = SR(c(x) + "
          "gamma V(X')), for every UBSR",
      .published = "gamma stands outside the risk in V_T, and inside in the equation",
      .found = apart.empty()
                   ? fmt::format("no difference in {} cases beyond certified errors", rows.size())
                   : fmt::format("not in {} of {} cases. The largest value, of V_T and of the "
                                 "equation: {}. By hand, for entropic:1, gamma 0.5 and a cost "
                                 "0 followed by 0 or 4, equally likely: 1.663 and 1.434",
                                 apart.size(), rows.size(), fmt::join(apart, "; ")),
      .verdict = verdict_of(apart.empty())};
}

Finding homogeneous_risks_agree(const std::vector<DiscountRow>& rows) {
  bool holds = true;
  double largest = 0.0;
  std::size_t homogeneous = 0;
  for (const DiscountRow& row : rows) {
    holds = holds && (row.from_bellman <= row.certified) == row.is_homogeneous;
    if (!row.is_homogeneous) continue;
    ++homogeneous;
    largest = std::max(largest, row.from_bellman);
  }
  return {
      .claim =
          "The two agree for positively homogeneous risks, which are the mean and expectiles, "
          "and for no other loss here",
      .found = fmt::format("{} cases with such a risk, at most {:.0e} apart", homogeneous, largest),
      .verdict = verdict_of(holds && homogeneous > 0),
      .origin = Origin::ours};
}

Finding limit_has_the_rescaled_loss(const std::vector<DiscountRow>& rows) {
  bool holds = !rows.empty();
  double largest = 0.0;
  for (const DiscountRow& row : rows) {
    holds = holds && row.from_rescaled <= row.certified;
    largest = std::max(largest, row.from_rescaled);
  }
  return {.claim =
              "V_T tends to the solution of the Bellman equation with the loss l(x / gamma) "
              "instead of l(x), for every loss; all else in the paper holds for that loss",
          .found = fmt::format("{} cases, at most {:.0e} apart", rows.size(), largest),
          .verdict = verdict_of(holds),
          .origin = Origin::ours};
}

}  // namespace

Results conclude_discount(const std::vector<DiscountRows>& parts) {
  const DiscountRows all = joined(parts);
  return {.findings = {limit_solves_the_equation(all.rows), homogeneous_risks_agree(all.rows),
                       limit_has_the_rescaled_loss(all.rows)},
          .tables = {{"values", all.rows}}};
}

Study discount(const StudyOptions& options) {
  return {.name = "discount",
          .title = "Where the discount stands",
          .question =
              "The paper defines the value as the limit of total risks with the discount factor "
              "outside the risk, and goes on with a Bellman equation that has it inside. Are they "
              "the same? On a random model of ten states, with the discount on either side "
              "(--discount of solve and evaluate).",
          .source = "Wang and Delage, section 2, definition of the total risk and Bellman equation",
          .parts = {{"values", 0.1,
                     [options](const OnProgress& on_progress) {
                       return compute(options, on_progress);
                     }}},
          .conclude = Conclusion(conclude_discount)};
}

}  // namespace shortfall::studies
