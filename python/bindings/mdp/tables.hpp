#pragma once

#include <optional>
#include <string>

#include "bindings/arrays.hpp"
#include "shortfall/formats/model_csv.hpp"
#include "shortfall/mdp/chain.hpp"

/// Models from tables with one row per outcome.
/// Policies in Python: action ids that start at the base of the model.
namespace shortfall::python {

/// The columns of a table.
struct Columns {
  Integers state;
  Integers action;
  Integers next_state;
  Doubles probability;
  Doubles amount;
};

/// Whether ids start at 0 or at the smallest id in the table.
enum class Bases { zero, smallest };

io::LoadedModel model_of_columns(const Columns& columns, io::Sense sense,
                                 Bases bases = Bases::zero);

/// From a pandas frame with the column names of the CSV.
io::LoadedModel model_of_frame(const py::object& frame);

/// From {state: {action: [(probability, next_state, reward, done), ...]}}.
io::LoadedModel model_of_gym(const py::dict& transitions);

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
