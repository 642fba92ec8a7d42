#include "bindings/inventory/model_arguments.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/inventory/inventory_parts.hpp"

namespace shortfall::python {
namespace {

using inventory::Arrival;
using inventory::of_day;

/// Lists of numbers for one day or seven, and what they are in messages.
struct ListNames {
  const char* found;
  const char* accepted;
};
constexpr ListNames demand_names{
    "demand is not a distribution",
    "probabilities of 0, 1, .. units, or seven such lists for Monday to Sunday"};
constexpr ListNames share_names{
    "shares is not a distribution",
    "probabilities of 1, .., shelf_life periods left, or seven such lists for Monday to Sunday"};
constexpr ListNames logit_names{
    "arrival is not a pair of lists",
    "(c0, c1), each with a number for 2, .., shelf_life periods left, or with seven such lists for "
    "Monday to Sunday"};

using Laws = std::vector<std::vector<double>>;

Laws laws_of(const py::object& demand, const ListNames& names) {
  const auto law_of = [](std::span<const double> law) {
    return std::vector<double>(law.begin(), law.end());
  };
  if (const auto numbers = Doubles::ensure(demand)) {
    const std::span<const double> all = span_of(numbers);
    if (numbers.ndim() == 1) return {law_of(all)};
    if (numbers.ndim() == 2) {
      const auto width = static_cast<std::size_t>(numbers.shape(1));
      Laws laws;
      for (std::size_t day = 0; day < static_cast<std::size_t>(numbers.shape(0)); ++day) {
        laws.push_back(law_of(all.subspan(day * width, width)));
      }
      return laws;
    }
  }
  // The largest demand may differ from day to day.
  Laws laws;
  if (py::isinstance<py::sequence>(demand)) {
    for (const py::handle day : demand) {
      const auto law = Doubles::ensure(day);
      if (!law || law.ndim() != 1) break;
      laws.push_back(law_of(span_of(law)));
    }
    if (!laws.empty() && laws.size() == py::len(demand)) return laws;
  }
  throw InvalidInput(fmt::format("{}; accepted: {}", names.found, names.accepted));
}

/// The costs by name, in the order of the configuration file.
constexpr std::array<std::pair<const char*, double inventory::Costs::*>, 5> cost_names = {
    {{"order", &inventory::Costs::order},
     {"unit", &inventory::Costs::unit},
     {"holding", &inventory::Costs::holding},
     {"shortage", &inventory::Costs::shortage},
     {"wastage", &inventory::Costs::wastage}}};
constexpr const char* accepted_costs = "order, unit, holding, shortage and wastage";

/// Accepts numbers only, no strings that look like numbers.
double number_of(const py::object& value) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred()) throw py::error_already_set();
  return number;
}

/// Whether a list, of seven values, is given where one value is accepted as well.
bool is_week(const py::object& value, const char* name) {
  if (py::isinstance<py::str>(value)) return false;
  const bool is_array = py::isinstance<py::array>(value) && value.attr("ndim").cast<int>() > 0;
  if (!is_array && !py::isinstance<py::sequence>(value)) return false;
  if (py::len(value) == 7) return true;
  throw InvalidInput(
      fmt::format("a list of {} for {}; accepted: one number, or seven for Monday to "
                  "Sunday",
                  py::len(value), name));
}

/// One number, or seven.
std::vector<double> numbers_of(const py::object& value, const char* name) {
  if (!is_week(value, name)) return {number_of(value)};
  std::vector<double> numbers;
  for (const py::handle entry : value) {
    numbers.push_back(number_of(py::reinterpret_borrow<py::object>(entry)));
  }
  return numbers;
}

/// The number itself if there is one, or a tuple of seven.
template <class Number>
py::object one_or_week(const std::vector<Number>& numbers) {
  const bool same = std::all_of(numbers.begin(), numbers.end(),
                                [&](const Number& number) { return number == numbers.front(); });
  return same ? py::cast(numbers.front()) : py::object(py::tuple(py::cast(numbers)));
}

}  // namespace

std::vector<std::vector<double>> demand_of(const py::object& demand) {
  return laws_of(demand, demand_names);
}

std::vector<Arrival> arrivals_of(std::size_t shelf_life, const py::object& shares,
                                 const py::object& logits) {
  if (!shares.is_none() && !logits.is_none()) {
    throw InvalidInput("shares and arrival cannot be combined; accepted: one of the two, or none");
  }
  std::vector<Arrival> arrivals;
  if (!shares.is_none()) {
    for (std::vector<double>& law : laws_of(shares, share_names)) {
      if (law.size() != shelf_life) {
        throw InvalidInput(fmt::format("{} shares, but the shelf life is {}; accepted: {}",
                                       law.size(), shelf_life, share_names.accepted));
      }
      arrivals.push_back(Arrival::shares(std::move(law)));
    }
    return arrivals;
  }
  if (logits.is_none()) return {Arrival::fresh(shelf_life)};
  const auto pair = py::reinterpret_borrow<py::object>(logits);
  if (!py::isinstance<py::sequence>(pair) || py::len(pair) != 2) {
    throw InvalidInput(fmt::format("{}; accepted: {}", logit_names.found, logit_names.accepted));
  }
  const Laws c0 = laws_of(pair[py::int_(0)], logit_names);
  const Laws c1 = laws_of(pair[py::int_(1)], logit_names);
  for (std::size_t day = 0; day < std::max(c0.size(), c1.size()); ++day) {
    const bool fits = day < c0.size() || c0.size() == 1;
    if (!fits || !(day < c1.size() || c1.size() == 1)) {
      throw InvalidInput(fmt::format("{}; accepted: {}", logit_names.found, logit_names.accepted));
    }
    arrivals.push_back(Arrival::logit(shelf_life, of_day(c0, day), of_day(c1, day)));
  }
  return arrivals;
}

/// Seven costs if any of them has seven values.
std::vector<inventory::Costs> costs_of(const py::dict& cost) {
  std::vector<inventory::Costs> costs(1);
  for (const auto& [name, member] : cost_names) {
    if (!cost.contains(name)) {
      if (member == &inventory::Costs::unit) continue;
      throw InvalidInput(fmt::format("cost has no {:?}; accepted: {}", name, accepted_costs));
    }
    const std::vector<double> numbers = numbers_of(cost[name], name);
    if (numbers.size() > costs.size()) costs.assign(numbers.size(), costs.front());
    for (std::size_t day = 0; day < costs.size(); ++day) {
      costs[day].*member = of_day(numbers, day);
    }
  }
  for (const auto& [key, value] : cost) {
    const auto name = py::str(key).cast<std::string>();
    const auto matches = [&](const auto& known) { return known.first == name; };
    if (std::any_of(cost_names.begin(), cost_names.end(), matches)) continue;
    throw InvalidInput(fmt::format("cost has {:?}; accepted: {}", name, accepted_costs));
  }
  return costs;
}

std::vector<std::size_t> max_orders_of(const py::object& max_order, std::size_t capacity) {
  if (max_order.is_none()) return {capacity};
  const py::object list =
      is_week(max_order, "max_order") ? max_order : py::object(py::make_tuple(max_order));
  std::vector<std::size_t> most;
  for (const py::handle entry : list) {
    most.push_back(count_of("max_order", entry.cast<std::int64_t>()));
  }
  return most;
}

py::dict cost_dictionary(const inventory::Model& model) {
  py::dict result;
  for (const auto& [name, member] : cost_names) {
    std::vector<double> numbers;
    for (const inventory::Costs& cost : model.parts().cost) numbers.push_back(cost.*member);
    result[name] = one_or_week(numbers);
  }
  return result;
}

py::object max_order_of(const inventory::Model& model) {
  return one_or_week(model.parts().max_order);
}

}  // namespace shortfall::python
