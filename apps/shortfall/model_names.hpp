#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "shortfall/mdp/mdp.hpp"

namespace shortfall::app {

class DividedModel;
class Grammar;
class Processes;

/// Files with the names of states and actions; empty: none.
struct NameFiles {
  std::string states;
  std::string actions;
};

/// --state-names and --action-names.
void add_name_files(const Grammar& grammar, NameFiles& files);

/// How many states and actions a model has, and where their ids begin in its file.
struct ModelIds {
  StateIndex state_base;
  std::size_t states;
  ActionIndex action_base;
  std::size_t actions;
};

/// One more than the largest action of these rows.
std::size_t action_ids(const Mdp& rows);

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
ModelNames read_names(const NameFiles& files, const DividedModel& model,
                      const Processes& processes);

}  // namespace shortfall::app
