#include "draw_stock.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <functional>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "exact_loss.hpp"

namespace oracle {

namespace {

using Ingredients = std::vector<std::string>;

constexpr std::size_t days_of_week = 7;

void draw_demand(Random& random, Day& day, std::size_t max, const std::string& distribution) {
  day.distribution = distribution;
  day.max = max;
  day.mean = random.chance(0.7) ? random.uniform(0.2, 8.0) : random.decades(-3.0, 1.7);
  if (random.chance(0.02)) day.mean = 0.0;
  day.n = random.chance(0.6) ? random.uniform(0.5, 20.0) : random.decades(-1.3, 6.0);
  if (distribution != "empirical") return;
  day.probabilities.assign(max + 1, 0.0);
  double sum = 0.0;
  for (double& p : day.probabilities) {
    p = random.uniform(0.05, 1.0);
    if (random.chance(0.2)) p = random.decades(-300.0, -3.0);
    if (random.chance(0.1)) p = 0.0;
    sum += p;
  }
  if (sum < 0.05) sum = day.probabilities.front() = 1.0;
  for (double& p : day.probabilities) p /= sum;
}

void draw_days(Random& random, Inventory& inventory, const KnownKeys& known,
               Ingredients& ingredients) {
  const bool week = random.chance(0.12);
  if (week) ingredients.emplace_back("weeks");
  const std::string distribution =
      random.one_of({"negative-binomial", "poisson", "poisson", "empirical"});
  std::size_t max = static_cast<std::size_t>(random.between(1, random.chance(0.4) ? 60 : 15));
  if (random.chance(0.03)) max = 300;
  if (distribution == "empirical") max = std::min<std::size_t>(max, 12);
  if (max > 20) ingredients.emplace_back("long tails of demand");
  const bool wide = random.chance(0.25);
  if (wide) ingredients.emplace_back("unit costs over sixteen decades");
  Day first;
  first.order = draw_unit_cost(random, wide);
  first.holding = draw_unit_cost(random, wide);
  first.shortage = draw_unit_cost(random, wide);
  first.wastage = draw_unit_cost(random, wide);
  const bool unit = known.unit_cost && random.chance(0.4);
  if (unit) ingredients.emplace_back("cost.unit");
  if (unit) first.unit = draw_unit_cost(random, wide);
  first.max_order = inventory.capacity;
  if (random.chance(0.3)) {
    first.max_order =
        static_cast<std::size_t>(random.between(0, static_cast<int>(inventory.capacity)));
  }
  const bool weekly_costs = week && known.weekly_costs && random.chance(0.3);
  const bool weekly_orders = week && known.weekly_max_order && random.chance(0.4);
  const double n = random.uniform(0.5, 20.0);
  const bool one_n = random.chance(0.4);
  for (std::size_t i = 0; i < (week ? days_of_week : 1); ++i) {
    Day day = first;
    draw_demand(random, day, max, distribution);
    if (one_n) day.n = n;
    if (weekly_costs) day.order = draw_unit_cost(random, wide);
    if (weekly_costs) day.shortage = draw_unit_cost(random, wide);
    if (weekly_orders) {
      day.max_order =
          static_cast<std::size_t>(random.between(0, static_cast<int>(inventory.capacity)));
    }
    inventory.days.push_back(std::move(day));
  }
  if (weekly_costs) ingredients.emplace_back("costs by weekday");
  if (weekly_orders) ingredients.emplace_back("max_order by weekday");
}

void draw_arrival(Random& random, Inventory& inventory, const KnownKeys& known,
                  Ingredients& ingredients) {
  if (inventory.shelf_life == 1 || random.chance(0.3)) return;
  if (known.shares && random.chance(0.3)) {
    ingredients.emplace_back("shares");
    const bool weekly = known.weekly_shares && random.chance(0.5);
    std::vector<double> shares;
    for (Day& day : inventory.days) {
      if (shares.empty() || weekly) {
        shares.assign(inventory.shelf_life, 0.0);
        for (double& share : shares) share = random.chance(0.15) ? 0.0 : random.uniform(0.01, 1.0);
        shares.front() += 1e-3;
        const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
        for (double& share : shares) share /= sum;
      }
      day.shares = shares;
    }
    return;
  }
  const bool extreme = random.chance(0.25);
  if (extreme) ingredients.emplace_back("extreme logits");
  for (std::size_t i = 1; i < inventory.shelf_life; ++i) {
    inventory.c0.push_back(extreme ? random.one_of({-500.0, -50.0, 0.0, 50.0, 500.0})
                                   : random.uniform(-2.0, 3.5));
    inventory.c1.push_back(extreme ? random.one_of({-50.0, -5.0, 0.0, 5.0, 50.0})
                                   : random.uniform(-0.3, 0.1));
  }
}

}  // namespace

double draw_unit_cost(Random& random, bool wide) {
  if (random.chance(0.15)) return 0.0;
  if (wide) return random.decades(-8.0, 8.0);
  return random.chance(0.5) ? random.between(1, 80) : random.decades(-1.0, 2.0);
}

Inventory draw_stock(Random& random, const KnownKeys& known, Ingredients& ingredients) {
  Inventory inventory;
  inventory.shelf_life = static_cast<std::size_t>(random.between(1, random.chance(0.3) ? 4 : 3));
  const int largest = inventory.shelf_life <= 2 ? 10 : inventory.shelf_life == 3 ? 6 : 4;
  inventory.capacity = static_cast<std::size_t>(random.between(1, largest));
  draw_days(random, inventory, known, ingredients);
  draw_arrival(random, inventory, known, ingredients);
  return inventory;
}

double spread_of(const Inventory& inventory) {
  double spread = 0.0;
  for (const Day& day : inventory.days) {
    const auto units = static_cast<double>(inventory.capacity);
    const double demands = static_cast<double>(day.max);
    spread =
        std::max({spread, day.order, units * (day.holding + day.wastage), demands * day.shortage});
  }
  return spread > 0.0 ? spread : 1.0;
}

KnownKeys known_keys(const Accepts& accepts) {
  Inventory plain;
  plain.shelf_life = 2;
  plain.c0 = plain.c1 = {0.0};
  Day day;
  day.distribution = "poisson";
  day.mean = 1.0;
  day.max = day.max_order = 1;
  plain.days = {day};
  const auto knows = [&](const std::function<void(Inventory&)>& change) {
    Inventory changed = plain;
    change(changed);
    return accepts(configuration_toml(changed, {.loss = "mean", .tau = "", .gamma = 0.5}),
                   {"solve", "plan.toml"});
  };
  const auto make_week = [](Inventory& i) { i.days.assign(days_of_week, i.days.front()); };
  KnownKeys known;
  known.unit_cost = knows([](Inventory& i) { i.days[0].unit = 1.0; });
  known.shares = knows([](Inventory& i) { i.days[0].shares = {0.5, 0.5}; });
  known.weekly_max_order = knows([&](Inventory& i) {
    make_week(i);
    i.days[6].max_order = 0;
  });
  known.weekly_costs = knows([&](Inventory& i) {
    make_week(i);
    i.days[6].order = 1.0;
    i.days[6].shortage = 1.0;
  });
  known.weekly_shares = knows([&](Inventory& i) {
    make_week(i);
    for (Day& d : i.days) d.shares = {0.5, 0.5};
    i.days[6].shares = {0.25, 0.75};
  });
  known.order_command =
      accepts(configuration_toml(plain, {.loss = "mean", .tau = "", .gamma = 0.5}),
              {"order", "plan.toml", "--stock", "0"});
  return known;
}

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
