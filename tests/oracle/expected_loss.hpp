#pragma once

#include <vector>

#include "exact_loss.hpp"
#include "laws.hpp"

namespace oracle {

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
