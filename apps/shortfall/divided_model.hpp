#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/shortfall/processes.hpp"
#include "dp/parts.hpp"
#include "mdp/distributed_model.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/formats/model_csv.hpp"

namespace shortfall::app {

/// The model of a command. Of several processes, each has the rows of its own states, and knows the
/// sizes of the whole.
class DividedModel {
 public:
  DividedModel(detail::DistributedModel model, io::Sense sense);

  io::Sense sense() const { return sense_; }
  std::size_t states() const { return model_.states(); }
  std::size_t pairs() const { return pairs_; }        ///< of a state and one of its actions
  std::size_t outcomes() const { return outcomes_; }  ///< of all pairs
  ActionIndex action_base() const { return model_.action_base(); }

  /// The own rows, and those under the policy of own states.
  detail::ModelPart part() const { return {model_.rows(), &model_.partition()}; }
  detail::ChainPart under(const Chain& own_rows) const { return {own_rows, &model_.partition()}; }

  /// A model with the ids, states and actions of the whole, whose outcomes have no meaning: enough
  /// to read and write policies and names. All processes ask for it together.
  const Mdp& with_all_actions() const;

  /// What belongs to own states, of elements for all states, or for all pairs.
  Policy own(const Policy& policy) const;
  RandomisedPolicy own(const RandomisedPolicy& policy) const;
  /// The values and the policy of all states, on all processes.
  Solution whole(const Solution& own) const;
  Policy whole(const Policy& own) const;

 private:
  detail::DistributedModel model_;
  io::Sense sense_;
  std::size_t pairs_;
  std::size_t pairs_before_;  ///< of own states
  std::size_t outcomes_;
  mutable std::optional<Mdp> with_all_actions_;
};

/// Throws InvalidInput on every process, if any of them cannot read its part or they read different
/// models.
DividedModel read_divided_model(const std::string& path, int threads, const Processes& processes);

}  // namespace shortfall::app
