#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>

#include "bindings/interruptible.hpp"
#include "bindings/mdp/policies.hpp"
#include "errors/require.hpp"
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

}  // namespace shortfall::python
