#pragma once

#include <optional>
#include <string>

#include "bindings/arrays.hpp"
#include "shortfall/formats/model_csv.hpp"
#include "shortfall/mdp/chain.hpp"

/// Policies in Python: action ids that start at the base of the model.
namespace shortfall::python {

/// From ids, -1 for terminal states. Throws InvalidInput if they do not fit the model.
Policy policy_of(const Mdp& model, const Integers& ids);

/// Turns the actions of a policy into ids.
void add_base(Policy& policy, const Mdp& model);

/// A policy argument: 1-D ids, or None if no state has a choice. Returns nothing for a randomised
/// policy, which is also "uniform".
std::optional<Policy> fixed_policy(const Mdp& model, const py::object& policy);

/// The chain under a policy: 1-D ids, 2-D probabilities, "uniform", or None if no state has a
/// choice.
Chain chain_of(const io::LoadedModel& model, const py::object& policy,
               const std::string& induced_cost);

void bind_chain(py::module_& core);

}  // namespace shortfall::python
