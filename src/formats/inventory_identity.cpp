#include "formats/inventory_identity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace shortfall::io {

std::string identity(const InventoryConfiguration& configuration) {
  const auto& [model, criterion] = configuration;
  const inventory::Costs& cost = model.cost();
  std::string text = fmt::format("{} {} {} {} {} {} {} {} {}", model.shelf_life(), model.capacity(),
                                 model.largest_order(0), cost.order, cost.holding, cost.shortage,
                                 cost.wastage, criterion.loss.to_string(), criterion.gamma);
  for (std::size_t day = 0; day < model.days(); ++day) {
    text += fmt::format(" | {}", fmt::join(model.demand(day), " "));
  }
  for (std::size_t z = 1; z <= model.largest_order(0); ++z) {
    text += fmt::format(" | {}", fmt::join(model.arrival().probabilities(z), " "));
  }
  return text;
}

}  // namespace shortfall::io
