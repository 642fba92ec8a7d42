#include "shortfall/risk/piecewise_linear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall {
namespace {

/// Curvature of the pieces that meet the open interval (from, to).
Curvature curvature_between(std::span<const LinearPiece> pieces, double from, double to) {
  bool rises = false;
  bool falls = false;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    if (!(pieces[i].from > from && pieces[i].from < to)) continue;
    rises |= pieces[i].slope > pieces[i - 1].slope;
    falls |= pieces[i].slope < pieces[i - 1].slope;
  }
  if (rises && falls) return Curvature::mixed;
  if (rises) return Curvature::convex;
  return falls ? Curvature::concave : Curvature::linear;
}

double checked_level(const char* loss, const char* name, double level) {
  if (!(level > 0.0 && level < 1.0)) {
    const bool is_percent = level >= 2.0 && level < 100.0;
    throw InvalidInput(
        fmt::format("{} level {} = {}{}; accepted: a number strictly between 0 and 1", loss, name,
                    level, is_percent ? fmt::format(", did you mean {}?", level / 100.0) : ""));
  }
  return level;
}

double checked_kappa(double kappa) {
  require(kappa > 0.0 && kappa < infinity,
          "soft-quantile slope parameter kappa = {}; accepted: a number > 0", kappa);
  return kappa;
}

std::array<LinearPiece, 4> soft_quantile_pieces(double mu, double kappa) {
  return {{{-infinity, (1.0 - mu) * kappa, 0.0, 0.0},
           {-kappa, (1.0 - mu) / kappa, 0.0, 0.0},
           {0.0, mu / kappa, 0.0, 0.0},
           {kappa, mu * kappa, 0.0, 0.0}}};
}

void check_increasing(const std::vector<Knot>& knots) {
  require(knots.size() >= 2, "piecewise loss has {} knot(s); accepted: two or more", knots.size());
  for (std::size_t i = 0; i < knots.size(); ++i) {
    require(std::isfinite(knots[i].x) && std::isfinite(knots[i].y),
            "piecewise loss: knot {} is ({}, {}); accepted: finite numbers", i + 1, knots[i].x,
            knots[i].y);
    if (i == 0) continue;
    require(knots[i].x > knots[i - 1].x && knots[i].y > knots[i - 1].y,
            "piecewise loss does not rise from ({}, {}) to ({}, {}); accepted: x and y both "
            "strictly increasing",
            knots[i - 1].x, knots[i - 1].y, knots[i].x, knots[i].y);
  }
}

/// Uses halves where differences would overflow.
double slope_between(const Knot& a, const Knot& b) {
  const double slope = (b.y - a.y) / (b.x - a.x);
  return std::isfinite(b.y - a.y) && std::isfinite(b.x - a.x)
             ? slope
             : (0.5 * b.y - 0.5 * a.y) / (0.5 * b.x - 0.5 * a.x);
}

/// Pieces of the polygon through the knots; the end pieces extend to ±∞.
std::vector<LinearPiece> pieces_through(const std::vector<Knot>& knots) {
  check_increasing(knots);
  std::vector<LinearPiece> pieces;
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    pieces.push_back(
        {i == 0 ? -infinity : knots[i].x, slope_between(knots[i], knots[i + 1]), 0.0, 0.0});
  }
  const auto after = std::find_if(knots.begin() + 1, knots.end() - 1,
                                  [](const Knot& knot) { return knot.x >= 0.0; });
  const Knot& before = *(after - 1);
  const double at_origin = before.y - slope_between(before, *after) * before.x;
  const double scale = std::max(std::abs(before.y), std::abs(after->y));
  require(std::abs(at_origin) <= 16.0 * std::numeric_limits<double>::epsilon() * scale,
          "piecewise loss is {} at 0; accepted: a loss through the origin", at_origin);
  return pieces;
}

}  // namespace

namespace detail {

double score(std::span<const LinearPiece> pieces, double x) {
  const LinearPiece& piece = piece_at(pieces, x);
  return x * (0.5 * piece.slope * x + piece.intercept) + piece.score_offset;
}

SlopeBounds slope_bounds(std::span<const LinearPiece> pieces) {
  const auto [lowest, highest] = std::minmax_element(
      pieces.begin(), pieces.end(), [](const auto& a, const auto& b) { return a.slope < b.slope; });
  return {lowest->slope, highest->slope};
}

HalfLineCurvature curvature(std::span<const LinearPiece> pieces) {
  return {curvature_between(pieces, -infinity, 0.0), curvature_between(pieces, 0.0, infinity)};
}

void complete(std::span<LinearPiece> pieces) {
  for (const LinearPiece& piece : pieces) {
    // Below the normal range slopes have few digits, and certificates rely on their digits.
    require(piece.slope >= std::numeric_limits<double>::min() && piece.slope < infinity,
            "a piecewise-linear loss has slope {}; accepted: finite slopes of at least {:.3g}",
            piece.slope, std::numeric_limits<double>::min());
  }
  std::size_t origin = pieces.size() - 1;
  while (origin > 0 && pieces[origin].from >= 0.0) --origin;
  pieces[origin].intercept = 0.0;
  pieces[origin].score_offset = 0.0;
  // At a kink k between pieces a and b: b's line and score meet a's at k.
  const auto meet = [](const LinearPiece& a, LinearPiece& b, double kink) {
    b.intercept = (a.slope - b.slope) * kink + a.intercept;
    b.score_offset =
        kink * (0.5 * (a.slope - b.slope) * kink + a.intercept - b.intercept) + a.score_offset;
  };
  for (std::size_t i = origin + 1; i < pieces.size(); ++i) {
    meet(pieces[i - 1], pieces[i], pieces[i].from);
  }
  for (std::size_t i = origin; i > 0; --i) meet(pieces[i], pieces[i - 1], pieces[i].from);
}

}  // namespace detail

Mean::Mean()
    : PiecewiseLinearLoss(std::array<LinearPiece, 1>{LinearPiece{-infinity, 1.0, 0.0, 0.0}}) {}

Expectile::Expectile(double tau)
    : PiecewiseLinearLoss({{{-infinity, 1.0 - checked_level("expectile", "tau", tau), 0.0, 0.0},
                            {0.0, tau, 0.0, 0.0}}}),
      tau_(tau) {}

SoftQuantile::SoftQuantile(double mu, double kappa)
    : PiecewiseLinearLoss(
          soft_quantile_pieces(checked_level("soft-quantile", "mu", mu), checked_kappa(kappa))),
      mu_(mu),
      kappa_(kappa) {}

Piecewise::Piecewise(std::vector<Knot> knots)
    : PiecewiseLinearLoss(pieces_through(knots)), knots_(std::move(knots)) {}

}  // namespace shortfall
