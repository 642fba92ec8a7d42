#include "bindings/mdp/policies.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"

namespace shortfall::python {
namespace {

std::string shape_text(const Doubles& weights) {
  return py::str(py::object(weights.attr("shape"))).cast<std::string>();
}

/// From an N × A array; column a is for the a-th action id.
RandomisedPolicy randomised(const Mdp& model, const Doubles& weights) {
  require(static_cast<std::size_t>(weights.shape(0)) == model.states(),
          "a policy of shape {}; accepted: a row for each of {} states", shape_text(weights),
          model.states());
  RandomisedPolicy policy;
  const py::ssize_t actions = weights.shape(1);
  for (std::size_t x = 0; x < model.states(); ++x) {
    std::size_t r = model.state_begin()[x];
    for (py::ssize_t a = 0; a < actions; ++a) {
      if (r < model.state_begin()[x + 1] && model.action_of_row(r) == a) {
        policy.weight.push_back(weights.at(x, a));
        ++r;
      } else if (weights.at(x, a) != 0.0) {
        throw InvalidInput(
            fmt::format("state {}: weight {} for action {}, which it does not have; accepted: 0",
                        x + model.state_base(), weights.at(x, a), a + model.action_base()));
      }
    }
    policy.weight.resize(model.state_begin()[x + 1], 0.0);
  }
  return policy;
}

RandomisedPolicy randomised(const Mdp& model, const py::object& policy) {
  if (!py::isinstance<py::str>(policy)) return randomised(model, policy.cast<Doubles>());
  require(policy.equal(py::str("uniform")),
          "the policy {}; accepted: 'uniform', action ids, or probabilities by state and action",
          py::repr(policy).cast<std::string>());
  return uniform_policy(model);
}

}  // namespace

Policy policy_of(const Mdp& model, const Integers& ids) {
  Policy policy;
  for (const std::int64_t id : vector_span(ids, "the policy")) {
    const std::int64_t action = id == no_action ? no_action : id - model.action_base();
    const bool fits =
        action == no_action ||
        (action >= 0 && action <= std::int64_t{std::numeric_limits<ActionIndex>::max()});
    require(fits,
            "the policy contains {}; accepted: action ids, -1 for terminal "
            "states",
            id);
    policy.push_back(static_cast<ActionIndex>(action));
  }
  model.check_policy(policy);
  return policy;
}

void add_base(Policy& policy, const Mdp& model) {
  for (ActionIndex& action : policy) {
    if (action != no_action) action += model.action_base();
  }
}

std::optional<Policy> fixed_policy(const Mdp& model, const py::object& policy) {
  if (policy.is_none()) {
    std::optional<Policy> only = unique_policy(model);
    require(only.has_value(), "a policy is missing, but states have a choice; accepted: a policy");
    return only;
  }
  if (py::isinstance<py::str>(policy)) return std::nullopt;
  const auto array = py::array::ensure(policy);
  if (array && array.ndim() == 2) return std::nullopt;
  return policy_of(model, policy.cast<Integers>());
}

Chain chain_of(const io::LoadedModel& model, const py::object& policy,
               const std::string& induced_cost) {
  const InducedCost cost = value_named(induced_cost, induced_cost_names, "induced cost");
  if (const auto fixed = fixed_policy(model.model, policy)) {
    return under_policy(model.model, *fixed);
  }
  return under_policy(model.model, randomised(model.model, policy), cost);
}

}  // namespace shortfall::python
