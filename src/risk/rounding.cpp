#include "shortfall/risk/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "shortfall/risk/shortfall_risk.hpp"

namespace shortfall {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double unit = std::numeric_limits<double>::epsilon() / 2;
constexpr double least_positive = std::numeric_limits<double>::denorm_min();
constexpr double least_normal = std::numeric_limits<double>::min();

/// Beyond this many units θ is no longer small, and what is derived to first order in it is void.
constexpr double most_units = 1e-3 / unit;

/// Rounding of a piece's slope, and of slope · x + intercept, which cancels where the intercept is
/// large. `relative` is to |ℓ(x)|, where pieces need it; else the error is relative to L₁ |x|.
double evaluation_units(std::span<const LinearPiece> pieces, bool relative) {
  constexpr double slope_and_product = 6.0;
  if (!relative) return slope_and_product * static_cast<double>(pieces.size() + 1);
  double most = 0.0;
  const auto note = [&](const LinearPiece& piece, double kink, double spent) {
    // Largest at the end towards the origin, where |ℓ| is smallest.
    const double value = std::abs(piece.slope * kink + piece.intercept);
    if (spent > 0.0)
      most = std::max(most, (3.0 * spent + 2.0 * piece.slope * std::abs(kink)) / value);
  };
  double spent = 0.0;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    if (!(pieces[i].from > 0.0)) continue;
    spent += (pieces[i - 1].slope + pieces[i].slope) * pieces[i].from;
    note(pieces[i], pieces[i].from, spent);
  }
  spent = 0.0;
  for (std::size_t i = pieces.size(); i-- > 1;) {
    if (!(pieces[i].from < 0.0)) continue;
    spent -= (pieces[i - 1].slope + pieces[i].slope) * pieces[i].from;
    note(pieces[i - 1], pieces[i].from, spent);
  }
  return slope_and_product + most;
}

/// Units in which a computed ℓ(x) is off.
struct Evaluation {
  bool relative;
  template <class L>
  double operator()(const L& loss) const {
    if constexpr (requires { loss.pieces(); }) {
      return evaluation_units(loss.pieces(), relative);
    } else {
      return 16.0;  // exponentials, of which vectorised ones are good to four units in the last
                    // place
    }
  }
};

double condition_of(const AnyLoss& loss, bool curved_one_way, SumKind sums) {
  const auto [lower, upper] = loss.slope_bounds();
  if (sums == SumKind::uncentred) return 2.0 * upper / lower;
  return curved_one_way ? 2.0 : upper / lower;
}

}  // namespace

RiskRounding::RiskRounding(AnyLoss loss, const LawLimits& laws, SumKind sums)
    : loss_(std::move(loss)) {
  const bool curved_one_way = is_convex(loss_) || is_concave(loss_);
  const bool relative = curved_one_way && sums == SumKind::centred;
  // Probabilities are divided by a compensated sum, and both may be off by a few units.
  constexpr double common_factor = 4.0;
  const double units = laws.terms + common_factor + laws.probability_error / unit +
                       std::visit(Evaluation{relative}, loss_.variant());
  relative_error_ = units < most_units ? 1.01 * unit * units : infinity;
  condition_ = condition_of(loss_, curved_one_way, sums);
  lost_mass_ = laws.least_probability < least_normal ? laws.terms * least_positive : 0.0;
}

double RiskRounding::due_to_underflow(double range) const {
  const auto* const entropic = std::get_if<Entropic>(&loss_.variant());
  if (entropic && is_nearly_the_mean(*entropic, range)) return 0.0;
  const double slope = entropic ? entropic->beta() : loss_.slope_bounds().lower;
  if (!(slope > 0.0)) return lost_mass_ > 0.0 ? infinity : 0.0;
  const double summed = (relative_error_ / unit) * least_positive / slope;  // in sums, by terms
  if (lost_mass_ == 0.0) return summed;
  const double most = std::max(std::abs(loss_.at(range).value), std::abs(loss_.at(-range).value));
  return summed + lost_mass_ * most / slope;
}

double RiskRounding::bound(double magnitude, double range) const {
  constexpr double largest = std::numeric_limits<double>::max() / 4;
  if (!(magnitude < largest && range < largest)) return infinity;
  const bool unsafe_signs =
      !(loss_.at(range).value < largest) && !(loss_.at(-range).value > -largest);
  if (unsafe_signs || std::isinf(condition_)) return infinity;
  const double of_range = relative_error_ * condition_ * range + due_to_underflow(range);
  return 8.0 * unit * magnitude + (of_range < range ? of_range : range);
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
