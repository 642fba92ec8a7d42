#include "apps/shortfall/model_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/shortfall/divided_model.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "shortfall/formats/names_csv.hpp"

namespace shortfall::app {

std::size_t action_ids(const Mdp& rows) {
  const std::vector<ActionIndex>& actions = rows.actions_of_rows();
  return actions.empty() ? 0 : static_cast<std::size_t>(*std::ranges::max_element(actions)) + 1;
}

void add_name_files(const Grammar& grammar, NameFiles& files) {
  grammar
      ->add_option("--state-names", files.states,
                   "CSV with columns id,name: names of states, for the results")
      ->check(not_empty());
  grammar->add_option("--action-names", files.actions, "The same for actions")->check(not_empty());
}

ModelNames::ModelNames(const NameFiles& files, const Mdp& model)
    : ModelNames(files, {.state_base = model.state_base(),
                         .states = model.states(),
                         .action_base = model.action_base(),
                         .actions = action_ids(model)}) {}

ModelNames::ModelNames(const NameFiles& files, const ModelIds& ids)
    : state_base_(ids.state_base), action_base_(ids.action_base) {
  if (!files.states.empty()) {
    states_ = io::read_names_csv(files.states,
                                 {.what = "state", .base = ids.state_base, .count = ids.states});
  }
  if (!files.actions.empty()) {
    actions_ =
        io::read_names_csv(files.actions, {.what = "action",
                                           .base = static_cast<std::uint32_t>(ids.action_base),
                                           .count = ids.actions});
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
  return processes.together(
      [&] { return ModelNames(processes.is_first() ? files : NameFiles(), model.ids()); });
}

}  // namespace shortfall::app
