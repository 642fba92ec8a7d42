#include "apps/shortfall/model_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/shortfall/divided_model.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "shortfall/formats/names_csv.hpp"

namespace shortfall::app {
namespace {

std::size_t action_ids(const Mdp& model) {
  ActionIndex last = no_action;
  for (std::size_t r = 0; r < model.outcomes().rows(); ++r) {
    last = std::max(last, model.action_of_row(r));
  }
  return static_cast<std::size_t>(last + 1);
}

}  // namespace

void add_name_files(const Grammar& grammar, NameFiles& files) {
  grammar
      ->add_option("--state-names", files.states,
                   "CSV with columns id,name: names of states, for the results")
      ->check(not_empty());
  grammar->add_option("--action-names", files.actions, "The same for actions")->check(not_empty());
}

ModelNames::ModelNames(const NameFiles& files, const Mdp& model)
    : state_base_(model.state_base()), action_base_(model.action_base()) {
  if (!files.states.empty()) {
    states_ = io::read_names_csv(
        files.states, {.what = "state", .base = model.state_base(), .count = model.states()});
  }
  if (!files.actions.empty()) {
    actions_ =
        io::read_names_csv(files.actions, {.what = "action",
                                           .base = static_cast<std::uint32_t>(model.action_base()),
                                           .count = action_ids(model)});
  }
}

std::string ModelNames::state(std::size_t x) const {
  return states_.empty() ? fmt::format("{}", x + state_base_) : states_[x];
}

std::string ModelNames::action(ActionIndex a) const {
  return actions_.empty() ? fmt::format("{}", a + action_base_)
                          : actions_[static_cast<std::size_t>(a)];
}

void ModelNames::add_to(nlohmann::json& document) const {
  if (has_states()) document["state_names"] = states_;
  if (has_actions()) document["action_names"] = actions_;
}

ModelNames read_names(const NameFiles& files, const DividedModel& model,
                      const Processes& processes) {
  // What has no names of its own needs no action sets of other processes.
  const bool is_given = !files.states.empty() || !files.actions.empty();
  const Mdp& named = is_given ? model.with_all_actions() : model.part().rows;
  return processes.together([&] { return ModelNames(files, named); });
}

}  // namespace shortfall::app
