#include "shortfall/mdp/visits.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "require.hpp"
#include "shortfall/mdp/stationary.hpp"

namespace shortfall {
namespace {

constexpr StateIndex nowhere = static_cast<StateIndex>(-1);

void check_restarts(const Chain& chain, const Restarts& restarts) {
  require(restarts.start.size() == chain.states(),
          "the law of starts has {} entries; accepted: one for each of {} states",
          restarts.start.size(), chain.states());
  require(restarts.probability >= 0.0 && restarts.probability < 1.0,
          "a restart with probability {}; accepted: a number from 0, below 1",
          restarts.probability);
  double sum = 0.0;
  for (std::size_t x = 0; x < chain.states(); ++x) {
    const double share = restarts.start[x];
    require(share >= 0.0 && (share == 0.0 || !chain.is_terminal(x)),
            "the law of starts has {} for state {}; accepted: 0 or more, and 0 where the state is "
            "terminal",
            share, x);
    sum += share;
  }
  require(std::abs(sum - 1.0) <= 1e-9, "the law of starts sums to {}; accepted: 1", sum);
}

/// States renumbered without some of them.
struct Kept {
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

/// P' on the non-terminal states, without costs.
Chain with_restarts(const Chain& chain, const Restarts& restarts, const Kept& kept) {
  Outcomes outcomes;
  const auto add = [&](double probability, StateIndex next) {
    outcomes.probability.push_back(probability);
    outcomes.cost.push_back(0.0);
    outcomes.next.push_back(next);
  };
  for (const StateIndex x : kept.states) {
    const Outcomes::Row law = chain.law(x);
    double ends = 0.0;
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      if (chain.is_terminal(law.next[i])) {
        ends += law.probability[i];
      } else {
        const double p = restarts.probability;
        add(p > 0.0 ? (1.0 - p) * law.probability[i] : law.probability[i], kept.place[law.next[i]]);
      }
    }
    const double again = ends + restarts.probability * (1.0 - ends);
    for (const StateIndex y : kept.states) {
      if (again > 0.0 && restarts.start[y] > 0.0) add(again * restarts.start[y], kept.place[y]);
    }
    outcomes.row_begin.push_back(outcomes.size());
  }
  outcomes.sort_rows();
  return Chain(std::move(outcomes));
}

/// The states that a path from the starts can reach.
std::vector<bool> reached_from_starts(const Chain& restarted, const Restarts& restarts,
                                      const Kept& kept) {
  std::vector<bool> reached(restarted.states(), false);
  std::vector<StateIndex> open;
  const auto reach = [&](StateIndex x) {
    if (reached[x]) return;
    reached[x] = true;
    open.push_back(x);
  };
  for (const StateIndex x : kept.states) {
    if (restarts.start[x] > 0.0) reach(kept.place[x]);
  }
  while (!open.empty()) {
    const StateIndex x = open.back();
    open.pop_back();
    for (const StateIndex y : restarted.law(x).next) reach(y);
  }
  return reached;
}

/// The class that is never left, among those reached.
StateIndex last_class(const Chain& restarted, const CommunicatingClasses& classes,
                      const std::vector<bool>& reached, const Kept& kept, StateIndex base) {
  std::vector<bool> is_left(classes.count(), false);
  for (std::size_t x = 0; x < restarted.states(); ++x) {
    for (const StateIndex y : restarted.law(x).next) {
      if (classes.class_of[y] != classes.class_of[x]) is_left[classes.class_of[x]] = true;
    }
  }
  std::vector<StateIndex> last;
  for (std::size_t k = 0; k < classes.count(); ++k) {
    if (!is_left[k] && reached[classes.members[classes.begin[k]]]) {
      last.push_back(static_cast<StateIndex>(k));
    }
  }
  const auto member = [&](StateIndex k) {
    return std::size_t{kept.states[classes.members[classes.begin[k]]]} + base;
  };
  require(last.size() == 1,
          "a path never leaves the states around {} once it is there, nor those around {}, so that "
          "what it visits depends on chance; accepted: a chain with one such set of states, "
          "another start, or restarts",
          member(last.front()), member(last.back()));
  return last.front();
}

Chain restricted(const Chain& chain, const Kept& kept) {
  Outcomes outcomes;
  for (const StateIndex x : kept.states) {
    const Outcomes::Row law = chain.law(x);
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      outcomes.probability.push_back(law.probability[i]);
      outcomes.cost.push_back(law.cost[i]);
      outcomes.next.push_back(kept.place[law.next[i]]);
    }
    outcomes.row_begin.push_back(outcomes.size());
  }
  return Chain(std::move(outcomes));
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
  std::vector<StateIndex> by_state(kept.place.size(), nowhere);
  for (std::size_t i = 0; i < kept.states.size(); ++i) {
    by_state[kept.states[i]] = found.cyclic_class[i];
  }
  found.cyclic_class = std::move(by_state);
  return found;
}

}  // namespace

Restarts restarts_at(const Chain& chain, StateIndex start) {
  require(start < chain.states() && !chain.is_terminal(start),
          "a start in state {}; accepted: a state that is not terminal", start);
  Restarts restarts{.start = std::vector<double>(chain.states(), 0.0)};
  restarts.start[start] = 1.0;
  return restarts;
}

Restarts uniform_restarts(const Chain& chain) {
  Restarts restarts{.start = std::vector<double>(chain.states(), 0.0)};
  std::size_t count = 0;
  for (std::size_t x = 0; x < chain.states(); ++x) count += chain.is_terminal(x) ? 0u : 1u;
  require(count > 0, "all states are terminal; accepted: a chain with transitions");
  for (std::size_t x = 0; x < chain.states(); ++x) {
    if (!chain.is_terminal(x)) restarts.start[x] = 1.0 / static_cast<double>(count);
  }
  return restarts;
}

Visits long_run_visits(const Chain& chain, const Restarts& restarts, StateIndex state_base) {
  check_restarts(chain, restarts);
  const Kept kept(chain.states(), [&](std::size_t x) { return !chain.is_terminal(x); });
  const Chain restarted = with_restarts(chain, restarts, kept);
  const CommunicatingClasses classes = communicating_classes(restarted);
  const StateIndex own = last_class(
      restarted, classes, reached_from_starts(restarted, restarts, kept), kept, state_base);
  const Kept visited(restarted.states(), [&](std::size_t x) { return classes.class_of[x] == own; });
  const std::vector<double> shares = stationary_law(restricted(restarted, visited)).probability;

  Visits visits{.q = std::vector<double>(chain.states(), 0.0),
                .not_visited = {},
                .ergodicity = renumbered(check_ergodicity(restarted), kept)};
  for (std::size_t i = 0; i < restarted.states(); ++i) {
    const StateIndex x = kept.states[i];
    if (visited.place[i] == nowhere) {
      visits.not_visited.push_back(x);
    } else {
      visits.q[x] = shares[visited.place[i]];
    }
  }
  return visits;
}

}  // namespace shortfall
