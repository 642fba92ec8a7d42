#pragma once

#include <array>
#include <string>
#include <vector>

#include "shortfall/inventory/train.hpp"
#include "shortfall/io/inventory_toml.hpp"

namespace shortfall::python {

/// The options that decide what is learned, by name and as text: a training that goes on must have
/// the same.
using RecordedOptions = std::array<std::pair<const char*, std::string>, 7>;
RecordedOptions recorded(const inventory::TrainingOptions& options);

/// How far a training has come, and of what: all that it takes to go on.
struct TrainingResult {
  std::string inventory;               ///< all its numbers, as text
  std::array<std::string, 7> options;  ///< as recorded
  inventory::TrainingState state;
  std::vector<double> best_values;  ///< of state.best_orders, by state

  const inventory::TrainingRecord& best() const { return state.trace[state.best]; }

  /// Of a training that is about to begin.
  static TrainingResult none(const io::InventoryConfiguration& configuration,
                             const inventory::TrainingOptions& options);
  /// Throws InvalidInput unless it is of this inventory and these options.
  void check(const TrainingResult& expected) const;

  std::string bytes() const;
  /// Throws InvalidInput for what bytes() did not make.
  static TrainingResult from_bytes(const std::string& bytes);

  template <class Archive>
  void archive(Archive& saved) {
    saved(inventory);
    for (std::string& option : options) saved(option);
    state.archive(saved);
    best_values.resize(state.values.size());
    saved(best_values);
  }
};

}  // namespace shortfall::python
