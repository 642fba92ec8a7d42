#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "shortfall/mdp/chain.hpp"

namespace shortfall::testing {

struct Move {
  double probability;
  StateIndex next;
  double cost = 0.0;
};

/// The chain whose state x has the moves rows[x]; none makes it terminal.
inline Chain chain_of(const std::vector<std::vector<Move>>& rows) {
  Outcomes outcomes;
  for (const auto& row : rows) {
    for (const Move& move : row) {
      outcomes.probability.push_back(move.probability);
      outcomes.cost.push_back(move.cost);
      outcomes.next.push_back(move.next);
    }
    outcomes.row_begin.push_back(outcomes.size());
  }
  return Chain(std::move(outcomes));
}

/// The chain that moves from x to each of successors[x] with equal probability.
inline Chain graph_of(const std::vector<std::vector<StateIndex>>& successors) {
  std::vector<std::vector<Move>> rows;
  for (const auto& next : successors) {
    rows.emplace_back();
    for (const StateIndex y : next)
      rows.back().push_back({1.0 / static_cast<double>(next.size()), y});
  }
  return chain_of(rows);
}

}  // namespace shortfall::testing
