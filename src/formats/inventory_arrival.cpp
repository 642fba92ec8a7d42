#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "formats/inventory_parts.hpp"
#include "shortfall/errors/error.hpp"

namespace shortfall::io {
namespace {

using inventory::Arrival;

// Their product with an order must stay finite; a logit of 1000 already means certainty.
constexpr NumberRule logit_rule{[](double x) { return std::abs(x) <= 1e6; },
                                "a number from -1e6 to 1e6"};
constexpr NumberRule share_rule{[](double x) { return x >= 0.0 && x <= 1.0; },
                                "a number from 0 to 1"};

constexpr std::string_view one_of_three = "fresh = true, or shares, or c0 and c1";

/// Which list a message is about, if there are seven.
std::string list_name(std::size_t lists, std::size_t day) {
  return lists == 1 ? "" : fmt::format("list {}: ", day + 1);
}

void refuse_combinations(const SettingReader& settings, bool is_fresh) {
  const Setting* const shares = settings.find("arrival.shares");
  const Setting* const c0 = settings.find("arrival.c0");
  const Setting* const logit = c0 ? c0 : settings.find("arrival.c1");
  if (is_fresh && logit) refuse(*logit, "cannot be combined with fresh = true", one_of_three);
  if (is_fresh && shares) refuse(*shares, "cannot be combined with fresh = true", one_of_three);
  if (shares && logit) refuse(*shares, "cannot be combined with c0 and c1", one_of_three);
}

std::vector<Arrival> read_shares(const SettingReader& settings, std::size_t shelf_life) {
  const Setting& setting = *settings.find("arrival.shares");
  std::vector<Arrival> arrivals;
  const auto lists = settings.list_or_week("arrival.shares", share_rule);
  for (const std::vector<double>& shares : lists) {
    const std::string list = list_name(lists.size(), arrivals.size());
    if (shares.size() != shelf_life) {
      refuse(setting,
             fmt::format("{}{} shares, but the shelf life is {}", list, shares.size(), shelf_life),
             fmt::format("{}, for 1, .., {} periods left", shelf_life, shelf_life));
    }
    try {
      arrivals.push_back(Arrival::shares(shares));
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("{}: {}{}", setting.where, list, error.what()));
    }
  }
  return arrivals;
}

std::vector<Arrival> read_logits(const SettingReader& settings, std::size_t shelf_life) {
  const auto constants = settings.list_or_week("arrival.c0", logit_rule);
  const auto slopes = settings.list_or_week("arrival.c1", logit_rule);
  std::vector<Arrival> arrivals;
  for (std::size_t day = 0; day < std::max(constants.size(), slopes.size()); ++day) {
    const std::vector<double>& c0 = inventory::of_day(constants, day);
    const std::vector<double>& c1 = inventory::of_day(slopes, day);
    if (c0.size() + 1 != shelf_life || c1.size() + 1 != shelf_life) {
      const bool is_c0 = c0.size() + 1 != shelf_life;
      refuse(*settings.find(is_c0 ? "arrival.c0" : "arrival.c1"),
             fmt::format("{}c0 has {} numbers and c1 has {}, but the shelf life is {}",
                         list_name((is_c0 ? constants : slopes).size(), day), c0.size(), c1.size(),
                         shelf_life),
             fmt::format("{} in each, one less than the shelf life: for 2, .., shelf_life periods "
                         "left",
                         shelf_life - 1));
    }
    arrivals.push_back(Arrival::logit(shelf_life, c0, c1));
  }
  return arrivals;
}

}  // namespace

std::vector<Arrival> read_arrival(const SettingReader& settings, std::size_t shelf_life) {
  const bool has_logits = settings.find("arrival.c0") || settings.find("arrival.c1");
  const bool has_shares = settings.find("arrival.shares") != nullptr;
  const bool is_fresh = settings.find("arrival.fresh") && settings.flag("arrival.fresh");
  refuse_combinations(settings, is_fresh);
  if (has_shares) return read_shares(settings, shelf_life);
  // With a shelf life of one period there is only one age.
  if (is_fresh || (shelf_life == 1 && !has_logits)) return {Arrival::fresh(shelf_life)};
  if (!has_logits) {
    settings.required("arrival.c0", fmt::format("{}, in [arrival]", one_of_three));
  }
  return read_logits(settings, shelf_life);
}

}  // namespace shortfall::io
