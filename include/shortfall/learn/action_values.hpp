#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shortfall/mdp/mdp.hpp"
#include "shortfall/mdp/random_bits.hpp"

namespace shortfall::learn {

/// A table of Q(x, a), one number for each row of a model, that is, for each action of a state;
/// initially zero. These are costs: the best action has the smallest Q.
class ActionValues {
 public:
  explicit ActionValues(const Mdp& model);

  std::size_t states() const { return state_begin_.size() - 1; }
  std::size_t rows() const { return q_.size(); }
  bool is_terminal(StateIndex x) const { return state_begin_[x] == state_begin_[x + 1]; }

  /// The first row of state x; its rows end where those of the next state begin.
  std::size_t first_row(StateIndex x) const { return state_begin_[x]; }
  std::size_t action_count(StateIndex x) const { return state_begin_[x + 1] - state_begin_[x]; }
  ActionIndex action(std::size_t row) const { return action_of_row_[row]; }
  /// Throws InvalidInput if x is not a state or does not have the action.
  std::size_t row(StateIndex x, ActionIndex a) const;

  /// Throws InvalidInput unless `found` is the number of states here.
  void check_states(std::size_t found) const {
    if (found != states()) throw_states(found);
  }

  double operator[](std::size_t row) const { return q_[row]; }
  double& operator[](std::size_t row) { return q_[row]; }
  std::span<const double> all() const { return q_; }

  /// The row with the smallest Q, ties to the smallest action; x must not be terminal.
  std::size_t greedy_row(StateIndex x) const;
  /// min over a of Q(x, a), 0 if x is terminal.
  double value(StateIndex x) const { return is_terminal(x) ? 0.0 : q_[greedy_row(x)]; }

  std::vector<double> values() const;  ///< by state
  Policy policy() const;               ///< greedy; no_action in terminal states

 private:
  [[noreturn]] void throw_states(std::size_t found) const;

  std::vector<std::size_t> state_begin_;
  std::vector<ActionIndex> action_of_row_;
  std::vector<double> q_;
};

/// Takes each action of a state with the same probability. One draw.
struct UniformExploration {
  template <RandomBits G>
  std::size_t operator()(const ActionValues& q, StateIndex x, G& bits) const {
    return q.first_row(x) + draw_index(bits, static_cast<std::uint32_t>(q.action_count(x)));
  }
};

/// Uniform with probability ε, else greedy. One draw, or two when it explores.
class EpsilonGreedy {
 public:
  /// Throws InvalidInput for ε outside [0, 1]. With ε = 0 some actions may never be tried again,
  /// and there is no guarantee of convergence.
  explicit EpsilonGreedy(double epsilon);
  double epsilon() const { return epsilon_; }

  template <RandomBits G>
  std::size_t operator()(const ActionValues& q, StateIndex x, G& bits) const {
    return draw_uniform(bits) < epsilon_ ? UniformExploration{}(q, x, bits) : q.greedy_row(x);
  }

 private:
  double epsilon_;
};

}  // namespace shortfall::learn
