#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/generative_model.hpp"
#include "shortfall/mdp/mdp.hpp"
#include "shortfall/mdp/outcomes.hpp"
#include "shortfall/mdp/random_bits.hpp"

namespace shortfall {

/// Draws (cost, next state) from the rows of compressed outcomes with one draw of 64 bits and one
/// memory access. Each row is an alias table; all of them lie in one array, and a cell holds both
/// of its possible outcomes. Keeps a copy of all it needs.
class OutcomeSampler {
 public:
  /// Outcome 0 if the fraction drawn is below the threshold, else outcome 1.
  struct Cell {
    double threshold;
    double cost[2];
    StateIndex next[2];
  };

  explicit OutcomeSampler(const Outcomes& outcomes);

  std::size_t rows() const { return row_begin_.size() - 1; }
  std::span<const Cell> cells(std::size_t row) const {
    return std::span(cells_).subspan(row_begin_[row], row_begin_[row + 1] - row_begin_[row]);
  }

  /// The row must not be empty.
  template <RandomBits G>
  Step<StateIndex> draw(std::size_t row, G& bits) const {
    const std::size_t begin = row_begin_[row];
    const auto [index, fraction] =
        split_draw(bits(), static_cast<std::uint32_t>(row_begin_[row + 1] - begin));
    const Cell& cell = cells_[begin + index];
    const std::size_t which = fraction < cell.threshold ? 0 : 1;
    return {cell.cost[which], cell.next[which]};
  }

 private:
  std::vector<std::size_t> row_begin_;
  std::vector<Cell> cells_;
};

/// A chain as a generative model.
class ChainSampler {
 public:
  using State = StateIndex;

  explicit ChainSampler(const Chain& chain) : outcomes_(chain.outcomes()) {}

  std::size_t states() const { return outcomes_.rows(); }
  bool is_terminal(StateIndex x) const { return outcomes_.cells(x).empty(); }

  /// `x` must not be terminal.
  template <RandomBits G>
  Step<StateIndex> step(StateIndex x, G& bits) const {
    return outcomes_.draw(x, bits);
  }

 private:
  OutcomeSampler outcomes_;
};

/// A decision process as a generative model.
class MdpSampler {
 public:
  using State = StateIndex;
  using Action = ActionIndex;

  explicit MdpSampler(const Mdp& model);

  std::size_t states() const { return state_begin_.size() - 1; }
  bool is_terminal(StateIndex x) const { return state_begin_[x] == state_begin_[x + 1]; }

  /// The actions of state x, in increasing order.
  std::span<const ActionIndex> actions(StateIndex x) const {
    return std::span(action_of_row_)
        .subspan(state_begin_[x], state_begin_[x + 1] - state_begin_[x]);
  }

  /// Throws InvalidInput if state x does not have action a.
  template <RandomBits G>
  Step<StateIndex> step(StateIndex x, ActionIndex a, G& bits) const {
    return outcomes_.draw(row(x, a), bits);
  }

 private:
  std::size_t row(StateIndex x, ActionIndex a) const;

  std::vector<std::size_t> state_begin_;
  std::vector<ActionIndex> action_of_row_;
  OutcomeSampler outcomes_;
  StateIndex state_base_;
  ActionIndex action_base_;
};

}  // namespace shortfall
