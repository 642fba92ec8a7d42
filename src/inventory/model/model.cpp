#include "shortfall/inventory/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/model/demand.hpp"
#include "shortfall/inventory/model/weekday.hpp"
#include "text/text.hpp"

namespace shortfall::inventory {

namespace {

void check_range(const char* name, std::size_t value, std::size_t least, std::size_t most) {
  require(value >= least && value <= most, "{} = {}; accepted: {} to {}", name, value, least, most);
}

void check_cost(const char* name, double value) {
  require(value >= 0.0 && value <= largest_unit_cost,
          "{} cost = {}; accepted: a number from 0 to {}", name, value, largest_unit_cost);
}

constexpr std::size_t days_of_week = 7;

void check_count(const char* name, std::size_t count) {
  require(count == 1 || count == days_of_week,
          "{} {}; accepted: one, or seven for Monday to Sunday", count, name);
}

void check_arrivals(const std::vector<Arrival>& arrivals) {
  check_count("laws of arrival", arrivals.size());
  const std::size_t shelf_life = arrivals.front().shelf_life();
  check_range("shelf life", shelf_life, 1, longest_shelf_life);
  for (const Arrival& arrival : arrivals) {
    require(arrival.shelf_life() == shelf_life,
            "shelf lives {} and {}; accepted: the same on all days", shelf_life,
            arrival.shelf_life());
  }
}

ModelParts checked(ModelParts parts) {
  check_arrivals(parts.arrival);
  check_range("capacity", parts.capacity, 1, largest_capacity);
  check_count("largest orders", parts.max_order.size());
  for (const std::size_t most : parts.max_order) {
    check_range("largest order", most, 0, parts.capacity);
  }
  check_count("sets of costs", parts.cost.size());
  for (const Costs& cost : parts.cost) {
    check_cost("order", cost.order);
    check_cost("unit", cost.unit);
    check_cost("holding", cost.holding);
    check_cost("shortage", cost.shortage);
    check_cost("wastage", cost.wastage);
  }
  check_count("demand laws", parts.demand.size());
  for (auto& law : parts.demand) law = empirical_demand(law);
  return parts;
}

std::size_t days_of(const ModelParts& parts) {
  return std::max(
      {parts.max_order.size(), parts.arrival.size(), parts.demand.size(), parts.cost.size()});
}

}  // namespace

Model::Model(ModelParts parts)
    : parts_(checked(std::move(parts))),
      days_(days_of(parts_)),
      stocks_(shelf_life() - 1, parts_.capacity) {}

Model Model::with_parts(ModelParts parts) {
  auto demand = parts.demand;
  Model model(std::move(parts));
  model.parts_.demand = std::move(demand);
  return model;
}

std::size_t Model::max_demand() const {
  std::size_t longest = 0;
  for (const auto& law : parts_.demand) longest = std::max(longest, law.size());
  return longest - 1;
}

std::size_t Model::max_order() const {
  return *std::max_element(parts_.max_order.begin(), parts_.max_order.end());
}

double Model::period_cost(std::size_t day, const Supply& supply, std::size_t demand) const {
  const Costs& of = cost(day);
  const auto beyond = [](std::size_t a, std::size_t b) {
    return a > b ? static_cast<double>(a - b) : 0.0;
  };
  return of.holding * beyond(supply.total, demand) + of.shortage * beyond(demand, supply.total) +
         of.wastage * beyond(supply.expiring, demand);
}

void Model::check_orders(const Policy& orders) const {
  require(orders.size() == states(), "{} orders for {} states; accepted: one for each",
          orders.size(), states());
  for (std::size_t total = 0; total <= capacity(); ++total) {
    for (std::size_t day = 0; day < days(); ++day) {
      const auto largest = static_cast<ActionIndex>(largest_order(day, total));
      const std::size_t first = day * stocks_.size();
      for (std::size_t i = stocks_.layer_begin(total); i < stocks_.layer_begin(total + 1); ++i) {
        const ActionIndex order = orders[first + i];
        if (order >= 0 && order <= largest) continue;
        throw InvalidInput(fmt::format(
            "order {} in state {}, with {} units in stock{}; accepted: 0 to {}", order, first + i,
            total, days() > 1 ? fmt::format(" on day {}", day) : "", largest));
      }
    }
  }
}

void age(std::span<const std::uint8_t> w, std::size_t demand, std::span<std::uint8_t> next) {
  std::size_t unmet = demand;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const std::size_t used = std::min<std::size_t>(unmet, w[i]);
    unmet -= used;
    if (i > 0) next[i - 1] = static_cast<std::uint8_t>(w[i] - used);
  }
}

namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

}  // namespace

std::size_t weekday_of(std::chrono::sys_days date) {
  return std::chrono::weekday(date).iso_encoding() - 1;
}

const char* weekday_name(std::size_t weekday) {
  constexpr std::array names = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                "Friday", "Saturday", "Sunday"};
  return names.at(weekday);
}

std::size_t parse_weekday(std::string_view name, std::optional<std::size_t> today) {
  const std::string given = lower_case(name);
  std::vector<std::string> known;
  for (std::size_t day = 0; day < 7; ++day) {
    known.push_back(lower_case(weekday_name(day)));
    if (given == known.back() || given == known.back().substr(0, 3)) return day;
  }
  if (today) known.emplace_back("today");
  if (today && given == "today") return *today;
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view likely = io::likely_name(given, names);
  throw InvalidInput(fmt::format("'{}' is not a day{}; accepted: {}{}", name,
                                 likely.empty() ? "" : fmt::format(", did you mean {}?", likely),
                                 accepted_weekdays, today ? " or today" : ""));
}

}  // namespace shortfall::inventory
