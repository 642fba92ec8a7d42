#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "bindings/interruptible.hpp"
#include "bindings/mdp/tables.hpp"
#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/learn/trajectory.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/random_streams.hpp"
#include "shortfall/mdp/sampler.hpp"

namespace shortfall::python {

namespace {

/// Uses the same random numbers as replication 0 of `replicate`.
py::tuple sample(const Chain& chain, std::size_t steps, std::uint64_t seed, StateIndex start) {
  require(start < chain.states(), "start {}; accepted: 0 to {}", start, chain.states() - 1);
  const auto count = static_cast<py::ssize_t>(steps);
  py::array_t<StateIndex> state(count);
  py::array_t<double> cost(count);
  py::array_t<StateIndex> next_state(count);
  py::array_t<bool> terminal(count);
  auto* const states = state.mutable_data();
  auto* const costs = cost.mutable_data();
  auto* const next_states = next_state.mutable_data();
  auto* const ends = terminal.mutable_data();
  interruptible([&](const Monitor& monitor) {
    constexpr std::size_t check_every = 1 << 16;
    const ChainSampler sampler(chain);
    pcg64 bits(seed, 0);
    learn::Trajectory path(sampler, learn::StartAt<StateIndex>{start}, bits);
    for (std::size_t i = 0; i < steps; ++i) {
      if (i % check_every == 0 && monitor({}) == Request::stop) return;
      const auto transition = path.step(bits);
      states[i] = transition.x;
      costs[i] = transition.cost;
      next_states[i] = transition.next;
      ends[i] = transition.ends;
    }
  });
  return py::make_tuple(state, cost, next_state, terminal);
}

}  // namespace

void bind_chain(py::module_& core) {
  py::class_<Chain, std::shared_ptr<Chain>>(core, "Chain", R"doc(
A Markov chain with costs: a model under a policy, `model.under_policy(policy)`. It always uses
costs, never rewards.
)doc")
      .def_property_readonly("states", &Chain::states)
      .def_property_readonly("has_terminal_states", &Chain::has_terminal_states)
      .def_property_readonly(
          "outcomes", [](const Chain& chain) { return &chain.outcomes(); },
          py::return_value_policy::reference_internal, "Row x is the distribution in state x.")
      .def("sample", &sample, py::arg("steps"), py::kw_only(), py::arg("seed") = 1,
           py::arg("start") = 0, R"doc(
A sample path: arrays (state, cost, next_state, terminal) with one entry per step. After a terminal
state it restarts at `start`. The same seed gives the same path.

Examples
--------
>>> chain = sf.Mdp([np.array([[0.5, 0.5], [1.0, 0.0]])], cost=[1.0, 2.0]).under_policy()
>>> state, cost, next_state, terminal = chain.sample(3)
>>> bool(np.all(next_state[:-1] == state[1:]))
True
)doc")
      .def("__repr__", [](const Chain& chain) {
        return fmt::format("Chain({} states, {} outcomes)", chain.states(),
                           chain.outcomes().size());
      });
}

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
