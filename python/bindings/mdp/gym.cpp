#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "bindings/interruptible.hpp"
#include "bindings/mdp/tables.hpp"
#include "errors/require.hpp"

namespace shortfall::python {
namespace {

struct Outcome {
  double probability;
  std::int64_t next_state;
  double reward;
  bool done;
};

/// By state and action.
using Transitions = std::map<std::int64_t, std::map<std::int64_t, std::vector<Outcome>>>;

constexpr const char* accepted =
    "{state: {action: [(probability, next_state, reward, done), ...]}}, states and actions from 0";

std::int64_t id_of(py::handle key, std::int64_t largest) {
  const std::int64_t id = key.cast<std::int64_t>();
  if (id >= 0 && id <= largest) return id;
  throw InvalidInput(fmt::format("id {}; accepted: {}", id, accepted));
}

Outcome outcome_of(py::handle entry) {
  const auto parts = entry.cast<py::sequence>();
  require(parts.size() == 4, "an outcome with {} entries; accepted: {}", parts.size(), accepted);
  return {parts[0].cast<double>(), parts[1].cast<std::int64_t>(), parts[2].cast<double>(),
          py::bool_(parts[3]).cast<bool>()};
}

Transitions read(const py::dict& given) {
  constexpr std::int64_t largest_state = std::numeric_limits<StateIndex>::max() - 1;
  constexpr std::int64_t largest_action = std::numeric_limits<ActionIndex>::max();
  Transitions transitions;
  try {
    for (const auto& [state, actions] : given) {
      auto& rows = transitions[id_of(state, largest_state)];
      for (const auto& [action, outcomes] : actions.cast<py::dict>()) {
        auto& row = rows[id_of(action, largest_action)];
        for (const py::handle outcome : outcomes) row.push_back(outcome_of(outcome));
      }
    }
  } catch (const py::cast_error&) {
    throw InvalidInput(fmt::format("keys or entries of a wrong type; accepted: {}", accepted));
  }
  return transitions;
}

void check_states(const Transitions& transitions) {
  const auto states = static_cast<std::int64_t>(transitions.size());
  const auto known = [states](std::int64_t x) { return x >= 0 && x < states; };
  for (const auto& [state, actions] : transitions) {
    require(known(state), "state {} of {}; accepted: all states numbered from 0", state, states);
    for (const auto& [action, outcomes] : actions) {
      for (const Outcome& outcome : outcomes) {
        if (known(outcome.next_state)) continue;
        throw InvalidInput(fmt::format("state {}, action {}: leads to state {}; accepted: 0 to {}",
                                       state, action, outcome.next_state, states - 1));
      }
    }
  }
}

/// Whether a state is terminal: every action stays in it, done and without reward.
bool is_terminal(std::int64_t state, const Transitions::mapped_type& actions) {
  return std::ranges::all_of(actions, [state](const auto& action) {
    return std::ranges::all_of(action.second, [state](const Outcome& outcome) {
      return outcome.next_state == state && outcome.done && outcome.reward == 0.0;
    });
  });
}

}  // namespace

io::LoadedModel model_of_gym(const py::dict& given) {
  const Transitions transitions = read(given);
  check_states(transitions);
  const auto end = static_cast<StateIndex>(transitions.size());
  bool needs_end = false;
  GroupedTable table;
  Outcomes& outcomes = table.outcomes;
  for (const auto& [state, actions] : transitions) {
    if (!is_terminal(state, actions)) {
      for (const auto& [action, row] : actions) {
        for (const auto& [probability, next, reward, done] : row) {
          const bool keeps_state = !done || is_terminal(next, transitions.at(next));
          needs_end = needs_end || !keeps_state;
          outcomes.probability.push_back(probability);
          outcomes.cost.push_back(in_sense(reward, io::Sense::reward));
          outcomes.next.push_back(keeps_state ? static_cast<StateIndex>(next) : end);
        }
        outcomes.row_begin.push_back(outcomes.size());
        table.action.push_back(static_cast<ActionIndex>(action));
      }
    }
    table.state_begin.push_back(table.action.size());
  }
  if (needs_end) table.state_begin.push_back(table.action.size());
  return {without_interpreter([&] { return Mdp::build(std::move(table)); }), io::Sense::reward};
}

}  // namespace shortfall::python
