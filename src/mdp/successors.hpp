#pragma once

#include <cstddef>

#include "shortfall/mdp/chain.hpp"

namespace shortfall {

/// Calls `visit` with each state to which `x` leads with positive probability. Files may list
/// outcomes of probability 0, which never happen.
template <class Visit>
void for_each_successor(const Chain& chain, std::size_t x, const Visit& visit) {
  const Outcomes::Row law = chain.law(x);
  for (std::size_t i = 0; i < law.next.size(); ++i) {
    if (law.probability[i] > 0.0) visit(law.next[i]);
  }
}

}  // namespace shortfall
