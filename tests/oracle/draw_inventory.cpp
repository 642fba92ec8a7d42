
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

#include "draw.hpp"
#include "draw_stock.hpp"
#include "solve.hpp"

namespace oracle {
namespace {

using Ingredients = std::vector<std::string>;

// This many outcomes are checked within some milliseconds; exponentials take ten times as long.
constexpr double max_outcomes = 2500.0;
constexpr double max_exponentials = 350.0;
constexpr mpfr_prec_t bits_of_myopic_orders = 256;

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

/// The common part of all problems of a case.
struct Instance {
  Inventory inventory;
  Loss loss;
  double gamma = 0.0;

  Problem with(std::function<RealLaws()> laws) const {
    return {.loss = loss,
            .gamma = gamma,
            .horizon = 0,
            .rational = std::nullopt,
            .real = std::move(laws)};
  }
  Problem value_of(Orders orders) const {
    return with([inventory = inventory, orders = std::move(orders)] {
      return laws_under(inventory, orders);
    });
  }

  Case::ProblemSource optimum() const {
    return [*this](const Evidence&) {
      return with([inventory = inventory] { return laws_of(inventory); });
    };
  }
  Case::ProblemSource given(Orders orders) const {
    return [*this, orders = std::move(orders)](const Evidence&) { return value_of(orders); };
  }
  /// The problem for the orders that the command has written.
  Case::ProblemSource from_file(std::string name) const {
    return [*this, name = std::move(name)](const Evidence& left) {
      return value_of(read_orders(inventory, left.folder / name));
    };
  }
  /// The problem for the (s, S) that the command prints, if its orders have that form.
  Case::ProblemSource from_levels() const {
    return [*this](const Evidence& left) -> std::optional<Problem> {
      if (left.levels.size() != inventory.days.size()) return std::nullopt;
      Orders orders;
      const std::size_t stocks = inventory.stocks().size();
      for (std::size_t day = 0; day < inventory.days.size(); ++day) {
        const auto [reorder_at, level] = left.levels[day];
        const Orders all = orders_up_to(inventory, reorder_at, level);
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(day * stocks);
        orders.insert(orders.end(), begin, begin + static_cast<std::ptrdiff_t>(stocks));
      }
      return value_of(std::move(orders));
    };
  }
  /// The problem for the orders of the smallest one-period risk, if no two are nearly equal.
  Case::ProblemSource myopic() const {
    return [*this](const Evidence&) -> std::optional<Problem> {
      const PrecisionScope scope(bits_of_myopic_orders);
      const auto orders = clearly_best_actions(laws_of(inventory), loss);
      if (!orders) return std::nullopt;
      return value_of(*orders);
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
      drawn.problems.push_back(instance.given(orders_up_to(
          inventory, static_cast<std::size_t>(level) - 1, static_cast<std::size_t>(level))));
    } else if (kind == 1) {
      const int level = random.between(1, capacity);
      const int reorder_at = random.between(0, level - 1);
      word = "reorder:" + std::to_string(reorder_at) + "," + std::to_string(level);
      drawn.problems.push_back(instance.given(orders_up_to(
          inventory, static_cast<std::size_t>(reorder_at), static_cast<std::size_t>(level))));
    } else {
      word = "orders" + std::to_string(i) + ".csv";
      const Orders orders = draw_orders(random, inventory);
      drawn.files[word] = orders_csv(inventory, orders);
      drawn.problems.push_back(instance.given(orders));
    }
    drawn.arguments.insert(drawn.arguments.end(), {"--policy", word});
  }
}

/// Orders of `solve`: as a file, or as the policy for which `evaluate` solves in the same way.
void add_solved_policy(Random& random, const Instance& instance, Case& drawn) {
  const std::string word = random.one_of({"orders.csv", "optimal", "risk-neutral"});
  drawn.ingredients.push_back("policy " + word + " of solve");
  drawn.before = drawn.arguments;
  drawn.before[1] = "solve";
  if (word == "risk-neutral") {
    drawn.before.insert(drawn.before.end(), {"--set", "risk.loss=mean"});
  }
  drawn.before.insert(drawn.before.end(), {"--policy-out", "orders.csv"});
  drawn.arguments.insert(drawn.arguments.end(), {"--policy", word});
  drawn.problems = {instance.from_file("orders.csv")};
}

/// Several points in one run, each with its own true values.
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
      value = draw_unit_cost(random, random.chance(0.3));
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
    instance.inventory = draw_stock(random, known, tried);
    instance.loss = draw_loss(random, spread_of(instance.inventory), tried);
    instance.gamma = draw_gamma(random, tried);
    const bool exponential = instance.loss.shape != Loss::Shape::piecewise_linear;
    const double outcomes = instance.inventory.outcomes();
    const bool large = random.chance(0.02);
    if (outcomes > (exponential ? max_exponentials : max_outcomes) * (large ? 5.0 : 1.0)) {
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

/// `inventory order` for some stock, whose value is that of the optimum there.
Case order_case(Random& random, const Instance& instance, Case drawn) {
  const auto stocks = instance.inventory.stocks();
  const std::size_t days = instance.inventory.days.size();
  const auto stock =
      static_cast<std::size_t>(random.between(0, static_cast<int>(stocks.size()) - 1));
  const auto day = static_cast<std::size_t>(random.between(0, static_cast<int>(days) - 1));
  drawn.kind = "inventory order " + instance.loss.family;
  drawn.answer = Case::Answer::value;
  drawn.arguments = {"inventory", "order", "plan.toml", "--json", "--threads", "1"};
  write_configuration(random, instance, drawn);
  std::string units;
  for (const std::size_t x : stocks[stock]) units += (units.empty() ? "" : ",") + std::to_string(x);
  if (!units.empty()) drawn.arguments.insert(drawn.arguments.end(), {"--stock", units});
  if (days > 1) {
    constexpr std::array names = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
    drawn.arguments.insert(drawn.arguments.end(), {"--day", names.at(day)});
  }
  drawn.problems = {
      [optimum = instance.optimum(), state = day * stocks.size() + stock](const Evidence& left) {
        std::optional<Problem> problem = optimum(left);
        problem->first_state = state;
        return problem;
      }};
  return drawn;
}

}  // namespace

Case draw_inventory_case(Random& random, const KnownKeys& known) {
  Case drawn;
  drawn.answer = Case::Answer::value_at_empty;
  const Instance instance = draw_instance(random, known, drawn.ingredients);
  if (known.order_command && random.chance(0.08)) {
    return order_case(random, instance, std::move(drawn));
  }
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
  drawn.certifies_tolerance = !trains;
  write_configuration(random, instance, drawn);
  if (instance.gamma < 0.99 && !trains && random.chance(0.15)) {
    drawn.certifies_tolerance = false;
    add({"--stopping", "paper"});
    drawn.kind += "-paper";
    drawn.ingredients.emplace_back("--stopping paper");
  }
  if (instance.gamma > 0.99) {
    add({"--max-iterations",
         std::to_string(random.between(10, instance.gamma > 0.999 ? 300 : 3000))});
  }
  if (trains) {
    add({"--iterations", "1", "--samples", "200", "--trajectories", "2", "--warmup", "50",
         "--policy-out", "orders.csv"});
    drawn.problems = {instance.from_file("orders.csv")};
  } else if (!evaluates && random.chance(0.3)) {
    add_sweep(random, instance, drawn);
  } else if (!evaluates) {
    drawn.problems = {instance.optimum()};
  } else if (random.chance(0.15)) {
    add_solved_policy(random, instance, drawn);
  } else if (random.chance(0.1)) {
    drawn.ingredients.emplace_back("policy static");
    add({"--policy", "static"});
    drawn.problems = {instance.from_levels()};
  } else if (random.chance(0.1)) {
    drawn.ingredients.emplace_back("policy myopic");
    add({"--policy", "myopic"});
    drawn.problems = {instance.myopic()};
  } else {
    add_policies(random, instance, drawn);
  }
  drawn.kind += " " + instance.loss.family;
  return drawn;
}

}  // namespace oracle
