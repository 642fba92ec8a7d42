#include "apps/shortfall/command_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/options.hpp"
#include "errors/require.hpp"
#include "files/input_file.hpp"
#include "files/same_input.hpp"
#include "formats/distributed_policy.hpp"
#include "parallel/bytes.hpp"
#include "shortfall/formats/features_csv.hpp"
#include "shortfall/formats/model_file.hpp"
#include "shortfall/formats/names_csv.hpp"
#include "shortfall/formats/policy_csv.hpp"
#include "shortfall/theory/averager.hpp"
#include "text/text.hpp"

namespace shortfall::app {
namespace {

/// One more than the largest action of these rows.
std::size_t action_ids(const Mdp& rows) {
  const std::vector<ActionIndex>& actions = rows.actions_of_rows();
  return actions.empty() ? 0 : static_cast<std::size_t>(*std::ranges::max_element(actions)) + 1;
}

using AnyPolicy = std::variant<Policy, RandomisedPolicy>;

Chain under(const AnyPolicy& policy, const Mdp& rows, InducedCost induced_cost) {
  if (const auto* fixed = std::get_if<Policy>(&policy)) return under_policy(rows, *fixed);
  return under_policy(rows, std::get<RandomisedPolicy>(policy), induced_cost);
}

/// The policy of a word; nothing if the name is a file's.
std::optional<RandomisedPolicy> policy_of_word(const PolicyOptions& options, const Mdp& rows) {
  if (options.name == "uniform") return uniform_policy(rows);
  std::error_code ignored;
  const bool is_file = options.name == "-" || std::filesystem::exists(options.name, ignored);
  const std::string_view likely = io::likely_name(options.name, options.words);
  require(is_file,
          "--policy {}: there is no such file{}; accepted: a CSV file, - for standard input, {}",
          options.name, likely.empty() ? "" : fmt::format(", did you mean {}?", likely),
          fmt::join(options.words, ", "));
  return std::nullopt;
}

/// By state: an object of weights by action id, or -1 where the state is terminal.
nlohmann::json weights_by_id(const Mdp& model, const RandomisedPolicy& policy) {
  nlohmann::json result = nlohmann::json::array();
  for (std::size_t x = 0; x < model.states(); ++x) {
    nlohmann::json weights = nlohmann::json::object();
    for (std::size_t r = model.state_begin()[x]; r < model.state_begin()[x + 1]; ++r) {
      if (policy.weight[r] == 0.0) continue;
      weights[std::to_string(model.action_of_row(r) + model.action_base())] = policy.weight[r];
    }
    result.push_back(model.is_terminal(x) ? nlohmann::json(no_action) : std::move(weights));
  }
  return result;
}

/// The elements of the lists of all processes, on the first of them.
nlohmann::json join_on_first(nlohmann::json list, detail::Communicator& ranks) {
  const std::vector<std::uint8_t> own = nlohmann::json::to_cbor(list);
  std::vector<detail::Bytes> sent(ranks.size());
  const auto bytes = std::as_bytes(std::span(own));
  if (ranks.rank() > 0) sent[0].assign(bytes.begin(), bytes.end());
  const std::vector<detail::Bytes> received = ranks.all_to_all(std::move(sent));
  if (ranks.rank() > 0) return {};
  for (std::size_t r = 1; r < ranks.size(); ++r) {
    const auto* const text = reinterpret_cast<const char*>(received[r].data());
    for (nlohmann::json& element : nlohmann::json::from_cbor(text, text + received[r].size())) {
      list.push_back(std::move(element));
    }
  }
  return list;
}

}  // namespace

CommandModel::CommandModel(io::LoadedModel loaded)
    : rows_(std::move(loaded.model)),
      sense_(loaded.sense),
      pairs_(rows_.outcomes().rows()),
      outcomes_(rows_.outcomes().size()),
      actions_(action_ids(rows_)) {}

CommandModel::CommandModel(io::LoadedPart loaded)
    : rows_(std::move(loaded.model).take_rows()),
      division_(std::move(loaded.model).take_partition()),
      sense_(loaded.sense) {
  detail::Communicator& ranks = division_->communicator();
  pairs_ = ranks.sum(std::uint64_t{rows_.outcomes().rows()});
  outcomes_ = ranks.sum(std::uint64_t{rows_.outcomes().size()});
  actions_ = static_cast<std::size_t>(ranks.max(static_cast<double>(action_ids(rows_))));
}

Policy CommandModel::whole(Policy own) const {
  if (!division_) return own;
  return division_->communicator().gather_on_first<ActionIndex>(own);
}

Solution CommandModel::whole(Solution own) const {
  own.policy = whole(std::move(own.policy));
  if (division_) own.values = division_->communicator().gather_on_first<double>(own.values);
  return own;
}

CommandModel read_command_model(const std::string& path, int threads, const Processes& processes) {
  detail::Communicator& ranks = processes.communicator();
  if (ranks.size() == 1) return CommandModel(io::read_model(path, {.threads = threads}));
  return CommandModel(io::read_distributed_model(path, ranks, {.threads = threads}));
}

void add_name_files(const Grammar& grammar, NameFiles& files) {
  add_input(grammar, "--state-names", files.states,
            "CSV with columns id,name: names of states, for the results");
  add_input(grammar, "--action-names", files.actions, "The same for actions");
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

ModelNames read_names(const NameFiles& files, const CommandModel& model,
                      const Processes& processes) {
  return processes.together(
      [&] { return ModelNames(processes.is_first() ? files : NameFiles(), model.ids()); });
}

CLI::Option* add_policy(const Grammar& grammar, PolicyOptions& options) {
  add_choice(grammar, "--induced-cost", options.induced_cost, induced_cost_names,
             "Cost of a randomised policy: averaged over its actions, or the mixture of their "
             "costs, so that the choice of action adds risk");
  CLI::Option* policy = grammar->add_option(
      "--policy", options.name,
      "CSV with columns idstate,idaction[,probability]; or uniform: all actions equally likely");
  grammar.offer("--policy", {options.words.begin(), options.words.end()}, Offers::Paths::files);
  grammar.reads("--policy");
  return policy;
}

Chain read_policy(const PolicyOptions& options, const Mdp& model) {
  if (auto policy = policy_of_word(options, model)) {
    return under(std::move(*policy), model, options.induced_cost);
  }
  return under(io::read_policy_csv(options.name, model), model, options.induced_cost);
}

ChosenPolicy read_policy(const PolicyOptions& options, const CommandModel& model) {
  const Mdp& rows = model.rows();
  AnyPolicy policy;
  if (auto of_word = policy_of_word(options, rows)) {
    policy = std::move(*of_word);
  } else if (const detail::Partition* division = model.division()) {
    io::PolicyPart part = io::read_distributed_policy(options.name, rows, *division);
    io::check_same(std::as_bytes(std::span(part.identity)), io::input_name(options.name),
                   division->communicator());
    policy = std::move(part.policy);
  } else {
    policy = io::read_policy_csv(options.name, rows);
  }
  Chain chain = under(policy, rows, options.induced_cost);
  return {std::move(chain), std::move(policy)};
}

Policy actions_on_first(const ChosenPolicy& policy, const CommandModel& model) {
  if (const auto* fixed = std::get_if<Policy>(&policy.policy)) return model.whole(*fixed);
  Policy own(model.rows().states(), mixed_action);
  for (std::size_t x = 0; x < own.size(); ++x) {
    if (model.rows().is_terminal(x)) own[x] = no_action;
  }
  return model.whole(std::move(own));
}

nlohmann::json ids_on_first(const ChosenPolicy& policy, const CommandModel& model) {
  if (const auto* fixed = std::get_if<Policy>(&policy.policy)) {
    return policy_ids(model.ids().action_base, model.whole(*fixed));
  }
  nlohmann::json own = weights_by_id(model.rows(), std::get<RandomisedPolicy>(policy.policy));
  return model.division() ? join_on_first(std::move(own), model.division()->communicator()) : own;
}

nlohmann::json policy_ids(ActionIndex action_base, const Policy& policy) {
  nlohmann::json ids = nlohmann::json::array();
  for (const ActionIndex action : policy) {
    ids.push_back(action == no_action ? no_action : action + action_base);
  }
  return ids;
}

Eigen::MatrixXd read_state_features(const std::string& file, std::size_t states) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const io::FeatureRows rows = io::read_features_csv(file);
  require(rows.size() == states, "{}: {}; accepted: one for each of {}", file,
          io::counted(rows.size(), "row"), io::counted(states, "state"));
  return Eigen::Map<const RowMajor>(rows.numbers.data(), static_cast<Eigen::Index>(rows.size()),
                                    static_cast<Eigen::Index>(rows.dimension));
}

void require_averager(const std::string& file, Eigen::MatrixXd phi, const Mdp& model) {
  for (Eigen::Index x = 0; x < phi.rows(); ++x) {
    if (model.is_terminal(static_cast<std::size_t>(x))) phi.row(x).setZero();
  }
  const auto violation = theory::averager_violation(phi);
  if (!violation) return;
  const std::string accepted = "for averagers, " + violation->accepted();
  const auto line = static_cast<std::size_t>(violation->state) + 2;  // after the header
  if (violation->feature) {
    io::reject_field({file, line, fmt::format("x{}", *violation->feature + 1)},
                     fmt::format("{}", violation->value), accepted);
  }
  io::reject({file, line}, fmt::format("the features sum to {:.15g}", violation->value), accepted);
}

}  // namespace shortfall::app
