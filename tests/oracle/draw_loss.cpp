#include "draw_loss.hpp"

#include "draw_knots.hpp"

namespace oracle {
namespace {

double draw_level(Random& random, std::vector<std::string>& ingredients) {
  if (random.chance(0.6)) return random.uniform(0.01, 0.99);
  ingredients.emplace_back("extreme level");
  const double level = random.decades(-12.0, -2.0);
  return random.chance(0.5) ? level : 1.0 - level;
}

/// β such that β·spread is anything up to 700.
double draw_beta(Random& random, double spread, std::vector<std::string>& ingredients) {
  if (random.chance(0.02)) {
    ingredients.emplace_back("denormal beta");
    return random.one_of({5e-324, 1e-310, 1e-300});
  }
  if (random.chance(0.3)) {
    ingredients.emplace_back("large beta times range");
    return random.uniform(30.0, 700.0) / spread;
  }
  return random.decades(-4.0, 1.5) / spread;
}

Loss draw_truncated(Random& random, double spread, std::vector<std::string>& ingredients) {
  double product = random.decades(-2.0, 0.7);  // β·bound
  if (random.chance(0.6)) {
    ingredients.emplace_back("large beta times bound");
    product = random.chance(0.6) ? random.uniform(5.0, 40.0) : random.uniform(40.0, 690.0);
  }
  double bound = spread * random.decades(-3.0, 0.7);
  if (random.chance(0.3)) bound = random.one_of({0.25, 1.0, 2.0, 10.0});
  return truncated_entropic_loss(product / bound, bound);
}

}  // namespace

Loss draw_loss(Random& random, double spread, std::vector<std::string>& ingredients) {
  if (!(spread > 1e-290 && spread < 1e290)) spread = 1.0;
  const double kind = random.uniform();
  if (kind < 0.12) return mean_loss();
  if (kind < 0.40) return expectile_loss(draw_level(random, ingredients));
  if (kind < 0.57) return entropic_loss(draw_beta(random, spread, ingredients));
  if (kind < 0.74) return draw_truncated(random, spread, ingredients);
  if (kind < 0.87) {
    const double kappa =
        random.chance(0.5) ? random.decades(-3.0, 3.0) : spread * random.decades(-3.0, 0.0);
    return soft_quantile_loss(draw_level(random, ingredients), kappa);
  }
  return draw_piecewise(random, spread, ingredients);
}

}  // namespace oracle
