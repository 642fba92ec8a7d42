#include "mdp/restarted_chain.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "mdp/successors.hpp"

namespace shortfall {
namespace {

/// The period of an irreducible P' and its cyclic classes. Along any tree of paths from state 0,
/// every other transition closes two paths, and the period is the greatest common divisor of the
/// differences of their lengths. A step from the hub has length 0.
void find_period(const RestartedChain& restarted, Ergodicity& found) {
  const Chain& chain = restarted.chain;
  constexpr std::int64_t unknown = -1;
  std::vector<std::int64_t> length(chain.states(), unknown);
  std::vector<StateIndex> queue{0};
  length[0] = 0;
  const auto length_after = [&](StateIndex x) { return length[x] + (x == *restarted.hub ? 0 : 1); };
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for_each_successor(chain, queue[head], [&](StateIndex y) {
      if (length[y] != unknown) return;
      length[y] = length_after(queue[head]);
      queue.push_back(y);
    });
  }
  std::int64_t period = 0;
  for (const StateIndex x : queue) {
    for_each_successor(chain, x, [&](StateIndex y) {
      period = std::gcd(period, std::abs(length_after(x) - length[y]));
    });
  }
  found.period = static_cast<std::size_t>(period);
  for (std::size_t x = 0; x < chain.states(); ++x) {
    found.cyclic_class[x] = static_cast<StateIndex>(length[x] % period);
  }
}

/// With the states of the chain instead of those that were kept of it.
Ergodicity renumbered(Ergodicity found, const Kept& kept) {
  if (kept.states.size() == kept.place.size()) return found;
  const auto rename = [&](StateIndex& x) { x = kept.states[x]; };
  rename(found.reference);
  std::ranges::for_each(found.not_reached, rename);
  std::ranges::for_each(found.do_not_return, rename);
  if (found.cyclic_class.empty()) return found;
  // Terminal states belong to no class: a number that none has keeps them out of lists.
  std::vector<StateIndex> by_state(kept.place.size(), Kept::nowhere);
  for (std::size_t i = 0; i < kept.states.size(); ++i) {
    by_state[kept.states[i]] = found.cyclic_class[i];
  }
  found.cyclic_class = std::move(by_state);
  return found;
}

}  // namespace

RestartedChain with_restarts(const Chain& chain, const Restarts& restarts, const Kept& kept) {
  Outcomes outcomes;
  const auto add = [&](double probability, StateIndex next) {
    if (probability == 0.0) return;
    outcomes.probability.push_back(probability);
    outcomes.cost.push_back(0.0);
    outcomes.next.push_back(next);
  };
  const auto is_start = [&](StateIndex x) { return restarts.start[x] > 0.0; };
  const bool has_one_start = std::ranges::count_if(kept.states, is_start) == 1;
  const auto hub = static_cast<StateIndex>(kept.states.size());
  const StateIndex after_end =
      has_one_start ? kept.place[*std::ranges::find_if(kept.states, is_start)] : hub;
  const double p = restarts.probability;
  bool restarts_happen = false;
  for (const StateIndex x : kept.states) {
    const Outcomes::Row law = chain.law(x);
    double ends = 0.0;
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      if (chain.is_terminal(law.next[i])) {
        ends += law.probability[i];
      } else {
        add(p > 0.0 ? (1.0 - p) * law.probability[i] : law.probability[i], kept.place[law.next[i]]);
      }
    }
    const double again = ends + p * (1.0 - ends);
    add(again, after_end);
    restarts_happen = restarts_happen || again > 0.0;
    outcomes.row_begin.push_back(outcomes.size());
  }
  const bool has_hub = restarts_happen && !has_one_start;
  if (has_hub) {
    for (const StateIndex y : kept.states) add(restarts.start[y], kept.place[y]);
    outcomes.row_begin.push_back(outcomes.size());
  }
  outcomes.sort_rows();
  return {Chain(std::move(outcomes)), has_hub ? std::optional(hub) : std::nullopt};
}

Ergodicity ergodicity_of(const RestartedChain& restarted, const Kept& kept) {
  Ergodicity found = check_ergodicity(restarted.chain);
  if (restarted.hub) {
    if (found.is_irreducible()) {
      find_period(restarted, found);
      found.cyclic_class.pop_back();
    }
    std::erase(found.not_reached, *restarted.hub);
    std::erase(found.do_not_return, *restarted.hub);
  }
  return renumbered(std::move(found), kept);
}

}  // namespace shortfall
