#include "shortfall/mdp/ergodicity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>

#include "mdp/successors.hpp"

namespace shortfall {
namespace {

constexpr StateIndex unvisited = std::numeric_limits<StateIndex>::max();
constexpr std::size_t longest_list = 8;

/// The smallest state of the largest class; ties go to the class with the smallest state.
StateIndex reference_state(const CommunicatingClasses& classes) {
  std::size_t largest = 0;
  for (std::size_t k = 0; k < classes.count(); ++k) largest = std::max(largest, classes.size(k));
  StateIndex x = 0;
  while (classes.size(classes.class_of[x]) < largest) ++x;
  return x;
}

/// By class, whether it reaches class `target`: successors have smaller numbers.
std::vector<bool> reaches(const Chain& chain, const CommunicatingClasses& classes,
                          StateIndex target) {
  std::vector<bool> result(classes.count(), false);
  result[target] = true;
  for (std::size_t k = target + std::size_t{1}; k < classes.count(); ++k) {
    for (std::size_t i = classes.begin[k]; i < classes.begin[k + 1] && !result[k]; ++i) {
      for_each_successor(chain, classes.members[i], [&](StateIndex y) {
        if (result[classes.class_of[y]]) result[k] = true;
      });
    }
  }
  return result;
}

/// By class, whether it can be reached from class `source`.
std::vector<bool> reached_from(const Chain& chain, const CommunicatingClasses& classes,
                               StateIndex source) {
  std::vector<bool> result(classes.count(), false);
  result[source] = true;
  for (std::size_t k = source + std::size_t{1}; k-- > 0;) {
    if (!result[k]) continue;
    for (std::size_t i = classes.begin[k]; i < classes.begin[k + 1]; ++i) {
      for_each_successor(chain, classes.members[i],
                         [&](StateIndex y) { result[classes.class_of[y]] = true; });
    }
  }
  return result;
}

/// Length of a shortest path from `start` to each state of an irreducible chain.
std::vector<StateIndex> distances(const Chain& chain, StateIndex start) {
  std::vector<StateIndex> distance(chain.states(), unvisited);
  std::vector<StateIndex> queue{start};
  queue.reserve(chain.states());
  distance[start] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const StateIndex x = queue[head];
    for_each_successor(chain, x, [&](StateIndex y) {
      if (distance[y] != unvisited) return;
      distance[y] = distance[x] + 1;
      queue.push_back(y);
    });
  }
  return distance;
}

/// A transition x → y gives two walks from the start to y, of lengths d(x) + 1 and d(y); the period
/// divides their difference, and is the greatest common divisor of all such differences.
std::size_t period_of(const Chain& chain, const std::vector<StateIndex>& distance) {
  std::size_t period = 0;
  for (std::size_t x = 0; x < chain.states(); ++x) {
    for_each_successor(chain, x, [&](StateIndex y) {
      period = std::gcd(period, std::size_t{distance[x]} + 1 - distance[y]);
    });
  }
  return period;
}

std::string list(const std::vector<StateIndex>& states, StateIndex base) {
  std::string text;
  const std::size_t shown = std::min(states.size(), longest_list);
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", std::size_t{states[i]} + base);
  }
  if (shown < states.size()) text += fmt::format(", .. ({} in all)", states.size());
  return text;
}

}  // namespace

CommunicatingClasses communicating_classes(const Chain& chain) {
  const Outcomes& outcomes = chain.outcomes();
  const std::size_t states = chain.states();
  CommunicatingClasses classes;
  classes.class_of.assign(states, unvisited);
  classes.members.reserve(states);

  std::vector<StateIndex> number(states, unvisited);  // in order of discovery
  std::vector<StateIndex> low(states);                // smallest number seen from the subtree
  std::vector<std::size_t> next_outcome(states);
  std::vector<StateIndex> open;  // discovered, class not yet known
  std::vector<StateIndex> path;  // the call stack of the recursive form
  StateIndex discovered = 0;
  const auto discover = [&](StateIndex x) {
    number[x] = low[x] = discovered++;
    next_outcome[x] = outcomes.row_begin[x];
    open.push_back(x);
    path.push_back(x);
  };

  for (std::size_t root = 0; root < states; ++root) {
    if (number[root] != unvisited) continue;
    discover(static_cast<StateIndex>(root));
    while (!path.empty()) {
      const StateIndex x = path.back();
      if (next_outcome[x] < outcomes.row_begin[x + std::size_t{1}]) {
        const std::size_t outcome = next_outcome[x]++;
        if (outcomes.probability[outcome] == 0.0) continue;
        const StateIndex y = outcomes.next[outcome];
        if (number[y] == unvisited) {
          discover(y);
        } else if (classes.class_of[y] == unvisited) {
          low[x] = std::min(low[x], number[y]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[x]);
      if (low[x] != number[x]) continue;
      const auto k = static_cast<StateIndex>(classes.count());
      StateIndex member;
      do {
        member = open.back();
        open.pop_back();
        classes.class_of[member] = k;
        classes.members.push_back(member);
      } while (member != x);
      classes.begin.push_back(classes.members.size());
    }
  }
  return classes;
}

Ergodicity check_ergodicity(const Chain& chain) {
  Ergodicity result;
  const CommunicatingClasses classes = communicating_classes(chain);
  if (classes.count() == 0) return result;
  result.reference = reference_state(classes);
  for (std::size_t x = 0; x < chain.states(); ++x) {
    if (chain.is_terminal(x)) result.terminal.push_back(static_cast<StateIndex>(x));
  }
  if (classes.count() == 1 && result.terminal.empty()) {
    const std::vector<StateIndex> distance = distances(chain, result.reference);
    result.period = period_of(chain, distance);
    result.cyclic_class.reserve(chain.states());
    for (const StateIndex d : distance) {
      result.cyclic_class.push_back(static_cast<StateIndex>(d % result.period));
    }
    return result;
  }
  const StateIndex own = classes.class_of[result.reference];
  const std::vector<bool> returns = reaches(chain, classes, own);
  const std::vector<bool> reached = reached_from(chain, classes, own);
  for (std::size_t x = 0; x < chain.states(); ++x) {
    const auto state = static_cast<StateIndex>(x);
    if (!reached[classes.class_of[x]]) result.not_reached.push_back(state);
    if (!returns[classes.class_of[x]]) result.do_not_return.push_back(state);
  }
  return result;
}

std::string Ergodicity::message(StateIndex state_base) const {
  if (is_ergodic()) return "the chain is irreducible and aperiodic";
  if (is_irreducible()) {
    std::string text = fmt::format(
        "the chain is irreducible but periodic: it returns only after multiples of {} "
        "steps, moving in turn through",
        period);
    const std::size_t shown = std::min(period, longest_list);
    for (std::size_t k = 0; k < shown; ++k) {
      std::vector<StateIndex> members;
      for (std::size_t x = 0; x < cyclic_class.size(); ++x) {
        if (cyclic_class[x] == k) members.push_back(static_cast<StateIndex>(x));
      }
      text += fmt::format(" {{{}}}", list(members, state_base));
    }
    return shown < period ? text + " .." : text;
  }
  std::string text = "the chain is not irreducible";
  const char* separator = ": ";
  const auto add = [&](const std::vector<StateIndex>& states, std::string_view predicate) {
    if (states.empty()) return;
    text += fmt::format("{}state{} {} {}", separator, states.size() == 1 ? "" : "s",
                        list(states, state_base), predicate);
    separator = "; ";
  };
  const std::size_t seen_from = std::size_t{reference} + state_base;
  add(not_reached, fmt::format("cannot be reached from state {}", seen_from));
  add(do_not_return, fmt::format("cannot reach state {}", seen_from));
  add(terminal, terminal.size() == 1 ? "is terminal" : "are terminal");
  return text;
}

}  // namespace shortfall
