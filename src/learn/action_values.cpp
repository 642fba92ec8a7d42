#include "shortfall/learn/action_values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/learn/detail/input_checks.hpp"

namespace shortfall::learn {

ActionValues::ActionValues(const Mdp& model)
    : state_begin_(model.state_begin()), q_(model.outcomes().rows(), 0.0) {
  action_of_row_.reserve(q_.size());
  for (std::size_t r = 0; r < q_.size(); ++r) action_of_row_.push_back(model.action_of_row(r));
}

std::size_t ActionValues::row(StateIndex x, ActionIndex a) const {
  if (x >= states()) detail::throw_no_state(x, states());
  const auto begin = action_of_row_.begin() + static_cast<std::ptrdiff_t>(state_begin_[x]);
  const auto end = action_of_row_.begin() + static_cast<std::ptrdiff_t>(state_begin_[x + 1]);
  const auto found = std::lower_bound(begin, end, a);
  require(found != end && *found == a, "state {} has no action {}; accepted: one of its {}", x, a,
          action_count(x));
  return static_cast<std::size_t>(found - action_of_row_.begin());
}

void ActionValues::throw_states(std::size_t found) const {
  throw InvalidInput(
      fmt::format("a model with {} states; accepted: the learned model, with {}", found, states()));
}

std::size_t ActionValues::greedy_row(StateIndex x) const {
  std::size_t best = state_begin_[x];
  for (std::size_t r = best + 1; r < state_begin_[x + 1]; ++r) {
    if (q_[r] < q_[best]) best = r;
  }
  return best;
}

std::vector<double> ActionValues::values() const {
  std::vector<double> values(states());
  for (std::size_t x = 0; x < values.size(); ++x) values[x] = value(static_cast<StateIndex>(x));
  return values;
}

Policy ActionValues::policy() const {
  Policy policy(states(), no_action);
  for (std::size_t x = 0; x < policy.size(); ++x) {
    const auto state = static_cast<StateIndex>(x);
    if (!is_terminal(state)) policy[x] = action_of_row_[greedy_row(state)];
  }
  return policy;
}

EpsilonGreedy::EpsilonGreedy(double epsilon) : epsilon_(epsilon) {
  require(epsilon >= 0.0 && epsilon <= 1.0, "epsilon = {}; accepted: a number from 0 to 1",
          epsilon);
}

}  // namespace shortfall::learn
