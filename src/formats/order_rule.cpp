#include "shortfall/formats/order_rule.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "errors/require.hpp"
#include "shortfall/formats/order_policy_csv.hpp"

namespace shortfall::io {

inventory::Rule parse_order_rule(const std::string& name) {
  if (std::optional<inventory::Rule> rule = inventory::parse_rule(name)) return *std::move(rule);
  std::error_code ignored;
  const std::string likely = inventory::likely_rule(name);
  require(name == "-" || std::filesystem::exists(name, ignored),
          "{}: this is neither a policy nor an existing file{}; accepted: {} or a CSV file", name,
          likely.empty() ? "" : fmt::format(", did you mean {}?", likely),
          inventory::accepted_rules);
  return {.name = name, .kind = inventory::Rule::Kind::given};
}

inventory::Rule fitting_rule(inventory::Rule rule, const inventory::Model& model) {
  if (rule.kind == inventory::Rule::Kind::given) {
    rule.orders = read_order_policy_csv(rule.name, model);
  } else {
    inventory::check_rule(rule, model);
  }
  return rule;
}

inventory::Rule read_rule(const std::string& name, const inventory::Model& model) {
  return fitting_rule(parse_order_rule(name), model);
}

}  // namespace shortfall::io
