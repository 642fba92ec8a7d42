#include "apps/shortfall/chosen_policy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "apps/shortfall/divided_model.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/solver_command.hpp"
#include "files/input_file.hpp"
#include "formats/distributed_policy.hpp"
#include "parallel/bytes.hpp"
#include "require.hpp"
#include "shortfall/formats/policy_csv.hpp"
#include "text/likely_name.hpp"

namespace shortfall::app {
namespace {

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
  if (ranks.size() == 1) return list;
  const std::vector<std::uint8_t> own = nlohmann::json::to_cbor(list);
  std::vector<detail::Bytes> sent(ranks.size());
  const auto bytes = std::as_bytes(std::span(own));
  if (ranks.rank() > 0) sent[0].assign(bytes.begin(), bytes.end());
  const std::vector<detail::Bytes> received = ranks.trade(std::move(sent));
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

CLI::Option* add_policy(const Grammar& grammar, PolicyOptions& options) {
  add_choice(grammar, "--induced-cost", options.induced_cost, induced_cost_names,
             "Cost of a randomised policy: averaged over its actions, or the mixture of their "
             "costs, so that the choice of action adds risk");
  return grammar->add_option("--policy", options.name,
                             "CSV with columns idstate,idaction[,probability]; or uniform: all "
                             "actions equally likely");
}

Chain read_policy(const PolicyOptions& options, const Mdp& model) {
  if (auto policy = policy_of_word(options, model)) {
    return under(std::move(*policy), model, options.induced_cost);
  }
  return under(io::read_policy_csv(options.name, model), model, options.induced_cost);
}

ChosenPolicy read_policy(const PolicyOptions& options, const DividedModel& model,
                         const Processes& processes) {
  const Mdp& rows = model.part().rows;
  if (auto policy = policy_of_word(options, rows)) {
    Chain chain = under(*policy, rows, options.induced_cost);
    return {std::move(chain), std::move(*policy)};
  }
  io::PolicyPart part = io::read_distributed_policy(options.name, model.model());
  processes.check_same(std::as_bytes(std::span(part.identity)), io::input_name(options.name));
  Chain chain = under(part.policy, rows, options.induced_cost);
  return {std::move(chain), std::move(part.policy)};
}

nlohmann::json ids_on_first(const ChosenPolicy& policy, const DividedModel& model) {
  detail::Communicator& ranks = model.part().partition->communicator();
  if (const auto* fixed = std::get_if<Policy>(&policy.policy)) {
    return policy_ids(model.ids().action_base, ranks.gather_on_first<ActionIndex>(*fixed));
  }
  const auto& randomised = std::get<RandomisedPolicy>(policy.policy);
  return join_on_first(weights_by_id(model.part().rows, randomised), ranks);
}

}  // namespace shortfall::app
