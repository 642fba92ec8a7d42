#include "draw.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

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

namespace {

using Knots = std::vector<std::pair<double, double>>;

double power_of_two_near(double x) {
  return std::exp2(std::round(std::log2(x)));
}

int draw_many(Random& random) {
  return random.chance(0.03) ? random.between(61, 1000) : random.between(5, 60);
}

enum class Origin { at_knot, inside_segment };
enum class Slopes { rising, falling, mixed };

/// From the inside out, one for each segment of a side.
std::vector<double> draw_slopes(Random& random, int count, Slopes slopes) {
  std::vector<double> result(static_cast<std::size_t>(count));
  const double decades = random.one_of({0.01, 1.0, 3.0});
  for (double& s : result) {
    s = random.decades(slopes == Slopes::rising ? 0.0 : -decades,
                       slopes == Slopes::falling ? 0.0 : decades);
  }
  if (slopes == Slopes::rising) std::sort(result.begin(), result.end());
  if (slopes == Slopes::falling) std::sort(result.begin(), result.end(), std::greater<>());
  return result;
}

/// A knot beyond the last one; it is higher, if only by a unit in the last place.
std::pair<double, double> beyond(std::pair<double, double> last, double run, double rise) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {std::max(last.first + run, std::nextafter(last.first, infinity)),
          std::max(last.second + rise, std::nextafter(last.second, infinity))};
}

/// The mirror image of the polygon: x and y with opposite signs.
void mirror(Knots& knots) {
  for (auto& [x, y] : knots) {
    x = 0.0 - x;
    y = 0.0 - y;
  }
  std::reverse(knots.begin(), knots.end());
}

/// Two ends of a segment through the origin, at arbitrary distances.
Knots draw_segment(Random& random, double unit) {
  const double kind = random.uniform();
  if (kind < 0.2) {  // in its middle
    const double x = unit * random.uniform(0.1, 1.0);
    const double y = random.decades(-2.0, 2.0);
    return {{-x, -y}, {x, y}};
  }
  if (kind < 0.4) {  // up to the rounding of both ends
    const double slope = random.decades(-2.0, 2.0);
    const double below = random.uniform(0.1, 1.0);
    const double above = random.uniform(0.1, 1.0);
    return {{-below * unit, -below * slope}, {above * unit, above * slope}};
  }
  const double run = power_of_two_near(unit) * random.between(1, 9) / 16.0;
  const double rise = random.between(1, 999) * std::exp2(random.between(-10, 0));
  const int below = random.between(1, 20);
  const int above = random.between(1, 20);
  return {{-below * run, -below * rise}, {above * run, above * rise}};
}

/// Slopes that decrease from knot to knot, where the intercept of each segment is the same fraction
/// of a unit in the last place away from a double: summing them always rounds to the same side.
Knots draw_staircase(Random& random, double spread, Origin origin) {
  const int count = std::max(draw_many(random), draw_many(random));
  const int bits = random.between(static_cast<int>(std::ceil(std::log2(count + 1))), 12);
  const double unit = power_of_two_near(spread * random.decades(-1.5, -0.3));
  const double slope = std::exp2(random.between(-4, 24));
  const double run = unit * std::exp2(-bits);
  const double last_place = slope * unit * 0x1p-52;
  const int first = count + random.between(1, 2048);
  const double below = unit * random.between(1, 8);
  const double above = unit + run * random.uniform(0.1, 0.5);
  Knots knots = {{-below, -below * slope}, {above, above * slope}};
  if (origin == Origin::at_knot) knots.insert(knots.begin() + 1, {0.0, 0.0});
  for (int i = 0; i < count; ++i) {
    knots.push_back(beyond(knots.back(), run, (first - i) * last_place));
  }
  if (random.chance(0.5)) mirror(knots);
  return knots;
}

/// Adds segments above, then below: `reach` is the total length of those of a side.
void extend(Random& random, Knots& knots, double reach, std::pair<int, int> counts) {
  auto slopes = random.one_of({Slopes::rising, Slopes::falling, Slopes::mixed});
  for (const int count : {counts.first, counts.second}) {
    const double part = 1.0 / std::max(count, 1);
    const bool equal_runs = random.chance(0.3);
    for (const double slope : draw_slopes(random, count, slopes)) {
      const double run = part * (equal_runs ? 1.0 : random.uniform(0.1, 2.0));
      knots.push_back(beyond(knots.back(), reach * run, slope * run));
    }
    mirror(knots);
    // Convexity above corresponds to increasing slopes toward the origin below.
    if (slopes != Slopes::mixed) {
      slopes = slopes == Slopes::rising ? Slopes::falling : Slopes::rising;
    }
  }
}

}  // namespace

Loss draw_piecewise(Random& random, double spread, std::vector<std::string>& ingredients) {
  const bool many = random.chance(0.35);
  if (many) ingredients.emplace_back("many knots");
  const Origin origin = random.chance(0.45) ? Origin::inside_segment : Origin::at_knot;
  const bool inside = origin == Origin::inside_segment;
  if (inside) ingredients.emplace_back("origin inside a segment");
  if (many && random.chance(0.5)) return piecewise_loss(draw_staircase(random, spread, origin));
  const double reach = spread * random.decades(-2.0, 0.3);
  Knots knots = {{0.0, 0.0}};
  if (inside) knots = draw_segment(random, reach);
  const int above = many ? draw_many(random) : random.between(1, 4);
  const int below = many ? draw_many(random) : random.between(inside ? 0 : 1, 3);
  extend(random, knots, reach, {above, below});
  return piecewise_loss(knots);
}

}  // namespace oracle
