#include "shortfall/formats/order_rule.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "errors/require.hpp"
#include "shortfall/formats/order_policy_csv.hpp"

namespace shortfall::io {

void check_rule_name(const std::string& name) {
  if (name == "-" || inventory::parse_rule(name)) return;
  std::error_code ignored;
  const std::string likely = inventory::likely_rule(name);
  require(std::filesystem::exists(name, ignored),
          "{}: this is neither a policy nor an existing file{}; accepted: {} or a CSV file", name,
          likely.empty() ? "" : fmt::format(", did you mean {}?", likely),
          inventory::accepted_rules);
}

inventory::Rule read_rule(const std::string& name, const inventory::Model& model) {
  check_rule_name(name);
  const std::optional<inventory::Rule> rule = inventory::parse_rule(name);
  if (rule) {
    inventory::check_rule(*rule, model);
    return *rule;
  }
  return {.name = name,
          .kind = inventory::Rule::Kind::given,
          .orders = read_order_policy_csv(name, model)};
}

}  // namespace shortfall::io
