#include "shortfall/mdp/chain.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <utility>

#include "shortfall/error.hpp"
#include "shortfall/risk/law.hpp"

namespace shortfall {
namespace {

double mean_cost(const Outcomes::Row& law) {
  return std::inner_product(law.cost.begin(), law.cost.end(), law.probability.begin(), 0.0);
}

/// Appends the outcomes of `law`, weighted and with their costs shifted, to the row being built.
void append(Outcomes& outcomes, const Outcomes::Row& law, double weight, double cost_shift) {
  for (std::size_t i = 0; i < law.next.size(); ++i) {
    outcomes.probability.push_back(weight * law.probability[i]);
    outcomes.cost.push_back(law.cost[i] + cost_shift);
    outcomes.next.push_back(law.next[i]);
  }
}

void check_weights(const Mdp& model, const RandomisedPolicy& policy) {
  if (policy.weight.size() != model.outcomes().rows()) {
    throw InvalidInput(fmt::format(
        "the randomised policy has {} weights; accepted: one for each of {} state-action pairs",
        policy.weight.size(), model.outcomes().rows()));
  }
  for (std::size_t x = 0; x < model.states(); ++x) {
    if (model.is_terminal(x)) continue;
    double sum = 0.0;
    for (std::size_t r = model.state_begin()[x]; r < model.state_begin()[x + 1]; ++r) {
      if (!(policy.weight[r] >= 0.0)) {
        throw InvalidInput(fmt::format(
            "state {}, action {}: weight {}; accepted: a number in [0, 1]", x + model.state_base(),
            model.action_of_row(r) + model.action_base(), policy.weight[r]));
      }
      sum += policy.weight[r];
    }
    if (!(std::abs(sum - 1.0) <= probability_tolerance)) {
      throw InvalidInput(
          fmt::format("state {}: the policy's weights sum to {}; accepted: 1 within {}",
                      x + model.state_base(), sum, probability_tolerance));
    }
  }
}

}  // namespace

Chain::Chain(Outcomes outcomes) : outcomes_(std::move(outcomes)) {
  outcomes_.sort_rows();
  for (std::size_t x = 0; x < states(); ++x) has_terminal_states_ |= is_terminal(x);
}

std::optional<Policy> only_policy(const Mdp& model) {
  Policy policy(model.states(), no_action);
  for (std::size_t x = 0; x < model.states(); ++x) {
    if (model.action_count(x) > 1) return std::nullopt;
    if (!model.is_terminal(x)) policy[x] = model.action_of_row(model.state_begin()[x]);
  }
  return policy;
}

Chain under_policy(const Mdp& model, const Policy& policy) {
  model.check_policy(policy);
  Outcomes outcomes;
  for (std::size_t x = 0; x < model.states(); ++x) {
    if (!model.is_terminal(x)) append(outcomes, model.law(*model.find_row(x, policy[x])), 1.0, 0.0);
    outcomes.row_begin.push_back(outcomes.size());
  }
  return Chain(std::move(outcomes));
}

Chain under_policy(const Mdp& model, const RandomisedPolicy& policy, InducedCost induced_cost) {
  check_weights(model, policy);
  Outcomes outcomes;
  for (std::size_t x = 0; x < model.states(); ++x) {
    double weight_sum = 0.0;
    double induced = 0.0;
    for (std::size_t r = model.state_begin()[x]; r < model.state_begin()[x + 1]; ++r) {
      weight_sum += policy.weight[r];
      induced += policy.weight[r] * mean_cost(model.law(r));
    }
    induced /= weight_sum;
    for (std::size_t r = model.state_begin()[x]; r < model.state_begin()[x + 1]; ++r) {
      if (policy.weight[r] == 0.0) continue;
      const Outcomes::Row law = model.law(r);
      const double shift = induced_cost == InducedCost::averaged ? induced - mean_cost(law) : 0.0;
      append(outcomes, law, policy.weight[r] / weight_sum, shift);
    }
    outcomes.row_begin.push_back(outcomes.size());
  }
  return Chain(std::move(outcomes));
}

}  // namespace shortfall
