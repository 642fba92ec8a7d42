#include "formats/inventory_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "text/text.hpp"

namespace shortfall::io {
namespace {

constexpr std::array<std::string_view, 5> tables = {"inventory", "demand", "arrival", "cost",
                                                    "risk"};

constexpr auto always_required = "required";
constexpr auto cost_or_week = "number from 0 to 1e100, or seven";

constexpr std::array<InventoryKey, 21> all_keys = {{
    {"inventory.shelf_life", "integer from 1 to 10", always_required,
     "Periods for which a fresh unit can be used, including the one in which it arrives"},
    {"inventory.capacity", "integer from 1 to 250",
     "one that does not limit the best orders, by the other values",
     "Stock and order together never exceed this"},
    {"inventory.max_order", "integer from 0 to 250, or seven", "the capacity",
     "Largest order, within the capacity; 0 for a weekday without orders"},
    {"demand.distribution", "\"negative-binomial\", \"poisson\" or \"empirical\"", always_required,
     "Distribution of the units requested in a period"},
    {"demand.n", "number above 0, at most 1e6, or seven", "required if negative-binomial",
     "Shape: the variance is mean + mean^2 / n. Only for negative-binomial"},
    {"demand.mean", "number from 0 to 1e6, or seven", "required unless empirical",
     "Mean of the demand"},
    {"demand.max", "integer from 0 to 1000", "required unless empirical",
     "Largest demand; the probability of all larger ones is added to it"},
    {"demand.probabilities", "list of numbers, or seven lists", "required if empirical",
     "Probabilities of 0, 1, 2, .. units. Only for empirical"},
    {"arrival.fresh", "true or false", "false", "All units arrive with the full shelf life"},
    {"arrival.c0", "list of shelf_life - 1 numbers, or seven lists",
     "required without fresh or shares",
     "A unit in an order of z has i periods left with a probability proportional to "
     "exp(c0 + c1 z), for i = 2, .., shelf_life; for i = 1 both coefficients are 0"},
    {"arrival.c1", "list of shelf_life - 1 numbers, or seven lists", "required with c0",
     "How that depends on the size z of the order: if negative, larger orders are older"},
    {"arrival.shares", "list of shelf_life numbers, or seven lists", "required without fresh or c0",
     "Shares of units that arrive with 1, 2, .., shelf_life periods left, whatever the order"},
    {"cost.order", cost_or_week, always_required, "Placing an order, whatever its size"},
    {"cost.unit", cost_or_week, "0", "Each unit ordered"},
    {"cost.holding", cost_or_week, always_required, "Each unit left at the end of a period"},
    {"cost.shortage", cost_or_week, always_required, "Each requested unit that is not in stock"},
    {"cost.wastage", cost_or_week, always_required, "Each unit that expires"},
    {"cost.placeholders", "list of \"order\", \"unit\", \"holding\", \"shortage\", \"wastage\"",
     "none", "Costs that are not your own yet: nothing is compared in money while there are any"},
    {"risk.loss", "a loss, such as \"expectile:0.9\"", "required without tau",
     "How much bad outcomes count"},
    {"risk.tau", "number strictly between 0 and 1", "required without loss",
     "Short for loss = \"expectile:TAU\""},
    {"risk.gamma", "number strictly between 0 and 1", always_required,
     "Discount factor: what a cost of the next period counts today"},
}};

std::string_view table_of(std::string_view key) {
  return key.substr(0, key.find('.'));
}

std::vector<std::string_view> key_names() {
  std::vector<std::string_view> result;
  result.reserve(all_keys.size());
  for (const InventoryKey& key : all_keys) result.push_back(key.name);
  return result;
}

/// The key probably meant: one of that name in another table, or one with a similar spelling.
std::string_view likely_key(std::string_view key, std::span<const std::string_view> known_keys) {
  const std::string_view name = key.substr(key.find_last_of('.') + 1);
  for (const std::string_view known : known_keys) {
    if (known.substr(known.find('.') + 1) == name) return known;
  }
  return likely_name(key, known_keys);
}

[[noreturn]] void reject_unknown(std::string_view where, std::string_view what,
                                 const std::string& likely, const std::string& accepted) {
  throw InvalidInput(fmt::format("{}: {} is not known{}; accepted: {}", where, what,
                                 likely.empty() ? "" : fmt::format(", did you mean {}?", likely),
                                 accepted));
}

}  // namespace

std::span<const InventoryKey> inventory_keys() {
  return all_keys;
}

void check_table(std::string_view table, std::string_view where) {
  if (std::ranges::find(tables, table) != tables.end()) return;
  const std::string_view likely = likely_name(table, tables);
  reject_unknown(where, "this table", likely.empty() ? "" : fmt::format("[{}]", likely),
                 fmt::format("[{}]", fmt::join(tables, "], [")));
}

void check_key(std::string_view key, std::string_view where) {
  if (std::ranges::find(all_keys, key, &InventoryKey::name) != all_keys.end()) return;
  const std::vector<std::string_view> known_keys = key_names();
  std::string accepted;
  for (const std::string_view known : known_keys) {
    if (table_of(known) != table_of(key)) continue;
    accepted += fmt::format("{}{}", accepted.empty() ? "" : ", ", known);
  }
  reject_unknown(where, "this key", std::string(likely_key(key, known_keys)),
                 accepted.empty() ? fmt::format("{}", fmt::join(known_keys, ", ")) : accepted);
}

}  // namespace shortfall::io
