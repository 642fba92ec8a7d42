#pragma once

#include <gmpxx.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "laws.hpp"
#include "real.hpp"

namespace oracle {

/// ℓ(x) = slope · x + intercept from the kink `from` on; the first piece has no kink.
struct Piece {
  double from = 0.0;
  mpq_class slope;
  mpq_class intercept;
};

/// A loss by its definition, from the doubles nearest to the numbers of its specification.
struct Loss {
  enum class Shape { piecewise_linear, entropic, truncated_entropic };

  std::string family;  ///< the specification up to its colon
  std::string word;
  Shape shape = Shape::piecewise_linear;
  double beta = 0.0;
  double bound = 0.0;
  std::vector<Piece> pieces;  ///< of a piecewise-linear loss

  const Piece& piece_at(const mpq_class& x) const;
};

Loss mean_loss();
Loss expectile_loss(double tau);
Loss entropic_loss(double beta);
Loss truncated_entropic_loss(double beta, double bound);
Loss soft_quantile_loss(double mu, double kappa);
Loss piecewise_loss(const std::vector<std::pair<double, double>>& knots);

/// Parses a loss in the form that the functions above write.
Loss parse_loss(std::string_view word);

/// The shortest text that parses to exactly this double.
std::string text_of(double x);

/// The same loss in multiprecision, at the precision that is current at construction.
class RealLoss {
 public:
  explicit RealLoss(const Loss& loss);

  /// ℓ(x) with directed rounding: at most ℓ(x) with MPFR_RNDD, at least ℓ(x) with MPFR_RNDU.
  void value(Real& result, const Real& x, mpfr_rnd_t direction);

  /// ℓ(x) and ℓ'(x), each to nearly the current precision.
  void value_and_slope(Real& result, Real& slope, const Real& x);

 private:
  struct Side {
    Real low;
    Real high;
    const Real& toward(mpfr_rnd_t direction) const { return direction == MPFR_RNDD ? low : high; }
  };
  static Side both(const mpq_class& q) { return {Real(q, MPFR_RNDD), Real(q, MPFR_RNDU)}; }
  std::size_t piece_of(const Real& x) const;
  void truncated(Real& result, const Real& x, mpfr_rnd_t direction);

  Loss::Shape shape_;
  Real beta_;
  Real bound_;
  std::vector<double> from_;
  std::vector<Side> slope_;
  std::vector<Side> intercept_;
  Side end_value_[2];  // of the truncated loss at -bound and at bound
  Side end_slope_[2];
  Real scratch_;
};

/// E ℓ(c + γ V(X') - v) of laws, with a given V, at the current precision.
class ExpectedLoss {
 public:
  ExpectedLoss(const Loss& loss, double gamma);

  /// Sets V, and rounds γV each way.
  void set_values(const std::vector<Real>& values);

  /// A lower bound with MPFR_RNDD, an upper bound with MPFR_RNDU.
  void bound(Real& result, const RealLaw& law, const Real& v, mpfr_rnd_t direction);

  /// The inputs of Newton's method: E ℓ, E ℓ' and the part of E ℓ' by next state.
  struct Slopes {
    Real expected;
    Real slope;
    std::vector<Real> by_next;
  };
  void at(Slopes& result, const RealLaw& law, const Real& v);

  /// v + the Newton step toward ρ(c + γ V(X')), which for entropic losses reaches it.
  void step(Real& result, const RealLaw& law, const Slopes& slopes) const;

  /// ρ(c + γ V(X')), from a start. False if it was not found.
  bool root(Real& v, const RealLaw& law);

  /// The smallest and the largest c + γ V(X').
  void range(Real& low, Real& high, const RealLaw& law) const;

 private:
  Loss::Shape shape_;
  Real beta_;
  RealLoss loss_;
  Real gamma_;
  std::vector<Real> low_;   // γV rounded down
  std::vector<Real> high_;  // and up
  Real x_;
  Real y_;
  Real slope_;
};

}  // namespace oracle
