#include "formats/inventory_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "shortfall/error.hpp"
#include "text/likely_name.hpp"

namespace shortfall::io {
namespace {

constexpr std::array<std::string_view, 5> tables = {"inventory", "demand", "arrival", "cost",
                                                    "risk"};
constexpr std::array<std::string_view, 20> inventory_keys = {"inventory.shelf_life",
                                                             "inventory.capacity",
                                                             "inventory.max_order",
                                                             "demand.distribution",
                                                             "demand.n",
                                                             "demand.mean",
                                                             "demand.max",
                                                             "demand.probabilities",
                                                             "arrival.fresh",
                                                             "arrival.c0",
                                                             "arrival.c1",
                                                             "arrival.shares",
                                                             "cost.order",
                                                             "cost.unit",
                                                             "cost.holding",
                                                             "cost.shortage",
                                                             "cost.wastage",
                                                             "risk.loss",
                                                             "risk.tau",
                                                             "risk.gamma"};

std::string_view table_of(std::string_view key) {
  return key.substr(0, key.find('.'));
}

/// The key probably meant: one of that name in another table, or one with a similar spelling.
std::string_view likely_key(std::string_view key) {
  const std::string_view name = key.substr(key.find_last_of('.') + 1);
  for (const std::string_view known : inventory_keys) {
    if (known.substr(known.find('.') + 1) == name) return known;
  }
  return likely_name(key, inventory_keys);
}

[[noreturn]] void reject_unknown(std::string_view where, std::string_view what,
                                 const std::string& likely, const std::string& accepted) {
  throw InvalidInput(fmt::format("{}: {} is not known{}; accepted: {}", where, what,
                                 likely.empty() ? "" : fmt::format(", did you mean {}?", likely),
                                 accepted));
}

}  // namespace

void check_table(std::string_view table, std::string_view where) {
  if (std::ranges::find(tables, table) != tables.end()) return;
  const std::string_view likely = likely_name(table, tables);
  reject_unknown(where, "this table", likely.empty() ? "" : fmt::format("[{}]", likely),
                 fmt::format("[{}]", fmt::join(tables, "], [")));
}

void check_key(std::string_view key, std::string_view where) {
  if (std::ranges::find(inventory_keys, key) != inventory_keys.end()) return;
  std::string accepted;
  for (const std::string_view known : inventory_keys) {
    if (table_of(known) != table_of(key)) continue;
    accepted += fmt::format("{}{}", accepted.empty() ? "" : ", ", known);
  }
  reject_unknown(where, "this key", std::string(likely_key(key)),
                 accepted.empty() ? fmt::format("{}", fmt::join(inventory_keys, ", ")) : accepted);
}

}  // namespace shortfall::io
