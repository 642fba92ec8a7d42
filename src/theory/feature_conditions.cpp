#include "shortfall/theory/feature_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "errors/require.hpp"
#include "mdp/successors.hpp"
#include "shortfall/mdp/ergodicity.hpp"
#include "shortfall/theory/averager.hpp"
#include "shortfall/theory/averager_steps.hpp"
#include "shortfall/theory/projection.hpp"

namespace shortfall::theory {
namespace {

/// Positive in all states that are not terminal: what is checked here depends on no other property
/// of the sampling law.
std::vector<double> positive_law(const Chain& chain) {
  std::vector<double> q(chain.states(), 0.0);
  std::size_t states = 0;
  for (std::size_t x = 0; x < q.size(); ++x)
    if (!chain.is_terminal(x)) ++states;
  require(states > 0, "all states are terminal; accepted: a model with transitions");
  for (std::size_t x = 0; x < q.size(); ++x) {
    if (!chain.is_terminal(x)) q[x] = 1.0 / static_cast<double>(states);
  }
  return q;
}

Assumption averager_discount(double gamma) {
  const bool holds = gamma < 1.0;
  return {"discount", holds,
          holds ? fmt::format("gamma = {:.6g} is below 1, which is enough with these features, "
                              "whatever the slopes of the loss",
                              gamma)
                : fmt::format("gamma = {:.6g} is not below 1", gamma)};
}

Assumption averager_features(bool hard) {
  return {"features", true,
          hard ? "every state lies in one cell (hard aggregation), where TD and averager TD are "
                 "the same"
               : "they are nonnegative and sum to at most 1 in every state"};
}

CheckedConditions averager_conditions(const AnyLoss& loss, double gamma,
                                      const FeaturesOfChain& features,
                                      std::optional<double> first_step) {
  const auto& [chain, phi, state_base] = features;
  const bool hard = is_hard_aggregation(chain, phi);
  CheckedConditions checked{.conditions = {loss.slope_bounds(), gamma, 1.0, 1.0, {}},
                            .loss = loss.to_string()};
  auto& assumptions = checked.conditions.assumptions;
  assumptions = {averager_features(hard), averager_discount(gamma),
                 recurrence_assumption(chain, state_base)};
  // At γ = 1 the features are checked all the same.
  const AveragerOperator averager(chain, loss, gamma < 1.0 ? gamma : 0.0, phi, positive_law(chain));
  if (gamma < 1.0) {
    const AveragerBox box = averager_box(averager, Eigen::VectorXd::Zero(averager.dimension()));
    assumptions.push_back(first_step ? bounded_weights(box, loss.slope_bounds(),
                                                       {.first = *first_step, .vanish = true})
                                     : bounded_weights(box));
    assumptions.back().reason.insert(0, box.largest_step > 0.0 ? "from 0, " : "");
    checked.largest_step = box.largest_step;
  }
  if (!checked.conditions.guaranteed()) return checked;
  checked.rests_on = {
      "a contraction of modulus gamma in the sup norm, whatever the loss and the sampling law: a "
      "risk is monotone and translation invariant",
      "steps whose sum is infinite and whose squares have a finite sum, small enough that weights "
      "stay bounded",
      "transitions along a path, or drawn independently; a cell that is no longer visited keeps "
      "its weight"};
  return checked;
}

CheckedConditions projected_conditions(const AnyLoss& loss, double gamma,
                                       const FeaturesOfChain& features,
                                       std::optional<double> first_step) {
  const auto& [chain, phi, state_base] = features;
  CheckedConditions checked{check_conditions(loss, gamma), loss.to_string()};
  auto& assumptions = checked.conditions.assumptions;
  Assumption& discount = assumptions.back();
  if (!discount.holds && gamma < 1.0 && !averager_violation(phi)) {
    discount.reason +=
        "; these features are nonnegative and sum to at most 1, so that averager-td needs no such "
        "condition";
  }
  assumptions.push_back(ergodicity_assumption(chain, state_base));
  assumptions.push_back(features_assumption(phi, positive_law(chain)));
  checked.largest_step = largest_td_step(loss, phi);
  if (first_step) assumptions.push_back(step_assumption(loss, phi, *first_step));
  if (!checked.conditions.guaranteed()) return checked;
  checked.rests_on = {
      fmt::format("slopes of the loss between {:.6g} and {:.6g}", checked.conditions.slopes.lower,
                  checked.conditions.slopes.upper),
      fmt::format(
          "steps whose sum is infinite and whose squares have a finite sum, of at most {:.6g} "
          "from the start",
          *checked.largest_step),
      "transitions along a path of the chain, which visits each state for ever"};
  return checked;
}

}  // namespace

double largest_td_step(const AnyLoss& loss, const Eigen::MatrixXd& phi) {
  return 1.0 / (loss.slope_bounds().upper * phi.rowwise().squaredNorm().maxCoeff());
}

Assumption step_assumption(const AnyLoss& loss, const Eigen::MatrixXd& phi, double first) {
  const double limit = largest_td_step(loss, phi);
  const bool holds = first <= limit;
  return {"first step", holds,
          fmt::format("{:.6g} is {} {:.6g}, one over the largest slope and squared length of "
                      "features{}",
                      first, holds ? "at most" : "above", limit,
                      holds ? "" : ": values may grow out of range before steps are small enough")};
}

Assumption recurrence_assumption(const Chain& chain, StateIndex state_base) {
  const CommunicatingClasses classes = communicating_classes(chain);
  std::vector<StateIndex> members;  // one of each class that cannot be left
  bool ends = false;
  for (std::size_t k = 0; k < classes.count(); ++k) {
    const StateIndex first = classes.members[classes.begin[k]];
    bool closed = true;
    StateIndex least = first;
    for (std::size_t i = classes.begin[k]; i < classes.begin[k + 1]; ++i) {
      least = std::min(least, classes.members[i]);
      for_each_successor(chain, classes.members[i], [&](StateIndex y) {
        if (classes.class_of[y] != k) closed = false;
      });
    }
    if (chain.is_terminal(first)) {
      ends = true;
    } else if (closed) {
      members.push_back(least);
    }
  }
  std::ranges::sort(members);
  if (members.empty()) {
    return {"recurrent states", true,
            "every path ends; if each restarts by the same law, states have one long-run law"};
  }
  if (members.size() == 1 && !ends) {
    return {"recurrent states", true, "all paths end up in the same states"};
  }
  const std::size_t first = std::size_t{members.front()} + state_base;
  return {"recurrent states", false,
          ends ? fmt::format("some paths end, others stay with state {} for ever", first)
               : fmt::format("some paths stay with state {}, others with state {}, for ever", first,
                             std::size_t{members[1]} + state_base)};
}

CheckedConditions check_conditions(ProvenAlgorithm algorithm, const AnyLoss& loss, double gamma,
                                   const FeaturesOfChain& features,
                                   std::optional<double> first_step) {
  require(gamma >= 0.0 && gamma <= 1.0, "gamma = {}; accepted: a number in [0, 1]", gamma);
  require(static_cast<std::size_t>(features.phi.rows()) == features.chain.states(),
          "the features have {} rows; accepted: one for each of {} states", features.phi.rows(),
          features.chain.states());
  const bool by_averager = algorithm == ProvenAlgorithm::averager_td ||
                           is_hard_aggregation(features.chain, features.phi);
  CheckedConditions checked = by_averager ? averager_conditions(loss, gamma, features, first_step)
                                          : projected_conditions(loss, gamma, features, first_step);
  checked.algorithm = name_of(algorithm, proven_algorithm_names);
  return checked;
}

}  // namespace shortfall::theory
