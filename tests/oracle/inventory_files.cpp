#include "inventory_files.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>

#include "exact_loss.hpp"

namespace oracle {
namespace {

std::string list_of(const std::vector<double>& values) {
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) text += (i > 0 ? ", " : "") + text_of(values[i]);
  return text + "]";
}

/// One number if it is the same every day, else seven.
std::string by_day(const Inventory& inventory, const std::function<double(const Day&)>& value) {
  std::vector<double> values;
  for (const Day& day : inventory.days) values.push_back(value(day));
  const bool same =
      std::all_of(values.begin(), values.end(), [&](double x) { return x == values.front(); });
  return (same ? text_of(values.front()) : list_of(values)) + "\n";
}

std::string lists_by_day(const Inventory& inventory, std::vector<double> Day::*member) {
  const auto& first = inventory.days.front().*member;
  const bool same = std::all_of(inventory.days.begin(), inventory.days.end(),
                                [&](const Day& day) { return day.*member == first; });
  if (same && inventory.days.size() == 1) return list_of(first) + "\n";
  std::string text = "[";
  for (const Day& day : inventory.days) text += (text == "[" ? "" : ", ") + list_of(day.*member);
  return text + "]\n";
}

std::string demand_toml(const Inventory& inventory) {
  const Day& first = inventory.days.front();
  std::string text = "[demand]\ndistribution = \"" + first.distribution + "\"\n";
  if (first.distribution == "empirical") {
    return text + "probabilities = " + lists_by_day(inventory, &Day::probabilities);
  }
  if (first.distribution == "negative-binomial") {
    text += "n = " + by_day(inventory, [](const Day& day) { return day.n; });
  }
  text += "max = " + std::to_string(first.max) + "\nmean = ";
  if (inventory.days.size() == 1) return text + text_of(first.mean) + "\n";
  // This list makes it a week, even if all its entries are equal.
  std::vector<double> means;
  for (const Day& day : inventory.days) means.push_back(day.mean);
  return text + list_of(means) + "\n";
}

std::string arrival_toml(const Inventory& inventory) {
  if (!inventory.days.front().shares.empty()) {
    const auto& first = inventory.days.front().shares;
    const bool same = std::all_of(inventory.days.begin(), inventory.days.end(),
                                  [&](const Day& day) { return day.shares == first; });
    return "[arrival]\nshares = " +
           (same ? list_of(first) + "\n" : lists_by_day(inventory, &Day::shares));
  }
  if (inventory.c0.empty()) return "[arrival]\nfresh = true\n";
  return "[arrival]\nc0 = " + list_of(inventory.c0) + "\nc1 = " + list_of(inventory.c1) + "\n";
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  return fields;
}

}  // namespace

std::string configuration_toml(const Inventory& inventory, const FileOptions& options) {
  std::string text = "[inventory]\nshelf_life = " + std::to_string(inventory.shelf_life) +
                     "\ncapacity = " + std::to_string(inventory.capacity) + "\n";
  if (options.writes_max_order) {
    text += "max_order = " +
            by_day(inventory, [](const Day& day) { return static_cast<double>(day.max_order); });
  }
  text += demand_toml(inventory) + arrival_toml(inventory) + "[cost]\n";
  text += "order = " + by_day(inventory, [](const Day& day) { return day.order; });
  const bool has_unit = std::any_of(inventory.days.begin(), inventory.days.end(),
                                    [](const Day& day) { return day.unit != 0.0; });
  if (has_unit) text += "unit = " + by_day(inventory, [](const Day& day) { return day.unit; });
  text += "holding = " + by_day(inventory, [](const Day& day) { return day.holding; });
  text += "shortage = " + by_day(inventory, [](const Day& day) { return day.shortage; });
  text += "wastage = " + by_day(inventory, [](const Day& day) { return day.wastage; });
  text += "[risk]\n";
  text += options.tau.empty() ? "loss = \"" + options.loss + "\"\n" : "tau = " + options.tau + "\n";
  return text + "gamma = " + text_of(options.gamma) + "\n";
}

std::string orders_csv(const Inventory& inventory, const Orders& orders) {
  const auto stocks = inventory.stocks();
  const bool week = inventory.days.size() > 1;
  std::string text = week ? "day," : "";
  for (std::size_t i = 1; i < inventory.shelf_life; ++i) text += "x" + std::to_string(i) + ",";
  text += "order\n";
  for (std::size_t state = 0; state < orders.size(); ++state) {
    if (week) text += std::to_string(state / stocks.size()) + ",";
    for (const std::size_t units : stocks[state % stocks.size()]) {
      text += std::to_string(units) + ",";
    }
    text += std::to_string(orders[state]) + "\n";
  }
  return text;
}

Orders read_orders(const Inventory& inventory, const std::filesystem::path& path) {
  const auto stocks = inventory.stocks();
  Orders orders(inventory.days.size() * stocks.size());
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::size_t rows = 0;
  for (; std::getline(file, line); ++rows) {
    std::vector<std::size_t> numbers;
    for (const std::string& field : fields_of(line)) numbers.push_back(std::stoul(field));
    const std::size_t day = inventory.days.size() > 1 ? numbers.at(0) : 0;
    const auto begin = numbers.begin() + (inventory.days.size() > 1 ? 1 : 0);
    const std::vector<std::size_t> x(begin, numbers.end() - 1);
    const auto stock = std::find(stocks.begin(), stocks.end(), x);
    if (stock == stocks.end()) throw std::runtime_error("no such stock in " + path.string());
    orders.at(day * stocks.size() + static_cast<std::size_t>(stock - stocks.begin())) =
        numbers.back();
  }
  if (rows != orders.size()) throw std::runtime_error("rows are missing in " + path.string());
  return orders;
}

}  // namespace oracle
