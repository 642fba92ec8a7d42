#include "draw_stock.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "draw.hpp"

namespace oracle {
namespace {

using Ingredients = std::vector<std::string>;

/// Properties of a model's numbers; each with its own probability.
struct Style {
  bool small_probabilities, denormal_probabilities, zero_probabilities, rounded_sum;
  bool wide_costs, cancelling_costs, offset_costs, integer_costs, zero_costs;
  bool self_loops, terminal, duplicates, wide_rows;
};

Style draw_style(Random& random, Ingredients& ingredients) {
  const auto with = [&](double probability, const char* name) {
    const bool is_in = random.chance(probability);
    if (is_in) ingredients.emplace_back(name);
    return is_in;
  };
  return {.small_probabilities = with(0.2, "probabilities to 1e-300"),
          .denormal_probabilities = with(0.05, "denormal probabilities"),
          .zero_probabilities = with(0.05, "probabilities of 0"),
          .rounded_sum = with(0.15, "probabilities that sum to one nearly"),
          .wide_costs = with(0.25, "costs over sixteen decades"),
          .cancelling_costs = with(0.15, "costs that cancel"),
          .offset_costs = with(0.1, "costs with an offset"),
          .integer_costs = with(0.25, "small integer costs"),
          .zero_costs = with(0.1, "costs of 0"),
          .self_loops = with(0.2, "self loops"),
          .terminal = with(0.35, "terminal states"),
          .duplicates = with(0.15, "duplicate outcomes"),
          .wide_rows = with(0.04, "rows of 50 to 300 outcomes")};
}

double draw_cost(Random& random, const Style& style, double offset) {
  if (style.zero_costs && random.chance(0.4)) return 0.0;
  if (style.wide_costs) return random.sign() * random.decades(-8.0, 8.0);
  if (style.integer_costs) return random.between(-10, 10);
  return offset + random.uniform(-10.0, 10.0);
}

std::vector<double> draw_probabilities(Random& random, const Style& style, std::size_t count) {
  std::vector<double> p(count);
  for (double& x : p) {
    x = random.uniform(0.05, 1.0);
    if (style.small_probabilities && random.chance(0.5)) x = random.decades(-300.0, -3.0);
    if (style.small_probabilities && random.chance(0.2)) x = random.decades(-20.0, -10.0);
    if (style.denormal_probabilities && random.chance(0.3)) x = random.between(1, 9) * 5e-324;
    if (style.zero_probabilities && random.chance(0.3)) x = 0.0;
  }
  double& largest = *std::max_element(p.begin(), p.end());
  if (largest < 0.05) largest = 1.0;
  double sum = 0.0;
  for (const double x : p) sum += x;
  for (double& x : p) {
    if (x > 1e-290) x /= sum;
  }
  if (style.rounded_sum) largest *= 1.0 + random.uniform(-5e-7, 5e-7);
  if (count == 1 && !style.rounded_sum) p[0] = 1.0;
  return p;
}

/// The last cost balances the others, up to rounding.
void cancel(const std::vector<double>& p, std::vector<double>& costs) {
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < p.size(); ++i) sum += p[i] * costs[i];
  const double last = -sum / p.back();
  if (p.size() > 1 && std::abs(last) < 1e12) costs.back() = last;
}

struct Place {
  std::size_t from = 0;
  std::size_t action = 0;
};

void add_law(Random& random, const Style& style, ModelTable& table, Place place, int most) {
  const auto [from, action] = place;
  const auto count = static_cast<std::size_t>(
      style.wide_rows ? random.between(50, 300) : random.between(1, random.between(1, most)));
  const std::vector<double> p = draw_probabilities(random, style, count);
  const double offset = style.offset_costs ? random.sign() * random.decades(5.0, 9.0) : 0.0;
  std::vector<double> costs(count);
  for (double& c : costs) c = draw_cost(random, style, offset);
  if (style.cancelling_costs) cancel(p, costs);
  for (std::size_t i = 0; i < count; ++i) {
    auto to = static_cast<std::size_t>(random.between(0, static_cast<int>(table.states) - 1));
    if (style.self_loops && random.chance(0.6)) to = from;
    if (style.duplicates && i > 0 && random.chance(0.4)) {
      to = table.rows.back().to;
      if (random.chance(0.5)) costs[i] = table.rows.back().cost;
    }
    table.rows.push_back({from, action, to, p[i], costs[i]});
  }
}

/// Leaves out the states and actions that no row names, because ids must be consecutive.
void renumber(ModelTable& table) {
  std::vector<std::size_t> states;
  std::vector<std::size_t> actions;
  for (const ModelRow& row : table.rows) {
    states.insert(states.end(), {row.from, row.to});
    actions.push_back(row.action);
  }
  const auto order = [](std::vector<std::size_t>& ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  };
  const auto place = [](const std::vector<std::size_t>& ids, std::size_t id) {
    return static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
  };
  order(states);
  order(actions);
  for (ModelRow& row : table.rows) {
    row.from = place(states, row.from);
    row.to = place(states, row.to);
    row.action = place(actions, row.action);
  }
  table.states = states.size();
}

ModelTable draw_table(Random& random, const Style& style, const EdgeCases& edges) {
  ModelTable table;
  table.states = static_cast<std::size_t>(random.between(1, style.wide_rows ? 2 : 6));
  for (std::size_t x = 0; x < table.states; ++x) {
    if (style.terminal && x > 0 && random.chance(0.4)) continue;
    const int actions = random.between(1, style.wide_rows ? 2 : 3);
    for (int a = 0; a < actions; ++a) {
      if (a > 0 && random.chance(0.2)) continue;
      add_law(random, style, table, {x, static_cast<std::size_t>(a)}, 6);
    }
  }
  add_edge_cases(random, edges, table, Actions::more);
  renumber(table);
  return table;
}

double draw_gamma(Random& random, const EdgeCases& edges, Ingredients& ingredients) {
  if (edges.denormal_costs && random.chance(0.6)) {
    ingredients.emplace_back("small gamma");
    return random.chance(0.6) ? random.uniform(0.01, 0.5) : random.decades(-8.0, -1.0);
  }
  const double kind = random.uniform();
  if (kind < 0.35) return random.uniform(0.01, 0.95);
  if (kind < 0.7) return random.one_of({0.5, 0.9, 0.95, 0.99});
  ingredients.emplace_back("gamma to 1 - 1e-9");
  return 1.0 - random.decades(-9.0, -2.0);
}

/// A policy with one action in each state, or with weights.
std::vector<Choice> draw_policy(Random& random, const ModelTable& table, bool randomised) {
  std::vector<Choice> policy;
  for (std::size_t x = 0; x < table.states; ++x) {
    const std::vector<std::size_t> actions = table.actions(x);
    if (actions.empty()) continue;
    const auto last = static_cast<int>(actions.size()) - 1;
    if (!randomised) {
      policy.push_back({x, actions[static_cast<std::size_t>(random.between(0, last))], 1.0});
      continue;
    }
    std::vector<double> weights(actions.size());
    double sum = 0.0;
    for (double& w : weights) {
      w = random.chance(0.15) ? random.decades(-18.0, -3.0) : random.uniform(0.05, 1.0);
      if (random.chance(0.1)) w = 0.0;
      sum += w;
    }
    if (sum < 1e-2) {
      weights[0] += 1.0;
      sum += 1.0;
    }
    for (std::size_t a = 0; a < actions.size(); ++a) {
      policy.push_back({x, actions[a], weights[a] / sum});
    }
  }
  return policy;
}

/// Costs of two actions whose means nearly cancel under the policy's weights.
void cancel_under(ModelTable& table, const std::vector<Choice>& policy) {
  for (std::size_t i = 1; i < policy.size(); ++i) {
    const Choice& one = policy[i - 1];
    const Choice& two = policy[i];
    if (one.state != two.state || one.weight < 1e-3 || two.weight < 1e-3) continue;
    const ModelRow* model = nullptr;
    for (ModelRow& row : table.rows) {
      if (row.from != one.state) continue;
      if (row.action == one.action) model = &row;
    }
    const double cost = model == nullptr ? 0.0 : model->cost;
    for (ModelRow& row : table.rows) {
      if (row.from != one.state) continue;
      if (row.action == one.action) row.cost = cost;
      if (row.action == two.action) row.cost = -cost * one.weight / two.weight;
    }
  }
}

std::string model_csv(Random& random, ModelTable table, double sign, std::size_t state_base,
                      std::size_t action_base) {
  if (random.chance(0.3)) {  // rows in any order, which must not matter
    for (std::size_t i = table.rows.size(); i > 1; --i) {
      std::swap(table.rows[i - 1],
                table.rows[static_cast<std::size_t>(random.between(0, static_cast<int>(i) - 1))]);
    }
  }
  std::string text = "idstatefrom,idaction,idstateto,probability,";
  text += sign < 0.0 ? "reward\n" : "cost\n";
  for (const ModelRow& row : table.rows) {
    text += std::to_string(row.from + state_base) + "," + std::to_string(row.action + action_base) +
            "," + std::to_string(row.to + state_base) + "," + text_of(row.probability) + "," +
            text_of(sign * row.cost) + "\n";
  }
  return text;
}

std::string policy_csv(const std::vector<Choice>& policy, bool randomised, std::size_t state_base,
                       std::size_t action_base) {
  std::string text = randomised ? "idstate,idaction,probability\n" : "idstate,idaction\n";
  for (const Choice& choice : policy) {
    text += std::to_string(choice.state + state_base) + "," +
            std::to_string(choice.action + action_base);
    text += randomised ? "," + text_of(choice.weight) + "\n" : "\n";
  }
  return text;
}

double spread_of(const ModelTable& table) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const ModelRow& row : table.rows) {
    low = std::min(low, row.cost);
    high = std::max(high, row.cost);
  }
  return high > low ? high - low : std::max(1e-3, std::abs(high));
}

/// A tolerance that can be met, one that cannot, or one so large that little needs to be done.
double draw_tolerance(Random& random, double spread, Ingredients& ingredients) {
  if (random.chance(0.4)) return 1e-6;
  ingredients.emplace_back("drawn tolerance");
  const double tolerance = random.decades(-12.0, 0.0);
  return random.chance(0.5) ? tolerance : tolerance * std::max(spread, 1e-280);
}

Case risk_case(Random& random, const Style& style, const EdgeCases& edges,
               Ingredients ingredients) {
  ModelTable table;
  table.states = 2;
  add_law(random, style, table, {0, 0}, 12);
  add_edge_cases(random, edges, table, Actions::as_they_are);
  for (ModelRow& row : table.rows) row.to = 1;
  const double spread = spread_of(table);
  const Loss loss = draw_loss_for(random, edges, spread, ingredients);
  if (random.chance(0.3)) {
    ingredients.emplace_back("rare outcomes that count");
    add_rare_outcomes(random, table, loss, spread);
  }
  Case result;
  result.kind = "risk " + loss.family;
  result.answer = Case::Answer::risk;
  result.arguments = {"risk", "--loss", loss.word, "--json", "--threads", "1", "law.csv"};
  std::string& text = result.files["law.csv"] = "value,probability\n";
  for (const ModelRow& row : table.rows) {
    text += text_of(row.cost) + "," + text_of(row.probability) + "\n";
  }
  result.problems = {[=](const Evidence&) {
    return Problem{
        .loss = loss, .gamma = 1.0, .horizon = 1, .rational = laws_of(table), .real = {}};
  }};
  result.ingredients = std::move(ingredients);
  return result;
}

}  // namespace

Case draw_model_case(Random& random, double share_of_risk) {
  Ingredients ingredients;
  const Style style = draw_style(random, ingredients);
  const bool risk = random.chance(share_of_risk);
  const Actions actions = risk ? Actions::as_they_are : Actions::more;
  const EdgeCases edges = draw_edge_cases(random, actions, ingredients);
  if (risk) return risk_case(random, style, edges, std::move(ingredients));
  ModelTable table = draw_table(random, style, edges);
  const bool evaluate = random.chance(edges.many_actions ? 0.15 : 0.45);
  const bool randomised = evaluate && random.chance(0.6);
  const bool mixture = randomised && random.chance(0.35);
  std::vector<Choice> policy;
  if (evaluate) policy = draw_policy(random, table, randomised);
  if (randomised && random.chance(0.3)) {
    ingredients.emplace_back("actions that cancel");
    cancel_under(table, policy);
  }
  if (randomised) ingredients.emplace_back(mixture ? "mixtures" : "randomised policies");
  const double spread = spread_of(table);
  const Loss loss = draw_loss_for(random, edges, spread, ingredients);
  const bool equals = edges.many_actions;
  if (random.chance(equals ? 0.1 : loss.bound > 0.0 ? 0.6 : 0.3)) {
    ingredients.emplace_back("rare outcomes that count");
    add_rare_outcomes(random, table, loss, spread);
  }
  const bool finite = random.chance(0.12);
  double gamma = draw_gamma(random, edges, ingredients);
  if (finite && random.chance(0.3)) gamma = 1.0;
  const int many_stages = edges.many_actions ? 5 : 30;
  const int horizon = finite ? random.between(1, random.chance(0.2) ? many_stages : 5) : 0;
  if (finite) ingredients.emplace_back("horizons");

  Case result;
  result.sign = random.chance(0.25) ? -1.0 : 1.0;
  if (result.sign < 0.0) ingredients.emplace_back("rewards");
  const std::size_t state_base = random.chance(0.3) ? 1 : 0;
  const std::size_t action_base = random.chance(0.3) ? 1 : 0;
  result.tolerance = draw_tolerance(random, spread, ingredients);
  result.certifies_tolerance = true;
  result.files["model.csv"] = model_csv(random, table, result.sign, state_base, action_base);
  result.arguments = {evaluate ? "evaluate" : "solve",
                      "model.csv",
                      "--loss",
                      loss.word,
                      "--gamma",
                      text_of(gamma),
                      "--tolerance",
                      text_of(result.tolerance),
                      "--json",
                      "--threads",
                      "1"};
  std::string& kind = result.kind = result.arguments.front();
  const auto add = [&](std::initializer_list<std::string> more) {
    result.arguments.insert(result.arguments.end(), more);
  };
  if (evaluate) {
    add({"--policy", "policy.csv"});
    result.files["policy.csv"] = policy_csv(policy, randomised, state_base, action_base);
    if (randomised) kind += mixture ? "-mixture" : "-randomised";
    if (mixture) add({"--induced-cost", "mixture"});
  }
  if (finite) {
    add({"--horizon", std::to_string(horizon)});
    kind += "-horizon";
  } else if (random.chance(0.6)) {
    const std::string method = evaluate
                                   ? random.one_of({"newton", "sweeps"})
                                   : random.one_of({"policy-iteration", "modified-policy-iteration",
                                                    "value-iteration", "gauss-seidel"});
    add({"--method", method});
    ingredients.push_back("method " + method);
    if (random.chance(0.5) || gamma > 0.999 || edges.many_actions) {
      ingredients.emplace_back("few iterations");
      add({"--max-iterations", std::to_string(random.between(1, edges.many_actions ? 200 : 2000))});
    }
  }
  kind += " " + loss.family;
  result.problems = {[=](const Evidence&) {
    Problem problem{.loss = loss, .gamma = gamma, .horizon = horizon, .rational = {}, .real = {}};
    problem.rational =
        evaluate ? laws_under(table, policy, mixture ? InducedCost::mixture : InducedCost::averaged)
                 : laws_of(table);
    return problem;
  }};
  result.ingredients = std::move(ingredients);
  return result;
}

}  // namespace oracle
