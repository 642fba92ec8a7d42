#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/outcomes.hpp"
#include "shortfall/mdp/row_costs.hpp"

namespace shortfall {
namespace detail {
class DistributedModel;
}

using ActionIndex = std::int32_t;
inline constexpr ActionIndex no_action = -1;  ///< the entry of a policy for a terminal state

/// A deterministic policy: the action taken in each state, `no_action` where it is terminal.
using Policy = std::vector<ActionIndex>;

/// A type of its own, so that the probability and the cost of an outcome cannot be swapped.
struct Probability {
  explicit constexpr Probability(double p) : value(p) {}
  double value;
};

/// Transitions as a table, one row per outcome, in any order, from which a model is built. `from`,
/// `action` and `to` count from 0; messages and files add the bases to them.
struct TransitionTable {
  std::vector<StateIndex> from;
  std::vector<ActionIndex> action;
  std::vector<StateIndex> to;
  std::vector<double> probability;
  std::vector<double> cost;
  StateIndex state_base = 0;
  ActionIndex action_base = 0;

  /// Adds an outcome: table.add(0, 0, 1, Probability(0.5), 2.0).
  void add(StateIndex x, ActionIndex a, StateIndex x_next, Probability p, double c);
  std::size_t rows() const { return from.size(); }
};

/// The same, already grouped, as sparse matrices are: row r of `outcomes` is the law of action[r]
/// in the state x with state_begin[x] ≤ r < state_begin[x + 1], with the actions of a state in
/// increasing order. A state without rows is terminal.
struct GroupedTable {
  std::vector<std::size_t> state_begin{0};
  std::vector<ActionIndex> action;
  Outcomes outcomes;
  StateIndex state_base = 0;
  ActionIndex action_base = 0;
};

/// A table that is not a model; `row()` is the first invalid row of the table.
class InvalidModel : public InvalidInput {
 public:
  InvalidModel(const std::string& message, std::size_t row) : InvalidInput(message), row_(row) {}
  std::size_t row() const { return row_; }

 private:
  std::size_t row_;
};

/// How far the computed sum of a row's probabilities can be from one after they were rescaled. With
/// unit roundoff u, the sum that divides them, the divisions and the sum of the results are off by
/// 2u, u and 2u (compensated_sum.hpp), in total 5u; this is 8u.
inline constexpr double rescaled_tolerance = 4 * std::numeric_limits<double>::epsilon();

/// A finite Markov decision process with costs on outcomes. Each state has its own set of actions;
/// a state with none is terminal and has value 0. Immutable: a value of this type is a valid model.
class Mdp {
 public:
  Mdp() = default;  ///< without states, to be assigned to

  /// Groups the table by state and action and checks it: finite costs, probabilities ≥ 0 that sum
  /// to one within `probability_tolerance` (and are rescaled to do so within `rescaled_tolerance`;
  /// those that do keep their bits, as when a model is written and read), no missing state index,
  /// no action that no state has. Outcomes of probability 0 are left out. Throws InvalidModel,
  /// which names the state, the action and the problem.
  static Mdp build(TransitionTable table);

  /// The same checks, except for missing indices, in parallel and without a copy.
  static Mdp build(GroupedTable table);

  /// A table that a model was before, as a file stores it. Nothing is rescaled, left out or sorted,
  /// so that the model has the same bits as the one that was stored. Throws InvalidModel unless
  /// build() could have made it: probabilities in (0, 1] that sum to one within
  /// `rescaled_tolerance`, finite costs, rows in order of `next`, actions of a state in order.
  static Mdp restore(GroupedTable table);

  std::size_t states() const { return state_begin_.size() - 1; }
  std::size_t action_count(std::size_t x) const { return state_begin_[x + 1] - state_begin_[x]; }
  bool is_terminal(std::size_t x) const { return action_count(x) == 0; }
  bool has_terminal_states() const { return has_terminal_states_; }

  /// Row r in outcomes() belongs to the state x with state_begin()[x] ≤ r < state_begin()[x + 1];
  /// rows of a state are in increasing order of action.
  const std::vector<std::size_t>& state_begin() const { return state_begin_; }
  ActionIndex action_of_row(std::size_t row) const { return action_of_row_[row]; }
  const std::vector<ActionIndex>& actions_of_rows() const { return action_of_row_; }
  std::optional<std::size_t> find_row(std::size_t x, ActionIndex action) const;

  const Outcomes& outcomes() const { return outcomes_; }
  const RowCosts& row_costs() const { return row_costs_; }
  Outcomes::Row law(std::size_t row) const { return outcomes_.row(row); }

  StateIndex state_base() const { return state_base_; }
  ActionIndex action_base() const { return action_base_; }

  /// The same model in another unit of money: all costs divided by a positive number.
  Mdp with_costs_divided(double divisor) const;

  /// Throws InvalidInput unless `policy` gives every state one of its actions
  /// (terminal: no_action).
  void check_policy(const Policy& policy) const;

 private:
  friend detail::DistributedModel;
  Mdp(GroupedTable&& table, RowCosts&& row_costs);  ///< from rows that are valid

  std::vector<std::size_t> state_begin_{0};
  std::vector<ActionIndex> action_of_row_;
  Outcomes outcomes_;
  RowCosts row_costs_;
  StateIndex state_base_ = 0;
  ActionIndex action_base_ = 0;
  bool has_terminal_states_ = false;
};

}  // namespace shortfall
