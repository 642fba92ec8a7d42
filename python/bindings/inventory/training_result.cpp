#include "bindings/inventory/training_result.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/inventory_identity.hpp"
#include "shortfall/checkpoint/checkpoint.hpp"
#include "shortfall/errors/error.hpp"

namespace shortfall::python {
namespace {

[[noreturn]] void reject_state() {
  throw InvalidInput("a pickled Training was modified; accepted: unmodified pickles");
}

}  // namespace

TrainingResult TrainingResult::none(const io::InventoryConfiguration& configuration,
                                    const inventory::TrainingOptions& options) {
  TrainingResult result;
  result.inventory = io::identity(configuration);
  for (const auto& [name, value] : inventory::recorded_options(options)) {
    result.options.push_back(value);
  }
  return result;
}

void TrainingResult::check(const TrainingResult& expected) const {
  if (inventory != expected.inventory) {
    throw InvalidInput(
        "resume is a training of another inventory; accepted: one with the same numbers");
  }
  const auto names = inventory::recorded_options({});
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (options[i] == expected.options[i]) continue;
    std::string argument = names[i].first;
    std::ranges::replace(argument, '-', '_');
    throw InvalidInput(
        fmt::format("{} = {}, but the training to resume had {}; accepted: the same value",
                    argument, expected.options[i], options[i]));
  }
}

std::string TrainingResult::bytes() const {
  io::StateWriter saved;
  TrainingResult state_to_write = *this;
  state_to_write.archive(saved);
  return saved.bytes();
}

TrainingResult TrainingResult::from_bytes(const std::string& bytes) {
  io::StateReader saved("a pickled Training", bytes);
  TrainingResult result;
  result.options.resize(inventory::recorded_options({}).size());
  result.archive(saved);
  saved.finish();
  const bool sound = result.state.best < result.state.trace.size() &&
                     result.best_values.size() == result.state.best_orders.size();
  if (!sound) reject_state();
  return result;
}

}  // namespace shortfall::python
