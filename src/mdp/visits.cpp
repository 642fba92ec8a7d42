#include "shortfall/mdp/visits.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "errors/require.hpp"
#include "mdp/restarted_chain.hpp"
#include "shortfall/mdp/stationary.hpp"
#include "shortfall/risk/compensated_sum.hpp"

namespace shortfall {
namespace {

void check_restarts(const Chain& chain, const Restarts& restarts) {
  require(restarts.start.size() == chain.states(),
          "the law of starts has {} entries; accepted: one for each of {} states",
          restarts.start.size(), chain.states());
  require(restarts.probability >= 0.0 && restarts.probability < 1.0,
          "a restart with probability {}; accepted: a number of at least 0 and below 1",
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
    // Where a restart leads to several states, the class of the extra state has others, too.
    const std::size_t first = classes.begin[k];
    const bool is_extra = classes.members[first] >= kept.states.size();
    return std::size_t{kept.states[classes.members[is_extra ? first + 1 : first]]} + base;
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
  const RestartedChain restarted = with_restarts(chain, restarts, kept);
  const CommunicatingClasses classes = communicating_classes(restarted.chain);
  const StateIndex own =
      last_class(restarted.chain, classes, reached_from_starts(restarted.chain, restarts, kept),
                 kept, state_base);
  const Kept visited(restarted.chain.states(),
                     [&](std::size_t x) { return classes.class_of[x] == own; });
  const std::vector<double> shares =
      stationary_law(restricted(restarted.chain, visited)).probability;

  Visits visits{.q = std::vector<double>(chain.states(), 0.0),
                .not_visited = {},
                .ergodicity = ergodicity_of(restarted, kept)};
  for (std::size_t i = 0; i < kept.states.size(); ++i) {
    const StateIndex x = kept.states[i];
    if (visited.place[i] == Kept::nowhere) {
      visits.not_visited.push_back(x);
    } else {
      visits.q[x] = shares[visited.place[i]];
    }
  }
  // The rest is the share of the extra state, in which no time is spent.
  if (restarted.hub) {
    const double sum = compensated_sum(visits.q);
    for (double& share : visits.q) share /= sum;
  }
  return visits;
}

}  // namespace shortfall
