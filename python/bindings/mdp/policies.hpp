#pragma once

#include <optional>
#include <string>

#include "arrays.hpp"
#include "shortfall/io/model_csv.hpp"
#include "shortfall/mdp/chain.hpp"

/// Policies as Python gives and takes them: action ids, with the base of the model.
namespace shortfall::python {

/// From ids, -1 where a state is terminal. Throws InvalidInput where it does not fit the model.
Policy policy_of(const Mdp& model, const Integers& ids);

/// Turns the actions of a policy into ids.
void add_base(Policy& policy, const Mdp& model);

/// A policy as an argument: 1-D ids, or None where there is nothing to choose. Nothing where it is
/// randomised.
std::optional<Policy> fixed_policy(const Mdp& model, const py::object& policy);

/// The chain under a policy: 1-D ids, 2-D probabilities, or None where there is nothing to choose.
Chain chain_of(const io::LoadedModel& model, const py::object& policy,
               const std::string& induced_cost);

void bind_chain(py::module_& core);

}  // namespace shortfall::python
