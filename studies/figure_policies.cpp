#include "published/platelets.hpp"
#include "shortfall/inventory/solve.hpp"
#include "studies/order_regions.hpp"
#include "studies/stock_setting.hpp"

namespace shortfall::studies {
namespace {

/// The optimal order for every stock at shelf life 3.
Orders optimal_orders(const StockSetting& setting, const StudyOptions& options) {
  const inventory::Model model = platelets(3, {.cost = setting.cost});
  const Solution solution =
      inventory::solve(model, criterion_of(setting.tau), {.threads = options.threads});
  Orders orders{.cost = cost_text(setting.cost), .tau = setting.tau};
  for (std::uint32_t rank = 0; rank < model.states(); ++rank) {
    std::uint8_t stock[2];
    model.stocks().unrank(rank, stock);
    orders.all.push_back({stock[0], stock[1], static_cast<int>(solution.policy[rank])});
  }
  return orders;
}

}  // namespace

Study figure_policies(const StudyOptions& options) {
  std::vector<Part> parts;
  for (const StockSetting& setting : pictured_settings()) {
    parts.push_back({name_of(setting), 0.01, [setting, options](const OnProgress&) {
                       return optimal_orders(setting, options);
                     }});
  }
  return {.name = "figure-policies",
          .title = "Optimal orders at shelf life 3",
          .question =
              "What is the optimal order, given how many units have one and two periods left, "
              "and how does it change with the attitude to risk and with costs?",
          .source = "Wang and Delage, section 6.2, figure of optimal policies (left)",
          .parts = std::move(parts),
          .conclude = conclude_orders};
}

}  // namespace shortfall::studies
