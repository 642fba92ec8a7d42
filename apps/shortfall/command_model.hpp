#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "apps/shortfall/processes.hpp"
#include "formats/distributed_model_file.hpp"
#include "parallel/partition.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/formats/model_csv.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/mdp.hpp"

namespace CLI {
class Option;
}

/// What commands read about an explicit model: the model itself, names of its states and actions, a
/// policy, features of its states.
namespace shortfall::app {

class Grammar;

/// How many states and actions a model has, and where their ids begin in its file.
struct ModelIds {
  StateIndex state_base;
  std::size_t states;
  ActionIndex action_base;
  std::size_t actions;
};

/// The model of `solve` and `evaluate`. With several processes, each has the rows of its own
/// states, and knows the sizes of the whole.
class CommandModel {
 public:
  explicit CommandModel(io::LoadedModel loaded);
  explicit CommandModel(io::LoadedPart loaded);

  io::Sense sense() const { return sense_; }
  std::size_t states() const { return division_ ? division_->total() : rows_.states(); }
  std::size_t pairs() const { return pairs_; }        ///< of a state and one of its actions
  std::size_t outcomes() const { return outcomes_; }  ///< of all pairs
  ModelIds ids() const { return {rows_.state_base(), states(), rows_.action_base(), actions_}; }

  const Mdp& rows() const { return rows_; }  ///< of own states
  /// As Execution has it: null if all states are here.
  const detail::Partition* division() const { return division_ ? &*division_ : nullptr; }

  /// The values and the policy of all states on the first process; without them on others. All
  /// processes ask for it together.
  Solution whole(Solution own) const;
  Policy whole(Policy own) const;

 private:
  Mdp rows_;
  std::optional<detail::Partition> division_;
  io::Sense sense_;
  std::size_t pairs_;
  std::size_t outcomes_;
  std::size_t actions_;  ///< ids of actions
};

/// Throws InvalidInput if a process cannot read its part or they read different models, and
/// FailedElsewhere on the others.
CommandModel read_command_model(const std::string& path, int threads, const Processes& processes);

/// Files with the names of states and actions; empty: none.
struct NameFiles {
  std::string states;
  std::string actions;
};

/// --state-names and --action-names.
void add_name_files(const Grammar& grammar, NameFiles& files);

/// Names for people. Without a file they are the ids of the model's file.
class ModelNames {
 public:
  /// Throws InvalidInput for files that do not fit the model.
  ModelNames(const NameFiles& files, const Mdp& model);
  ModelNames(const NameFiles& files, const ModelIds& ids);

  std::string state(std::size_t x) const;
  std::string action(ActionIndex a) const;
  bool has_states() const { return !states_.empty(); }
  bool has_actions() const { return !actions_.empty(); }
  const std::vector<std::string>& states() const { return states_; }

  /// Adds `state_names` and `action_names`, lists by id, where they were given.
  void add_to(nlohmann::json& document) const;

 private:
  std::vector<std::string> states_;
  std::vector<std::string> actions_;
  StateIndex state_base_;
  ActionIndex action_base_;
};

/// The same on several processes: throws on all of them. Only the first, which prints, has names.
ModelNames read_names(const NameFiles& files, const CommandModel& model,
                      const Processes& processes);

/// A policy, and how a randomised policy's choice of action enters the cost.
struct PolicyOptions {
  std::string name;  ///< a file, or uniform: all actions equally likely
  std::vector<std::string_view> words = {"uniform"};  ///< names that are no files, for messages
  InducedCost induced_cost = InducedCost::averaged;
};

/// --policy, which is returned, and --induced-cost.
CLI::Option* add_policy(const Grammar& grammar, PolicyOptions& options);

/// The chain of a model under the policy.
Chain read_policy(const PolicyOptions& options, const Mdp& model);

/// The same for the own states of a process.
struct ChosenPolicy {
  Chain chain;
  std::variant<Policy, RandomisedPolicy> policy;
};

/// Throws InvalidInput on all processes, also if they read different policies.
ChosenPolicy read_policy(const PolicyOptions& options, const CommandModel& model);

/// The action of every state on the first process: `mixed_action` where a randomised policy
/// chooses.
inline constexpr ActionIndex mixed_action = no_action - 1;
Policy actions_on_first(const ChosenPolicy& policy, const CommandModel& model);

/// The action ids of all states as in `policy` of the JSON output, on the first process: those of
/// the model's file, -1 for terminal states, an object of weights by action id where the policy is
/// randomised.
nlohmann::json ids_on_first(const ChosenPolicy& policy, const CommandModel& model);
nlohmann::json policy_ids(ActionIndex action_base, const Policy& policy);

/// The features of all states from a CSV file, one row per state. Throws InvalidInput unless there
/// are as many rows as states.
Eigen::MatrixXd read_state_features(const std::string& file, std::size_t states);

/// Throws InvalidInput that names the line of the file unless the features are nonnegative and sum
/// to at most 1, as averagers need. Rows of terminal states do not count.
void require_averager(const std::string& file, Eigen::MatrixXd phi, const Mdp& model);

}  // namespace shortfall::app
