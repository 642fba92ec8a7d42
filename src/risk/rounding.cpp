#include "shortfall/risk/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "numbers/roundoff.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/risk/shortfall_risk.hpp"

namespace shortfall {
namespace {

constexpr double unit = detail::unit_roundoff;
constexpr double least_positive = std::numeric_limits<double>::denorm_min();
constexpr double least_normal = std::numeric_limits<double>::min();
/// Sums of a few numbers of this size do not overflow.
constexpr double largest = std::numeric_limits<double>::max() / 4;

/// Beyond this many units θ is no longer small, and first-order derivations are not valid.
constexpr double max_units = 1e-3 / unit;

/// Units for a slope and for slope · x + intercept, and for each kink between a piece
/// and the origin.
constexpr double units_of_line = 5.0;
constexpr double units_of_kink = 8.0;

/// The additional units of intercepts on one side of the origin, kink after kink away from it.
/// Relative to L₁ |x|, each kink adds its units. Relative to |ℓ(x)| the worst point is where a
/// piece begins: |ℓ| grows from there on.
struct Intercepts {
  double of_slope = 0.0;
  double of_value = 0.0;

  void pass(const LinearPiece& from, const LinearPiece& to, double kink) {
    const double value = std::abs(to.slope * kink + to.intercept);
    spent_ += 3.0 * (from.slope + to.slope) * std::abs(kink) + std::abs(to.intercept);
    of_slope += units_of_kink;
    of_value = std::max(of_value, (spent_ + 2.0 * to.slope * std::abs(kink)) / value);
  }

 private:
  double spent_ = 0.0;
};

double evaluation_units(std::span<const LinearPiece> pieces, bool relative) {
  Intercepts right;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    if (pieces[i].from > 0.0) right.pass(pieces[i - 1], pieces[i], pieces[i].from);
  }
  Intercepts left;
  for (std::size_t i = pieces.size(); i-- > 1;) {
    if (pieces[i].from < 0.0) left.pass(pieces[i], pieces[i - 1], pieces[i].from);
  }
  return units_of_line + (relative ? std::max(right.of_value, left.of_value)
                                   : std::max(right.of_slope, left.of_slope));
}

/// The error of a computed ℓ(x), in units.
struct Evaluation {
  bool relative;
  template <class L>
  double operator()(const L& loss) const {
    if constexpr (requires { loss.pieces(); }) {
      return evaluation_units(loss.pieces(), relative);
    } else {
      return 12.0;
    }
  }
};

double condition_of(const AnyLoss& loss, const RootMethod& method) {
  const auto [lower, upper] = loss.slope_bounds();
  const double of_slopes = upper / lower;
  const bool convex = is_convex(loss);
  if (method.sums == SumKind::uncentred) return convex ? of_slopes : 2.0 * of_slopes;
  if (!convex && !is_concave(loss)) return of_slopes;
  return std::min(of_slopes, method.enclosure == Enclosure::by_signs ? 2.0 : 6.0);
}

}  // namespace

RiskRounding::RiskRounding(AnyLoss loss, const LawLimits& laws, const RootMethod& method)
    : loss_(std::move(loss)), condition_(condition_of(loss_, method)) {
  const bool relative = (is_convex(loss_) || is_concave(loss_)) && method.sums == SumKind::centred;
  // Closed forms require probabilities that sum to one, and a compensated sum is two units off.
  const bool closed_form = std::holds_alternative<Mean>(loss_.variant()) ||
                           std::holds_alternative<Entropic>(loss_.variant());
  const double units = laws.terms + (closed_form ? 4.0 : 0.0) + laws.probability_error / unit +
                       std::visit(Evaluation{relative}, loss_.variant());
  relative_error_ = units < max_units ? 1.01 * unit * units : infinity;
  least_probability_ = laws.least_probability;
  terms_ = laws.terms;
}

double RiskRounding::underflow_error(double range) const {
  const double summed = (terms_ + 16.0) * least_positive;
  const auto* const entropic = std::get_if<Entropic>(&loss_.variant());
  if (entropic && is_close_to_mean(*entropic, range)) return summed;
  const double slope = entropic ? entropic->beta() : loss_.slope_bounds().lower;
  const double lost_mass = least_probability_ < least_normal ? terms_ * least_positive : 0.0;
  if (!(slope > 0.0)) return lost_mass > 0.0 ? infinity : summed;
  const double moved = summed + summed / slope;
  if (lost_mass == 0.0) return moved;
  const double most = std::max(std::abs(loss_.at(range).value), std::abs(loss_.at(-range).value));
  return moved + lost_mass * most / slope;
}

bool RiskRounding::has_safe_signs(double range) const {
  const double up = loss_.at(range).value;
  const double down = -loss_.at(-range).value;
  const double least_infinite_term = least_probability_ * largest;
  return (up < largest || least_infinite_term > down) &&
         (down < largest || least_infinite_term > up);
}

double RiskRounding::bound(double magnitude, double range) const {
  if (!(magnitude < largest && range < largest) || !has_safe_signs(range)) return infinity;
  if (std::isinf(condition_)) return infinity;
  const double of_range = relative_error_ * condition_ * range + underflow_error(range);
  const double of_magnitude = 8.0 * unit * magnitude + 16.0 * least_positive;
  return of_magnitude + (of_range < range ? of_range : range);  // range, too, if it is NaN
}

double risk_rounding(const AnyLoss& loss, const Law& law) {
  const auto [lowest, highest, mean] = summarise(law);
  double least = 1.0;
  for (const double p : law.probabilities) {
    if (p > 0.0) least = std::min(least, p);
  }
  const LawLimits limits{static_cast<double>(law.atoms.size()), unit, least};
  return RiskRounding(loss, limits)
      .bound(std::max(std::abs(lowest), std::abs(highest)), highest - lowest);
}

}  // namespace shortfall
