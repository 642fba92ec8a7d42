#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/formats/settings.hpp"
#include "shortfall/inventory/model/model.hpp"

namespace shortfall::io {

/// The costs by name, in the order of a plan.
inline constexpr std::array<std::string_view, 5> cost_names = {"order", "unit", "holding",
                                                               "shortage", "wastage"};

/// An inventory, and the risk criterion for its policies.
struct InventoryConfiguration {
  inventory::Model model;
  Criterion criterion;
};

/// The configuration of an inventory in TOML, with overrides from the command line:
///
///   [inventory] shelf_life, capacity (default: inventory::suggested_capacity() of the other
///               values), max_order (default: capacity)
///   [demand]    distribution = "negative-binomial" with n, mean, max; "poisson" with mean, max;
///               "empirical" with probabilities of 0, 1, ..
///   [arrival]   shares: one number for each of 1..shelf_life periods left; or c0, c1: one for each
///               of 2..shelf_life; or fresh = true
///   [cost]      order, unit (default: 0), holding, shortage, wastage; placeholders: a list of
///               those that are not the planner's own yet
///   [risk]      loss, as in AnyLoss::parse, or tau for "expectile:TAU"; gamma in (0, 1)
///
/// max_order, n, mean, probabilities, shares, c0, c1 and costs may have seven values, for Monday to
/// Sunday: then the day is part of the state, and a single value holds for every day. A number such
/// as 5.0 also counts as an integer.
///
/// Problems are thrown as InvalidInput "FILE, line 3, key cost.order: PROBLEM; accepted: ..", or
/// "--set cost.order=x: .." for values from the command line.
class InventoryToml {
 public:
  /// `path` may be `-`. Throws InvalidInput: not TOML, or an unknown table or key, with the likely
  /// one.
  explicit InventoryToml(const std::string& path);
  /// The same from text; `name` is its name in messages.
  InventoryToml(std::string_view text, std::string name);

  /// Sets KEY=VALUE, where VALUE is as in TOML or a bare word; a later value replaces an earlier
  /// one. Conflicting values of the file are removed: `loss` if `tau` is set, other kinds of
  /// arrival, demand parameters that a new distribution does not have, a `max_order` above a new
  /// capacity; a cost that is set is no placeholder any more. `option` is its name in messages.
  /// Throws InvalidInput: no KEY=VALUE, an unknown key.
  void set(std::string_view assignment, std::string_view option = "--set");

  /// From [risk], if set there; gamma may be any number.
  std::optional<AnyLoss> loss() const;
  std::optional<double> gamma() const;

  /// Costs, one set or seven, and the criterion, where some or all of their keys are missing and
  /// have these values instead. Throws InvalidInput as configuration() does.
  std::vector<inventory::Costs> costs_or(const inventory::Costs& otherwise) const;
  Criterion criterion_or(const Criterion& otherwise) const;

  /// Costs, by `cost_names`, that nobody has replaced with their own yet, as `inventory fit` writes
  /// them: amounts that rest on them are not money. Throws InvalidInput for another name.
  std::vector<std::string> placeholder_costs() const;

  /// Throws InvalidInput: a value that is missing, of the wrong type or out of range, keys that
  /// conflict, lengths that do not fit the shelf life, probabilities that do not sum to one.
  InventoryConfiguration configuration() const;

 private:
  std::string name_;
  Settings settings_;
};

}  // namespace shortfall::io
