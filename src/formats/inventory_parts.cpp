#include "formats/inventory_parts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "shortfall/error.hpp"

namespace shortfall::io {
namespace {

using inventory::Arrival;

static_assert(inventory::largest_unit_cost == 1e100);
constexpr NumberRule cost_rule{[](double x) { return x >= 0.0 && x <= 1e100; },
                               "a number from 0 to 1e100"};
constexpr NumberRule gamma_rule{[](double x) { return x > 0.0 && x < 1.0; },
                                "a number strictly between 0 and 1"};
// Their product with an order must stay finite; a logit of 1000 already means certainty.
constexpr NumberRule logit_rule{[](double x) { return std::abs(x) <= 1e6; },
                                "a number from -1e6 to 1e6"};

constexpr std::string_view accepted_loss =
    "mean, expectile:TAU, entropic:BETA, truncated-entropic:BETA,BOUND, soft-quantile:MU,KAPPA or "
    "piecewise:X1:Y1,X2:Y2,..";

AnyLoss parse_loss(const Setting& setting, const std::string& text) {
  try {
    return AnyLoss::parse(text);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", setting.where, error.what()));
  }
}

Arrival read_arrival(const SettingReader& settings, std::size_t shelf_life) {
  const Setting* const c0 = settings.find("arrival.c0");
  const Setting* const c1 = settings.find("arrival.c1");
  const Setting* const fresh = settings.find("arrival.fresh");
  const bool is_fresh = fresh && settings.flag("arrival.fresh");
  if (is_fresh && (c0 || c1)) {
    refuse(*(c0 ? c0 : c1), "cannot be combined with fresh = true", "fresh = true, or c0 and c1");
  }
  // With a shelf life of one period there is only one age.
  if (is_fresh || (shelf_life == 1 && !c0 && !c1)) return Arrival::fresh(shelf_life);
  if (!c0 && !c1) settings.required("arrival.c0", "fresh = true, or c0 and c1, in [arrival]");
  std::vector<double> constant = settings.numbers("arrival.c0", logit_rule);
  std::vector<double> slope = settings.numbers("arrival.c1", logit_rule);
  if (constant.size() + 1 != shelf_life || slope.size() + 1 != shelf_life) {
    const char* const misfit = constant.size() + 1 != shelf_life ? "arrival.c0" : "arrival.c1";
    refuse(*settings.find(misfit),
           fmt::format("c0 has {} numbers and c1 has {}, but the shelf life is {}", constant.size(),
                       slope.size(), shelf_life),
           fmt::format("{} in each, one less than the shelf life: for 2, .., shelf_life periods "
                       "left",
                       shelf_life - 1));
  }
  return Arrival::logit(shelf_life, std::move(constant), std::move(slope));
}

}  // namespace

inventory::ModelParts read_parts(const SettingReader& settings) {
  const std::size_t shelf_life =
      settings.integer("inventory.shelf_life", 1, inventory::longest_shelf_life);
  const std::size_t capacity =
      settings.integer("inventory.capacity", 1, inventory::largest_capacity);
  const bool limited = settings.find("inventory.max_order") != nullptr;
  return {.capacity = capacity,
          .max_order = limited ? settings.integer("inventory.max_order", 0, capacity) : capacity,
          .arrival = read_arrival(settings, shelf_life),
          .demand = read_demand(settings),
          .cost = {.order = settings.number("cost.order", cost_rule),
                   .holding = settings.number("cost.holding", cost_rule),
                   .shortage = settings.number("cost.shortage", cost_rule),
                   .wastage = settings.number("cost.wastage", cost_rule)}};
}

AnyLoss read_loss(const SettingReader& settings) {
  const Setting* const tau = settings.find("risk.tau");
  if (!tau) {
    const std::string text = settings.text("risk.loss", accepted_loss);
    return parse_loss(*settings.find("risk.loss"), text);
  }
  if (settings.find("risk.loss")) {
    refuse(*tau, "cannot be combined with loss: tau is short for loss = expectile:TAU",
           "either loss or tau");
  }
  const double level = settings.number("risk.tau", gamma_rule);
  return parse_loss(*tau, fmt::format("expectile:{}", level));
}

double read_gamma(const SettingReader& settings) {
  return settings.number("risk.gamma", gamma_rule);
}

}  // namespace shortfall::io
