#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "shortfall/mdp/mdp.hpp"
#include "shortfall/mdp/outcomes.hpp"
#include "shortfall/mdp/row_costs.hpp"
#include "shortfall/names/names.hpp"

namespace shortfall {

/// A Markov chain with costs: the model under a fixed policy. Row x of outcomes() is the law of
/// (cost, next state) in state x, empty where x is terminal.
class Chain {
 public:
  /// The rows must already be laws, as those of Mdp::build and under_policy are.
  explicit Chain(Outcomes outcomes);

  std::size_t states() const { return outcomes_.rows(); }
  bool is_terminal(std::size_t x) const {
    return outcomes_.row_begin[x] == outcomes_.row_begin[x + 1];
  }
  bool has_terminal_states() const { return has_terminal_states_; }
  const Outcomes& outcomes() const { return outcomes_; }
  const RowCosts& row_costs() const { return row_costs_; }
  Outcomes::Row law(std::size_t x) const { return outcomes_.row(x); }

 private:
  Outcomes outcomes_;
  RowCosts row_costs_;
  bool has_terminal_states_ = false;
};

/// A randomised policy: weight[r] is π(a|x) for row r of the model, action a in state x.
struct RandomisedPolicy {
  std::vector<double> weight;
};

/// How the action chosen by a randomised policy affects the cost.
enum class InducedCost {
  /// The paper's c^π(x) = Σ_a π(a|x) c(x,a): the choice of action adds no cost risk of its own. If
  /// costs vary with the outcome, each keeps its deviation from its action's mean.
  averaged,
  /// Outcomes keep their costs, so the risk is also taken over the choice of action.
  mixture
};
inline constexpr Names<InducedCost, 2> induced_cost_names{
    {{"averaged", InducedCost::averaged}, {"mixture", InducedCost::mixture}}};

/// The policy of a model in which no state has a choice; nullopt if one has.
std::optional<Policy> unique_policy(const Mdp& model);

/// All actions of a state equally likely.
RandomisedPolicy uniform_policy(const Mdp& model);

Chain under_policy(const Mdp& model, const Policy& policy);

/// The chain with kernel P^π(x'|x) = Σ_a π(a|x) P(x'|x,a). Throws InvalidInput unless the weights
/// of every state are ≥ 0 and sum to one.
Chain under_policy(const Mdp& model, const RandomisedPolicy& policy, InducedCost induced_cost);

}  // namespace shortfall
