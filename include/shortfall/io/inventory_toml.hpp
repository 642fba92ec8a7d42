#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/model.hpp"
#include "shortfall/io/settings.hpp"

namespace shortfall::io {

/// An inventory, and what its policies are judged by.
struct InventoryConfiguration {
  inventory::Model model;
  Criterion criterion;
};

/// The configuration of an inventory in TOML, and what the command line sets in it:
///
///   [inventory] shelf_life, capacity, max_order (default: capacity)
///   [demand]    distribution = "negative-binomial" with n, mean, max; "poisson" with mean, max;
///               "empirical" with probabilities of 0, 1, ..
///   [arrival]   c0, c1: one number for each of 2..shelf_life periods left; or fresh = true
///   [cost]      order, holding, shortage, wastage
///   [risk]      loss, a word of AnyLoss::parse, or tau for "expectile:TAU"; gamma in (0, 1)
///
/// n, mean and probabilities may be seven, for Monday to Sunday: then the day is part of the state,
/// and what is given once holds every day. A number such as 5.0 is an integer, too.
///
/// What is wrong is InvalidInput "FILE, line 3, key cost.order: PROBLEM; accepted: ..", or
/// "--set cost.order=x: .." where it comes from the command line.
class InventoryToml {
 public:
  /// `path` may be `-`. Throws InvalidInput: not TOML, a table or key that is not known, with the
  /// likely one.
  explicit InventoryToml(const std::string& path);

  /// Sets KEY=VALUE, where VALUE is as in TOML or a bare word; a later one replaces an earlier.
  /// What the file says otherwise goes: its `loss` where `tau` is set, its `c0` and `c1` where
  /// `fresh` is, its parameters of demand that another distribution does not have, its `max_order`
  /// above a new capacity. `option` is what messages call it. Throws InvalidInput: no KEY=VALUE, an
  /// unknown key.
  void set(std::string_view assignment, std::string_view option = "--set");

  /// Of [risk], where it says so; gamma is any number.
  std::optional<AnyLoss> loss() const;
  std::optional<double> gamma() const;

  /// Throws InvalidInput: a value that is missing, of the wrong type or out of range, keys that do
  /// not go together, lengths that do not fit the shelf life, probabilities that do not sum to one.
  InventoryConfiguration configuration() const;

 private:
  std::string name_;
  Settings settings_;
};

}  // namespace shortfall::io
