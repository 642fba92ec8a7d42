#include "formats/inventory_identity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace shortfall::io {

std::string identity(const InventoryConfiguration& configuration) {
  const auto& [model, criterion] = configuration;
  std::string text = fmt::format("{} {} {} {} {}", model.shelf_life(), model.capacity(),
                                 model.days(), criterion.loss.to_string(), criterion.gamma);
  for (std::size_t day = 0; day < model.days(); ++day) {
    const inventory::Costs& cost = model.cost(day);
    text +=
        fmt::format(" | {} {} {} {} {} {} | {}", model.largest_order(day, 0), cost.order, cost.unit,
                    cost.holding, cost.shortage, cost.wastage, fmt::join(model.demand(day), " "));
    for (std::size_t z = 1; z <= model.largest_order(day, 0); ++z) {
      text += fmt::format(" | {}", fmt::join(model.arrival(day).probabilities(z), " "));
    }
  }
  return text;
}

}  // namespace shortfall::io
