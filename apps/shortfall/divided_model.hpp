#pragma once

#include <cstddef>
#include <string>

#include "apps/shortfall/model_names.hpp"
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
  ModelIds ids() const { return {model_.state_base(), states(), model_.action_base(), actions_}; }

  const detail::DistributedModel& model() const { return model_; }
  /// The own rows, and those under the policy of own states.
  detail::ModelPart part() const { return {model_.rows(), &model_.partition()}; }
  detail::ChainPart under(const Chain& own_rows) const { return {own_rows, &model_.partition()}; }

  /// The values and the policy of all states on the first process; without them on others. All
  /// processes ask for it together.
  Solution whole(const Solution& own) const;
  Policy whole(const Policy& own) const;

 private:
  detail::DistributedModel model_;
  io::Sense sense_;
  std::size_t pairs_;
  std::size_t outcomes_;
  std::size_t actions_;  ///< ids of actions
};

/// Throws InvalidInput on every process, if any of them cannot read its part or they read different
/// models.
DividedModel read_divided_model(const std::string& path, int threads, const Processes& processes);

}  // namespace shortfall::app
