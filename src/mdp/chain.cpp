#include "shortfall/mdp/chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "errors/require.hpp"
#include "shortfall/risk/compensated_sum.hpp"
#include "shortfall/risk/law.hpp"

namespace shortfall {
namespace {

constexpr double unit = std::numeric_limits<double>::epsilon() / 2;

double mean_cost(const Outcomes::Row& law) {
  CompensatedSum sum;
  for (std::size_t i = 0; i < law.cost.size(); ++i)
    sum.add_product(law.probability[i], law.cost[i]);
  return sum.value();
}

double largest_cost(const Outcomes::Row& law) {
  double largest = 0.0;
  for (const double c : law.cost) largest = std::max(largest, std::abs(c));
  return largest;
}

/// Appends the outcomes of `law`, weighted and with their costs shifted, to the current row. An
/// outcome whose probability underflows is kept with the smallest positive one, so that bounds take
/// it into account.
void append(Outcomes& outcomes, const Outcomes::Row& law, double weight, double cost_shift) {
  for (std::size_t i = 0; i < law.next.size(); ++i) {
    outcomes.probability.push_back(
        std::max(weight * law.probability[i], std::numeric_limits<double>::denorm_min()));
    outcomes.cost.push_back(law.cost[i] + cost_shift);
    outcomes.next.push_back(law.next[i]);
  }
}

void reserve(Outcomes& outcomes, std::size_t rows, std::size_t count) {
  outcomes.row_begin.reserve(rows + 1);
  outcomes.probability.reserve(count);
  outcomes.cost.reserve(count);
  outcomes.next.reserve(count);
}

/// Bound on the error of c + (induced - mean), in units of the largest cost of the state's actions:
/// 7 for a mean, whose probabilities are off by 3 units and scaled by a sum that is off by 2; 4
/// more for the induced one; and one each, of sums up to three times as large, for taking the
/// difference and adding it.
constexpr double shift_units = 32.0;

void check_weights(const Mdp& model, const RandomisedPolicy& policy) {
  require(policy.weight.size() == model.outcomes().rows(),
          "the randomised policy has {} weights; accepted: one for each of {} state-action pairs",
          policy.weight.size(), model.outcomes().rows());
  for (std::size_t x = 0; x < model.states(); ++x) {
    if (model.is_terminal(x)) continue;
    CompensatedSum weight_sum;
    for (std::size_t r = model.state_begin()[x]; r < model.state_begin()[x + 1]; ++r) {
      require(
          policy.weight[r] >= 0.0, "state {}, action {}: weight {}; accepted: a number in [0, 1]",
          x + model.state_base(), model.action_of_row(r) + model.action_base(), policy.weight[r]);
      weight_sum.add(policy.weight[r]);
    }
    const double sum = weight_sum.value();
    require(std::abs(sum - 1.0) <= probability_tolerance,
            "state {}: the policy's weights sum to {}; accepted: 1 within {}",
            x + model.state_base(), sum, probability_tolerance);
  }
}

}  // namespace

Chain::Chain(Outcomes outcomes) : outcomes_(std::move(outcomes)) {
  outcomes_.sort_rows();
  row_costs_ = RowCosts::of(outcomes_);
  for (std::size_t x = 0; x < states(); ++x) has_terminal_states_ |= is_terminal(x);
}

std::optional<Policy> unique_policy(const Mdp& model) {
  Policy policy(model.states(), no_action);
  for (std::size_t x = 0; x < model.states(); ++x) {
    if (model.action_count(x) > 1) return std::nullopt;
    if (!model.is_terminal(x)) policy[x] = model.action_of_row(model.state_begin()[x]);
  }
  return policy;
}

RandomisedPolicy uniform_policy(const Mdp& model) {
  RandomisedPolicy policy{std::vector<double>(model.outcomes().rows())};
  for (std::size_t x = 0; x < model.states(); ++x) {
    for (std::size_t r = model.state_begin()[x]; r < model.state_begin()[x + 1]; ++r) {
      policy.weight[r] = 1.0 / static_cast<double>(model.action_count(x));
    }
  }
  return policy;
}

Chain under_policy(const Mdp& model, const Policy& policy) {
  model.check_policy(policy);
  Outcomes outcomes;
  outcomes.cost_error = model.outcomes().cost_error;
  outcomes.probability_error = model.outcomes().probability_error;
  std::vector<std::size_t> rows;
  rows.reserve(model.states());
  std::size_t count = 0;
  for (std::size_t x = 0; x < model.states(); ++x) {
    if (model.is_terminal(x)) continue;
    rows.push_back(*model.find_row(x, policy[x]));
    count += model.law(rows.back()).next.size();
  }
  reserve(outcomes, model.states(), count);
  for (std::size_t x = 0, k = 0; x < model.states(); ++x) {
    if (!model.is_terminal(x)) append(outcomes, model.law(rows[k++]), 1.0, 0.0);
    outcomes.row_begin.push_back(outcomes.size());
  }
  return Chain(std::move(outcomes));
}

Chain under_policy(const Mdp& model, const RandomisedPolicy& policy, InducedCost induced_cost) {
  check_weights(model, policy);
  std::size_t count = 0;
  for (std::size_t r = 0; r < policy.weight.size(); ++r) {
    if (policy.weight[r] != 0.0) count += model.law(r).next.size();
  }
  Outcomes outcomes;
  reserve(outcomes, model.states(), count);
  for (std::size_t x = 0; x < model.states(); ++x) {
    CompensatedSum weight_sum;
    CompensatedSum induced_sum;
    double largest = 0.0;
    std::size_t actions = 0;
    for (std::size_t r = model.state_begin()[x]; r < model.state_begin()[x + 1]; ++r) {
      if (policy.weight[r] == 0.0) continue;
      ++actions;
      weight_sum.add(policy.weight[r]);
      induced_sum.add_product(policy.weight[r], mean_cost(model.law(r)));
      largest = std::max(largest, largest_cost(model.law(r)));
    }
    const bool shifted = induced_cost == InducedCost::averaged && actions > 1;
    const double induced = induced_sum.value() / weight_sum.value();
    for (std::size_t r = model.state_begin()[x]; r < model.state_begin()[x + 1]; ++r) {
      if (policy.weight[r] == 0.0) continue;
      const Outcomes::Row law = model.law(r);
      append(outcomes, law, policy.weight[r] / weight_sum.value(),
             shifted ? induced - mean_cost(law) : 0.0);
    }
    if (shifted) outcomes.cost_error = std::max(outcomes.cost_error, shift_units * unit * largest);
    outcomes.row_begin.push_back(outcomes.size());
  }
  // A weight is divided by a sum and multiplied by a probability. The rows of different actions
  // have different common factors, of two units each, which their mixture does not share.
  outcomes.probability_error = model.outcomes().probability_error + 4.0 * unit;
  return Chain(std::move(outcomes));
}

}  // namespace shortfall
