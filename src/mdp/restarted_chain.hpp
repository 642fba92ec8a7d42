#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "shortfall/mdp/visits.hpp"

namespace shortfall {

/// States renumbered without some of them.
struct Kept {
  static constexpr StateIndex nowhere = static_cast<StateIndex>(-1);

  std::vector<StateIndex> states;  ///< those that are kept, in increasing order
  std::vector<StateIndex> place;   ///< by state: its new number, or nowhere

  template <class Keep>
  Kept(std::size_t count, const Keep& keep) : place(count, nowhere) {
    for (std::size_t x = 0; x < count; ++x) {
      if (!keep(x)) continue;
      place[x] = static_cast<StateIndex>(states.size());
      states.push_back(static_cast<StateIndex>(x));
    }
  }
};

/// The chain P' of visits.hpp on the non-terminal states, without costs and without outcomes of
/// probability 0. If restarts lead to k > 1 states, P' has up to k outcomes more in every state.
/// Instead there is one more state, the hub: a restart leads there, and on to one of the k states
/// in no time. So the size is linear in that of the chain.
struct RestartedChain {
  Chain chain;
  std::optional<StateIndex> hub;  ///< the last state, if there is one
};

RestartedChain with_restarts(const Chain& chain, const Restarts& restarts, const Kept& kept);

/// The ergodicity of P', with states numbered as in the original chain.
Ergodicity ergodicity_of(const RestartedChain& restarted, const Kept& kept);

}  // namespace shortfall
