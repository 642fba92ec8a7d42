#include "draw_rare.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

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

}  // namespace oracle
