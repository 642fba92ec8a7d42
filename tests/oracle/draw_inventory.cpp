#include "draw_inventory.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

#include "draw_loss.hpp"
#include "inventory_files.hpp"

namespace oracle {
namespace {

using Ingredients = std::vector<std::string>;

constexpr std::size_t days_of_week = 7;

// So many outcomes are judged within some milliseconds; exponentials take ten times as long.
constexpr double most_outcomes = 2500.0;
constexpr double most_exponentials = 350.0;

double draw_cost(Random& random, bool wide) {
  if (random.chance(0.15)) return 0.0;
  if (wide) return random.decades(-8.0, 8.0);
  return random.chance(0.5) ? random.between(1, 80) : random.decades(-1.0, 2.0);
}

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
  first.order = draw_cost(random, wide);
  first.holding = draw_cost(random, wide);
  first.shortage = draw_cost(random, wide);
  first.wastage = draw_cost(random, wide);
  const bool unit = known.unit_cost && random.chance(0.4);
  if (unit) ingredients.emplace_back("cost.unit");
  if (unit) first.unit = draw_cost(random, wide);
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
    if (weekly_costs) day.order = draw_cost(random, wide);
    if (weekly_costs) day.shortage = draw_cost(random, wide);
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

Inventory draw_inventory(Random& random, const KnownKeys& known, Ingredients& ingredients) {
  Inventory inventory;
  inventory.shelf_life = static_cast<std::size_t>(random.between(1, random.chance(0.3) ? 4 : 3));
  const int largest = inventory.shelf_life <= 2 ? 10 : inventory.shelf_life == 3 ? 6 : 4;
  inventory.capacity = static_cast<std::size_t>(random.between(1, largest));
  draw_days(random, inventory, known, ingredients);
  draw_arrival(random, inventory, known, ingredients);
  return inventory;
}

/// What a period may cost at most, about.
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

double draw_gamma(Random& random, Ingredients& ingredients) {
  if (random.chance(0.7)) return random.uniform(0.01, 0.97);
  ingredients.emplace_back("gamma to 1 - 1e-6");
  return 1.0 - random.decades(-6.0, -1.5);
}

Orders orders_up_to(const Inventory& inventory, std::size_t reorder_at, std::size_t level) {
  Orders orders;
  const auto stocks = inventory.stocks();
  for (std::size_t day = 0; day < inventory.days.size(); ++day) {
    for (const auto& x : stocks) {
      const std::size_t total = std::accumulate(x.begin(), x.end(), std::size_t{0});
      const bool orders_now = total <= reorder_at && level > total;
      orders.push_back(orders_now ? std::min(level - total, inventory.largest_order(day, total))
                                  : 0);
    }
  }
  return orders;
}

Orders draw_orders(Random& random, const Inventory& inventory) {
  Orders orders;
  const auto stocks = inventory.stocks();
  for (std::size_t day = 0; day < inventory.days.size(); ++day) {
    for (const auto& x : stocks) {
      const std::size_t total = std::accumulate(x.begin(), x.end(), std::size_t{0});
      orders.push_back(static_cast<std::size_t>(
          random.between(0, static_cast<int>(inventory.largest_order(day, total)))));
    }
  }
  return orders;
}

/// What all problems of a case share.
struct Instance {
  Inventory inventory;
  Loss loss;
  double gamma = 0.0;

  Case::ProblemSource optimum() const {
    return [*this](const std::filesystem::path&) {
      Problem problem{.loss = loss, .gamma = gamma, .horizon = 0, .rational = {}, .real = {}};
      problem.real = [inventory = inventory] { return laws_of(inventory); };
      return problem;
    };
  }

  Case::ProblemSource value_of(const Orders& orders) const {
    return [*this, orders](const std::filesystem::path&) {
      Problem problem{.loss = loss, .gamma = gamma, .horizon = 0, .rational = {}, .real = {}};
      problem.real = [inventory = inventory, orders] { return laws_under(inventory, orders); };
      return problem;
    };
  }

  /// Of the orders that the command has written.
  Case::ProblemSource value_of_file(const std::string& name) const {
    return [*this, name](const std::filesystem::path& folder) {
      return value_of(read_orders(inventory, folder / name))(folder);
    };
  }
};

void add_policies(Random& random, const Instance& instance, Case& drawn) {
  const Inventory& inventory = instance.inventory;
  const auto capacity = static_cast<int>(inventory.capacity);
  const int count = random.between(1, 3);
  for (int i = 0; i < count; ++i) {
    std::string word;
    const int kind = random.between(0, 2);
    if (kind == 0) {
      const int level = random.between(1, capacity);
      word = "base-stock:" + std::to_string(level);
      drawn.problems.push_back(instance.value_of(orders_up_to(
          inventory, static_cast<std::size_t>(level) - 1, static_cast<std::size_t>(level))));
    } else if (kind == 1) {
      const int level = random.between(1, capacity);
      const int reorder_at = random.between(0, level - 1);
      word = "reorder:" + std::to_string(reorder_at) + "," + std::to_string(level);
      drawn.problems.push_back(instance.value_of(orders_up_to(
          inventory, static_cast<std::size_t>(reorder_at), static_cast<std::size_t>(level))));
    } else {
      word = "orders" + std::to_string(i) + ".csv";
      const Orders orders = draw_orders(random, inventory);
      drawn.files[word] = orders_csv(inventory, orders);
      drawn.problems.push_back(instance.value_of(orders));
    }
    drawn.arguments.insert(drawn.arguments.end(), {"--policy", word});
  }
}

/// Several points in one run, each with its own truth.
void add_sweep(Random& random, const Instance& instance, Case& drawn) {
  const bool levels = random.chance(0.5);
  std::string values;
  const int count = random.between(2, 4);
  for (int i = 0; i < count; ++i) {
    Instance point = instance;
    double value = 0.0;
    if (levels) {
      value = random.chance(0.5) ? random.uniform(0.01, 0.99) : 1.0 - random.decades(-9.0, -1.0);
      point.loss = expectile_loss(value);
    } else {
      value = draw_cost(random, random.chance(0.3));
      for (Day& day : point.inventory.days) day.shortage = value;
    }
    values += (i > 0 ? "," : "") + text_of(value);
    drawn.problems.push_back(point.optimum());
  }
  drawn.arguments.insert(drawn.arguments.end(),
                         {"--sweep", (levels ? "risk.tau=" : "cost.shortage=") + values});
  drawn.ingredients.emplace_back(levels ? "sweeps of risk.tau" : "sweeps of cost.shortage");
}

Instance draw_instance(Random& random, const KnownKeys& known, Ingredients& ingredients) {
  while (true) {
    Instance instance;
    Ingredients tried;
    instance.inventory = draw_inventory(random, known, tried);
    instance.loss = draw_loss(random, spread_of(instance.inventory), tried);
    instance.gamma = draw_gamma(random, tried);
    const bool exponential = instance.loss.shape != Loss::Shape::piecewise_linear;
    const double outcomes = instance.inventory.outcomes();
    const bool large = random.chance(0.02);
    if (outcomes > (exponential ? most_exponentials : most_outcomes) * (large ? 5.0 : 1.0)) {
      continue;
    }
    ingredients = std::move(tried);
    return instance;
  }
}

void write_configuration(Random& random, const Instance& instance, Case& drawn) {
  Inventory written = instance.inventory;
  const bool one_order_cost =
      std::all_of(written.days.begin(), written.days.end(),
                  [&](const Day& day) { return day.order == written.days[0].order; });
  if (one_order_cost && random.chance(0.2)) {
    drawn.ingredients.emplace_back("--set");
    drawn.arguments.insert(drawn.arguments.end(),
                           {"--set", "cost.order=" + text_of(written.days[0].order)});
    for (Day& day : written.days) day.order = 1.0;
  }
  FileOptions options{.loss = instance.loss.word, .tau = "", .gamma = instance.gamma};
  if (instance.loss.family == "expectile" && random.chance(0.3)) {
    options.tau = instance.loss.word.substr(instance.loss.word.find(':') + 1);
  }
  const bool is_default =
      std::all_of(written.days.begin(), written.days.end(),
                  [&](const Day& day) { return day.max_order == written.capacity; });
  options.writes_max_order = !is_default || random.chance(0.5);
  drawn.files["plan.toml"] = configuration_toml(written, options);
}

}  // namespace

KnownKeys known_keys(const std::function<bool(const std::string& configuration)>& accepts) {
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
    return accepts(configuration_toml(changed, {.loss = "mean", .tau = "", .gamma = 0.5}));
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
  return known;
}

Case draw_inventory_case(Random& random, const KnownKeys& known) {
  Case drawn;
  drawn.answer = Case::Answer::value_at_empty;
  const Instance instance = draw_instance(random, known, drawn.ingredients);
  const double kind = random.uniform();
  const bool evaluates = kind < 0.45;
  const bool trains = kind >= 0.99;
  drawn.kind = evaluates ? "inventory evaluate" : trains ? "inventory train" : "inventory solve";
  drawn.arguments = {"inventory", drawn.kind.substr(10), "plan.toml", "--json", "--threads", "1"};
  const auto add = [&](std::initializer_list<std::string> more) {
    drawn.arguments.insert(drawn.arguments.end(), more);
  };
  drawn.tolerance = random.chance(0.5) ? 1e-6 : random.decades(-10.0, 0.0);
  add({"--tolerance", text_of(drawn.tolerance)});
  drawn.promises_tolerance = !trains;
  write_configuration(random, instance, drawn);
  if (instance.gamma < 0.99 && !trains && random.chance(0.15)) {
    drawn.promises_tolerance = false;
    add({"--stopping", "paper"});
    drawn.kind += "-paper";
    drawn.ingredients.emplace_back("--stopping paper");
  }
  if (instance.gamma > 0.99) {
    add({"--max-iterations", std::to_string(random.between(10, 10000))});
  }
  if (trains) {
    add({"--iterations", "1", "--samples", "200", "--trajectories", "2", "--warmup", "50",
         "--policy-out", "orders.csv"});
    drawn.problems = {instance.value_of_file("orders.csv")};
  } else if (!evaluates && random.chance(0.3)) {
    add_sweep(random, instance, drawn);
  } else if (!evaluates) {
    drawn.problems = {instance.optimum()};
  } else if (random.chance(0.1)) {
    drawn.ingredients.emplace_back("orders of solve, evaluated");
    drawn.before = {"inventory", "solve", "plan.toml",    "--json",
                    "--threads", "1",     "--policy-out", "orders.csv"};
    for (std::size_t i = 0; i + 1 < drawn.arguments.size(); ++i) {
      if (drawn.arguments[i] == "--set") {
        drawn.before.insert(drawn.before.end(), {"--set", drawn.arguments[i + 1]});
      }
    }
    add({"--policy", "orders.csv"});
    drawn.problems = {instance.value_of_file("orders.csv")};
  } else {
    add_policies(random, instance, drawn);
  }
  drawn.kind += " " + instance.loss.family;
  return drawn;
}

}  // namespace oracle
