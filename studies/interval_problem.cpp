#include "studies/intervals.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/model/explicit_mdp.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/mdp/stationary.hpp"
#include "shortfall/theory/fixed_point.hpp"

namespace shortfall::studies {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A chain with fewer features than states.
struct FeaturedChain {
  Chain chain;
  double gamma;
  MatrixXd fewer;
};

FeaturedChain random_chain_of_ten() {
  pcg64 bits(5);
  library::RandomMdp drawn =
      library::random_mdp({.states = 10, .actions = 10, .features = 4}, bits);
  return {under_policy(drawn.model, drawn.policy), 0.9, std::move(drawn.features)};
}

FeaturedChain slow_walk() {
  constexpr int states = 20;
  constexpr int group = 4;
  Outcomes outcomes;
  MatrixXd groups = MatrixXd::Zero(states, states / group);
  for (int x = 0; x < states; ++x) {
    for (const int move : {-1, 0, 1}) {
      outcomes.probability.push_back(move == 0 ? 0.2 : 0.4);
      outcomes.cost.push_back(x < 5 ? 10.0 : x % 3);
      outcomes.next.push_back(static_cast<StateIndex>(std::clamp(x + move, 0, states - 1)));
    }
    outcomes.row_begin.push_back(outcomes.size());
    groups(x, x / group) = 1.0;
  }
  return {Chain(std::move(outcomes)), 0.9, std::move(groups)};
}

/// The states of a chain that can be reached from state 0, in the order in which they are found.
std::vector<StateIndex> reachable_from_first(const Chain& chain) {
  std::vector<StateIndex> found{0};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const StateIndex next : chain.law(found[i]).next) {
      if (std::ranges::count(found, next) == 0) found.push_back(next);
    }
  }
  return found;
}

Chain restricted_to(const std::vector<StateIndex>& kept, const Chain& chain) {
  std::map<StateIndex, StateIndex> place;
  for (const StateIndex x : kept) place.emplace(x, static_cast<StateIndex>(place.size()));
  Outcomes outcomes;
  for (const StateIndex x : kept) {
    const Outcomes::Row law = chain.law(x);
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      outcomes.probability.push_back(law.probability[i]);
      outcomes.cost.push_back(law.cost[i]);
      outcomes.next.push_back(place.at(law.next[i]));
    }
    outcomes.row_begin.push_back(outcomes.size());
  }
  return Chain(std::move(outcomes));
}

FeaturedChain small_platelets() {
  const inventory::Model model(inventory::ModelParts{
      .capacity = 5,
      .max_order = {5},
      .arrival = {inventory::Arrival::shares({0.1, 0.3, 0.6})},
      .demand = {{0.15, 0.3, 0.25, 0.15, 0.1, 0.05}},
      .cost = {{.order = 1.0, .holding = 1.0, .shortage = 20.0, .wastage = 5.0}}});
  const Chain all =
      under_policy(inventory::explicit_mdp(model), inventory::base_stock_policy(model, 4));
  const std::vector<StateIndex> stocks = reachable_from_first(all);
  MatrixXd polynomials(static_cast<Index>(stocks.size()), 6);
  std::vector<std::uint8_t> stock(2);
  for (std::size_t x = 0; x < stocks.size(); ++x) {
    model.stocks().unrank(stocks[x], stock);
    const double a = stock[0];
    const double b = stock[1];
    polynomials.row(static_cast<Index>(x)) << 1.0, a, b, a * a, a * b, b * b;
  }
  return {restricted_to(stocks, all), 0.6, std::move(polynomials)};
}

FeaturedChain chain_named(std::string_view name) {
  if (name == "random") return random_chain_of_ten();
  return name == "walk" ? slow_walk() : small_platelets();
}

VectorXd root_of_products(const MatrixXd& phi, const MatrixXd& covariance) {
  return (phi * covariance).cwiseProduct(phi).rowwise().sum().cwiseSqrt();
}

IntervalProblem with_features(const IntervalSetting& setting) {
  FeaturedChain parts = chain_named(setting.chain);
  const auto n = static_cast<Index>(parts.chain.states());
  return {.setting = setting,
          .gamma = parts.gamma,
          .loss = AnyLoss(Expectile(setting.tau)),
          .chain = std::move(parts.chain),
          .phi = setting.features == "fewer" ? parts.fewer : MatrixXd(MatrixXd::Identity(n, n))};
}

}  // namespace

IntervalProblem interval_problem(const IntervalSetting& setting) {
  IntervalProblem problem = with_features(setting);
  problem.q = stationary_law(problem.chain).probability;
  const theory::MeanField field(problem.chain, problem.loss, problem.gamma, problem.phi, problem.q);
  const theory::FixedPoint found = theory::projected_fixed_point(field);
  if (found.status != theory::FixedPointStatus::converged) {
    throw std::logic_error("intervals: no projected fixed point");
  }
  problem.limit = found.theta;
  problem.asymptotic = theory::asymptotic_covariance(field, found.theta);
  return problem;
}

VectorXd IntervalProblem::deviations() const {
  return root_of_products(phi, asymptotic.covariance);
}

double IntervalProblem::least_coverage_without_autocovariances() const {
  const Eigen::PartialPivLU<MatrixXd> a(asymptotic.jacobian);
  const MatrixXd half = a.solve(asymptotic.score_covariance);
  const VectorXd naive = root_of_products(phi, a.solve(half.transpose()));
  const double narrowest = naive.cwiseQuotient(deviations()).minCoeff();
  // In extended precision, whose functions do not depend on the vector instructions.
  const long double deviations_away = normal_quantile_95 * narrowest / std::numbers::sqrt2;
  return static_cast<double>(std::erf(deviations_away));
}

}  // namespace shortfall::studies
