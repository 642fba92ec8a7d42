#pragma once

#include <string>
#include <vector>

#include "shortfall/formats/inventory_toml.hpp"
#include "shortfall/inventory/train/train.hpp"

namespace shortfall::python {

/// The state of a training, with everything needed to resume it.
struct TrainingResult {
  std::string inventory;             ///< all its numbers, as text
  std::vector<std::string> options;  ///< the values of inventory::recorded_options
  inventory::TrainingState state;
  std::vector<double> best_values;  ///< of state.best_orders, by state

  const inventory::TrainingRecord& best() const { return state.trace[state.best]; }

  /// For a training that has not started.
  static TrainingResult none(const io::InventoryConfiguration& configuration,
                             const inventory::TrainingOptions& options);
  /// Throws InvalidInput unless inventory and options are the same.
  void check(const TrainingResult& expected) const;

  std::string bytes() const;
  /// Throws InvalidInput for data that bytes() did not write.
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
