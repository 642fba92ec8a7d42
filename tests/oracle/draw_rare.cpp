#include "draw.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace oracle {

namespace {

constexpr double smallest_probability = 5e-324;

/// The cost added to an outcome, and its probability.
struct Rare {
  double log_probability = 0.0;
  double cost = 0.0;
};

Rare draw_rare(Random& random, const Loss& loss, double spread) {
  const double off_balance = random.uniform(-4.0, 4.0);
  switch (loss.shape) {
    case Loss::Shape::entropic: {  // p e^{β cost} is about 1
      const double log_probability = random.uniform(-744.0, -1.0);
      return {log_probability, (off_balance - log_probability) / loss.beta};
    }
    case Loss::Shape::truncated_entropic: {
      // Balanced against the slope at the lower end, or against the loss of -1 in the middle.
      const double ends = random.chance(0.5) ? 2.0 : 1.0;
      return {off_balance - ends * loss.beta * loss.bound, loss.bound * random.decades(0.5, 8.0)};
    }
    case Loss::Shape::piecewise_linear:
      break;
  }
  const mpq_class ratio = loss.pieces.back().slope / loss.pieces.front().slope;
  return {off_balance - std::log(ratio.get_d()), spread * random.decades(0.5, 8.0)};
}

}  // namespace

void add_rare_outcomes(Random& random, ModelTable& table, const Loss& loss, double spread) {
  for (std::size_t i = 1; i < table.rows.size(); ++i) {
    ModelRow& row = table.rows[i];
    ModelRow& other = table.rows[i - 1];
    if (row.from != other.from || row.action != other.action || random.chance(0.5)) continue;
    const Rare rare = draw_rare(random, loss, spread);
    const double probability = std::max(std::exp(rare.log_probability), smallest_probability);
    const double mass = row.probability + other.probability;
    if (!(probability < 0.3 * mass) || !(std::abs(rare.cost) < 1e100)) continue;
    other.probability = mass - probability;
    row.probability = probability;
    row.cost = other.cost + rare.cost;
    ++i;
  }
}

namespace {

constexpr double smallest = 5e-324;
constexpr std::size_t max_equal_outcomes = 4;

/// The rows from `begin` to `end` of one state's action.
struct LawOfRows {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<LawOfRows> laws_in(const ModelTable& table) {
  std::vector<LawOfRows> laws;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const ModelRow& row = table.rows[i];
    const bool same =
        i > 0 && table.rows[i - 1].from == row.from && table.rows[i - 1].action == row.action;
    if (!same) laws.push_back({i, i});
    laws.back().end = i + 1;
  }
  return laws;
}

/// The states with actions, without duplicates.
std::vector<std::size_t> states_in(const ModelTable& table) {
  std::vector<std::size_t> states;
  for (const ModelRow& row : table.rows) states.push_back(row.from);
  std::sort(states.begin(), states.end());
  states.erase(std::unique(states.begin(), states.end()), states.end());
  return states;
}

std::vector<ModelRow> take_state(ModelTable& table, std::size_t state) {
  const auto is_other = [&](const ModelRow& row) { return row.from != state; };
  const auto begin = std::stable_partition(table.rows.begin(), table.rows.end(), is_other);
  std::vector<ModelRow> rows(begin, table.rows.end());
  table.rows.erase(begin, table.rows.end());
  return rows;
}

void normalise(std::vector<ModelRow>& law) {
  double sum = 0.0;
  for (const ModelRow& row : law) sum += row.probability;
  if (!(sum > 0.05)) {
    sum += 1.0 - law.front().probability;
    law.front().probability = 1.0;
  }
  for (ModelRow& row : law) row.probability /= sum;
}

double by_last_places(double x, int count) {
  const double size = std::abs(x);
  return x + count * (std::nextafter(size, std::numeric_limits<double>::infinity()) - size);
}

/// Makes all costs of a law equal up to a few units in the last place, with the lowest one
/// improbable. Each further action repeats these costs one unit higher.
void draw_nearly_equal_costs(Random& random, std::vector<ModelRow>& law) {
  if (law.size() == 1) law.push_back(law.front());
  law[0].probability = random.uniform(0.02, 0.3);
  for (std::size_t i = 1; i < law.size(); ++i) {
    law[i].probability = (1.0 - law[0].probability) / static_cast<double>(law.size() - 1);
    law[i].cost = by_last_places(law[0].cost, random.between(1, 3));
    law[i].to = law[0].to;
  }
}

/// Replaces the actions of a state by many copies of its first law, each shifted by a few units in
/// the last place. Comparing them pairwise accumulates errors.
void make_many_actions(Random& random, ModelTable& table) {
  const std::vector<std::size_t> states = states_in(table);
  const std::size_t state =
      states[static_cast<std::size_t>(random.between(0, static_cast<int>(states.size()) - 1))];
  std::vector<ModelRow> law = take_state(table, state);
  const std::size_t action = law.front().action;
  std::erase_if(law, [&](const ModelRow& row) { return row.action != action; });
  if (law.size() > max_equal_outcomes) law.resize(max_equal_outcomes);
  normalise(law);
  if (random.chance(0.5)) table.rows.clear();  // so that no values exceed those of this state
  int drift = random.between(-1, 2);
  int noise = random.chance(0.5) ? 0 : random.between(1, 3);
  if (random.chance(0.6)) {
    draw_nearly_equal_costs(random, law);
    drift = 1;
    noise = 0;
  }
  const auto count = static_cast<int>(random.decades(1.0, 2.303));
  for (int a = 0; a < count; ++a) {
    for (ModelRow row : law) {
      row.action = static_cast<std::size_t>(a);
      row.cost = by_last_places(row.cost, a * drift + random.between(-noise, noise));
      table.rows.push_back(row);
    }
  }
}

std::vector<ModelRow> draw_offset_law(Random& random, ModelRow row, std::size_t states,
                                      double offset) {
  std::vector<ModelRow> law(static_cast<std::size_t>(random.between(1, 12)), row);
  const bool equal = random.chance(0.5);
  const bool counts = random.chance(0.5);
  for (std::size_t i = 0; i < law.size(); ++i) {
    law[i].probability = equal ? 1.0 : random.uniform(0.05, 1.0);
    law[i].cost = offset + (counts ? static_cast<double>(i) : random.uniform(-10.0, 10.0));
    if (i > 0 && random.chance(0.3)) {
      law[i].to = static_cast<std::size_t>(random.between(0, static_cast<int>(states) - 1));
    }
  }
  normalise(law);
  return law;
}

/// Each action has its own offset, and its own number of outcomes.
void make_offsets(Random& random, ModelTable& table, Actions actions) {
  for (const std::size_t state : states_in(table)) {
    if (table.states > 1 && random.chance(0.2)) continue;
    const ModelRow model = take_state(table, state).front();
    const double side = random.sign();
    const int count = actions == Actions::more ? random.between(2, 4) : 1;
    for (int a = 0; a < count; ++a) {
      ModelRow row = model;
      if (a > 0) row.action = static_cast<std::size_t>(a) + model.action;
      const double offset = (random.chance(0.8) ? side : -side) * random.decades(3.0, 8.0);
      const bool whole = random.chance(0.5);
      const std::vector<ModelRow> law =
          draw_offset_law(random, row, table.states, whole ? std::round(offset) : offset);
      table.rows.insert(table.rows.end(), law.begin(), law.end());
    }
  }
}

void make_overflow(Random& random, ModelTable& table) {
  const double side = random.sign();
  for (const auto& [begin, end] : laws_in(table)) {
    const bool single = end - begin == 1;
    if (random.chance(single ? 0.8 : 0.4)) continue;
    const std::size_t last = begin + static_cast<std::size_t>(random.between(
                                         single ? 0 : 1, static_cast<int>(end - begin) - 1));
    ModelRow& row = table.rows[last];
    row.cost = (random.chance(0.9) ? side : -side) * random.decades(280.0, 305.0);
    if (single || random.chance(0.2)) continue;
    ModelRow& other = table.rows[last - 1];
    const double mass = row.probability + other.probability;
    row.probability = mass * random.decades(-30.0, -3.0);
    other.probability = mass - row.probability;
  }
}

void make_denormal(Random& random, ModelTable& table) {
  const double share = random.one_of({0.3, 0.9, 1.0});
  const double largest = random.one_of({-322.0, -308.0, -290.0});
  for (ModelRow& row : table.rows) {
    if (!random.chance(share)) continue;
    row.cost = random.sign() * (random.chance(0.5) ? random.between(0, 9) * smallest
                                                   : random.decades(-323.0, largest));
  }
}

void add_impossible(Random& random, ModelTable& table) {
  for (int i = random.between(1, 4); i > 0; --i) {
    const auto last = static_cast<int>(table.rows.size()) - 1;
    const auto place = random.between(0, last);
    ModelRow row = table.rows[static_cast<std::size_t>(place)];
    row.probability = 0.0;
    row.cost = random.sign() * random.decades(-10.0, random.chance(0.5) ? 10.0 : 307.0);
    table.rows.insert(table.rows.begin() + place, row);
  }
}

/// With slopes near the largest double, or up to a hundred powers of e below it.
Loss draw_steep_exponential(Random& random) {
  const double bound =
      random.chance(0.5) ? random.one_of({1.0, 10.0, 100.0, 700.0}) : random.decades(-1.0, 4.0);
  const double largest = std::min(708.0, 708.0 - std::log(700.0 / bound));
  const double product = std::max(600.0, largest - random.decades(-1.0, 2.0));
  return truncated_entropic_loss(product / bound, bound);
}

/// Steep on one side, flat on the other.
Loss draw_one_sided(Random& random) {
  const double kind = random.uniform();
  if (kind < 0.35) {
    const double level = random.decades(-12.0, -3.0);
    return expectile_loss(random.chance(0.5) ? level : 1.0 - level);
  }
  if (kind < 0.55) {
    const double bound = random.decades(-2.0, random.chance(0.5) ? 3.0 : 300.0);
    return truncated_entropic_loss(random.uniform(10.0, 700.0) / bound, bound);
  }
  const double unit = random.decades(-3.0, random.chance(0.5) ? 3.0 : 290.0);
  double above = random.decades(0.0, 10.0);
  double below = random.decades(-3.0, 0.0);
  if (random.chance(0.5)) std::swap(above, below);
  return piecewise_loss({{-unit, -unit * below}, {0.0, 0.0}, {unit, unit * above}});
}

}  // namespace

EdgeCases draw_edge_cases(Random& random, Actions actions, std::vector<std::string>& ingredients) {
  const auto with = [&](double probability, const char* name) {
    const bool is_in = random.chance(probability);
    if (is_in) ingredients.emplace_back(name);
    return is_in;
  };
  const bool more = actions == Actions::more;
  return {.many_actions = with(more ? 0.06 : 0.0, "many nearly equal actions"),
          .steep_beside_offset = with(0.05, "steep exponential beside an offset"),
          .overflow_on_one_side = with(0.05, "overflow on one side"),
          .denormal_costs = with(0.05, "denormal costs"),
          .impossible_outcomes = with(more ? 0.03 : 0.2, "impossible outcomes")};
}

void add_edge_cases(Random& random, const EdgeCases& edges, ModelTable& table, Actions actions) {
  if (edges.steep_beside_offset) make_offsets(random, table, actions);
  if (edges.denormal_costs) make_denormal(random, table);
  if (edges.overflow_on_one_side) make_overflow(random, table);
  if (edges.impossible_outcomes) add_impossible(random, table);
  if (edges.many_actions && actions == Actions::more) make_many_actions(random, table);
}

Loss draw_loss_for(Random& random, const EdgeCases& edges, double spread,
                   std::vector<std::string>& ingredients) {
  if (edges.steep_beside_offset && random.chance(0.9)) return draw_steep_exponential(random);
  if (edges.overflow_on_one_side && random.chance(0.7)) return draw_one_sided(random);
  if (edges.many_actions && random.chance(0.4)) {
    const double level = random.decades(-12.0, -2.0);
    ingredients.emplace_back("extreme level");
    return expectile_loss(random.chance(0.7) ? level : 1.0 - level);
  }
  return draw_loss(random, spread, ingredients);
}

}  // namespace oracle
