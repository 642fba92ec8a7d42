#include "solve.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "exact_loss.hpp"

namespace oracle {
namespace {

constexpr int max_policies = 40;
constexpr int max_newton_steps = 60;
constexpr int max_halvings = 6;
constexpr int max_widenings = 10;
constexpr long widening_bits = 12;

using Vector = std::vector<Real>;

bool is_number(const Vector& values) {
  return std::all_of(values.begin(), values.end(),
                     [](const Real& v) { return mpfr_number_p(v.get()) != 0; });
}

/// Solves (I - γQ) d = residual with the rows of `a`: diagonally dominant, so no pivoting.
void solve_in_place(std::vector<Vector>& a, Vector& rhs) {
  const std::size_t n = rhs.size();
  Real factor;
  Real product;
  const auto subtract = [&](Real& from, const Real& what) {
    mpfr_mul(product.get(), factor.get(), what.get(), MPFR_RNDN);
    mpfr_sub(from.get(), from.get(), product.get(), MPFR_RNDN);
  };
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      if (mpfr_zero_p(a[i][k].get())) continue;
      mpfr_div(factor.get(), a[i][k].get(), a[k][k].get(), MPFR_RNDN);
      for (std::size_t j = k + 1; j < n; ++j) {
        if (!mpfr_zero_p(a[k][j].get())) subtract(a[i][j], a[k][j]);
      }
      subtract(rhs[i], rhs[k]);
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) {
      factor = a[i][j];
      subtract(rhs[i], rhs[j]);
    }
    mpfr_div(rhs[i].get(), rhs[i].get(), a[i][i].get(), MPFR_RNDN);
  }
}

/// Finds W near the fixed point, and proves bounds on either side of it.
class FixedPoint {
 public:
  FixedPoint(const RealLaws& laws, const Loss& loss, double gamma, const std::vector<double>& start)
      : laws_(laws), gamma_(gamma), expected_(loss, gamma), action_(laws.size()) {
    for (std::size_t x = 0; x < laws.size(); ++x) {
      if (!laws[x].empty()) states_.push_back(x);
      values_.emplace_back(laws[x].empty() ? 0.0 : start[x]);
    }
    mpfr_ui_sub(distance_to_one_.get(), 1, gamma_.get(), MPFR_RNDN);
  }

  std::optional<Enclosure> enclose() {
    if (!is_number(values_)) return std::nullopt;
    improve();
    for (int i = 0; i < max_policies; ++i) {
      const Vector before = values_;
      if (!evaluate(Inner::one_step)) {
        values_ = before;
        if (!evaluate(Inner::root)) return std::nullopt;
      }
      if (!improve()) return widen();
    }
    return std::nullopt;
  }

 private:
  enum class Inner { one_step, root };

  /// Takes the action of the smallest value in each state. True if one has changed.
  bool improve() {
    bool changed = false;
    expected_.set_values(values_);
    Real best;
    Real step;
    ExpectedLoss::Slopes slopes;
    for (const std::size_t x : states_) {
      if (laws_[x].size() == 1) continue;
      std::size_t chosen = 0;
      for (std::size_t a = 0; a < laws_[x].size(); ++a) {
        expected_.at(slopes, laws_[x][a], values_[x]);
        expected_.step(step, laws_[x][a], slopes);
        // Noise must not make it alternate forever between ties: the current action is kept.
        if (a == 0 || mpfr_less_p(step.get(), best.get())) {
          best = step;
          chosen = a;
        }
      }
      if (chosen == action_[x]) continue;
      expected_.at(slopes, laws_[x][action_[x]], values_[x]);
      expected_.step(step, laws_[x][action_[x]], slopes);
      mpfr_sub(step.get(), step.get(), best.get(), MPFR_RNDN);
      if (mpfr_cmp(step.get(), noise().get()) <= 0) continue;
      action_[x] = chosen;
      changed = true;
    }
    return changed;
  }

  /// The largest magnitude: the scale of roundings.
  Real scale() const {
    Real scale;
    for (const std::size_t x : states_) {
      for (const RealLaw& law : laws_[x]) {
        for (const auto& outcome : law.low) {
          if (mpfr_cmpabs(outcome.cost.get(), scale.get()) > 0) scale = outcome.cost;
        }
      }
      if (mpfr_cmpabs(values_[x].get(), scale.get()) > 0) scale = values_[x];
    }
    mpfr_abs(scale.get(), scale.get(), MPFR_RNDN);
    return scale;
  }

  Real noise() const {
    Real noise = scale();
    mpfr_mul_2si(noise.get(), noise.get(), 32 - mpfr_get_default_prec(), MPFR_RNDU);
    return noise;
  }

  /// The value of the current policy, by Newton's method: on all states at once (one_step), or on V
  /// - TV with every TV(x) a root, and with shorter steps if the residual does not decrease, which
  /// also converges from a distant start.
  bool evaluate(Inner inner) {
    const std::size_t n = states_.size();
    std::vector<Vector> matrix(n, Vector(n));
    Vector step(n);
    Vector before = values_;
    Real least;  // residual so far
    int halvings = 0;
    for (int iteration = 0; iteration < max_newton_steps; ++iteration) {
      Vector residual(n);
      if (!linearise(inner, matrix, residual)) return false;
      const Real size = largest(residual);
      if (inner == Inner::root && iteration > 0 && halvings < max_halvings &&
          mpfr_greaterequal_p(size.get(), least.get())) {
        ++halvings;
        for (Real& s : step) mpfr_div_2ui(s.get(), s.get(), 1, MPFR_RNDN);
        values_ = before;
        move(step);
        continue;
      }
      halvings = 0;
      least = size;
      before = values_;
      step = std::move(residual);
      const bool done = mpfr_lessequal_p(size.get(), noise().get());
      solve_in_place(matrix, step);
      if (!is_number(step)) return false;
      move(step);
      if (done) return true;
    }
    return false;
  }

  void move(const Vector& step) {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      Real& v = values_[states_[i]];
      mpfr_add(v.get(), v.get(), step[i].get(), MPFR_RNDN);
    }
  }

  static Real largest(const Vector& entries) {
    Real result;
    for (const Real& entry : entries) {
      if (mpfr_cmpabs(entry.get(), result.get()) > 0) result = entry;
    }
    mpfr_abs(result.get(), result.get(), MPFR_RNDN);
    return result;
  }

  /// I - γQ and TV - V of the current policy.
  bool linearise(Inner inner, std::vector<Vector>& matrix, Vector& residual) {
    expected_.set_values(values_);
    ExpectedLoss::Slopes slopes;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const std::size_t x = states_[i];
      const RealLaw& law = laws_[x][action_[x]];
      Real v = values_[x];
      if (inner == Inner::root && !expected_.root(v, law)) return false;
      expected_.at(slopes, law, v);
      expected_.step(residual[i], law, slopes);
      mpfr_add(residual[i].get(), residual[i].get(), v.get(), MPFR_RNDN);
      mpfr_sub(residual[i].get(), residual[i].get(), values_[x].get(), MPFR_RNDN);
      for (std::size_t j = 0; j < states_.size(); ++j) {
        Real& entry = matrix[i][j];
        mpfr_div(entry.get(), slopes.by_next[states_[j]].get(), slopes.slope.get(), MPFR_RNDN);
        mpfr_mul(entry.get(), entry.get(), gamma_.get(), MPFR_RNDN);
        mpfr_ui_sub(entry.get(), i == j ? 1 : 0, entry.get(), MPFR_RNDN);
      }
    }
    return is_number(residual);
  }

  /// W ± δ for the smallest δ for which this can be proved.
  std::optional<Enclosure> widen() {
    Real delta = noise();
    mpfr_div(delta.get(), delta.get(), distance_to_one_.get(), MPFR_RNDU);
    Enclosure enclosure;
    bool has_low = false;
    bool has_high = false;
    for (int i = 0; i < max_widenings && !(has_low && has_high); ++i) {
      if (!has_low) has_low = is_below(enclosure.low = shifted(delta, MPFR_RNDD));
      if (!has_high) has_high = is_above(enclosure.high = shifted(delta, MPFR_RNDU));
      mpfr_mul_2si(delta.get(), delta.get(), widening_bits, MPFR_RNDU);
    }
    if (!has_low || !has_high) return std::nullopt;
    return enclosure;
  }

  Vector shifted(const Real& delta, mpfr_rnd_t direction) const {
    Vector result = values_;
    const auto shift = direction == MPFR_RNDD ? mpfr_sub : mpfr_add;
    for (const std::size_t x : states_) {
      shift(result[x].get(), values_[x].get(), delta.get(), direction);
    }
    return result;
  }

  bool is_below(const Vector& u) {
    expected_.set_values(u);
    Real least;
    return std::all_of(states_.begin(), states_.end(), [&](std::size_t x) {
      return std::all_of(laws_[x].begin(), laws_[x].end(), [&](const RealLaw& law) {
        expected_.bound(least, law, u[x], MPFR_RNDD);
        return mpfr_cmp_ui(least.get(), 0) >= 0 && mpfr_nan_p(least.get()) == 0;
      });
    });
  }

  bool is_above(const Vector& u) {
    expected_.set_values(u);
    Real most;
    return std::all_of(states_.begin(), states_.end(), [&](std::size_t x) {
      expected_.bound(most, laws_[x][action_[x]], u[x], MPFR_RNDU);
      return mpfr_cmp_ui(most.get(), 0) <= 0 && mpfr_nan_p(most.get()) == 0;
    });
  }

  const RealLaws& laws_;
  Real gamma_;
  Real distance_to_one_;
  ExpectedLoss expected_;
  std::vector<std::size_t> states_;  // that are not terminal
  std::vector<std::size_t> action_;
  Vector values_;
};

/// A bound on ρ(c + γ V(X')) from below (MPFR_RNDD) or above. `v` is the start on entry and the
/// root on return.
bool bounded_root(Real& result, Real& v, const RealLaw& law, ExpectedLoss& expected,
                  mpfr_rnd_t direction) {
  if (!expected.root(v, law)) return false;
  Real low;
  Real delta;
  expected.range(low, delta, law);
  if (mpfr_cmpabs(low.get(), delta.get()) > 0) delta = low;
  mpfr_abs(delta.get(), delta.get(), MPFR_RNDN);
  mpfr_mul_2si(delta.get(), delta.get(), 32 - mpfr_get_default_prec(), MPFR_RNDU);
  Real sign;
  for (int i = 0; i < max_widenings; ++i) {
    const auto shift = direction == MPFR_RNDD ? mpfr_sub : mpfr_add;
    shift(result.get(), v.get(), delta.get(), direction);
    expected.bound(sign, law, result, direction);
    const int side = mpfr_nan_p(sign.get()) != 0 ? 2 : mpfr_sgn(sign.get());
    if (direction == MPFR_RNDD ? side == 0 || side == 1 : side <= 0) return true;
    mpfr_mul_2si(delta.get(), delta.get(), widening_bits, MPFR_RNDU);
  }
  return false;
}

}  // namespace

std::optional<Enclosure> enclose_fixed_point(const RealLaws& laws, const Loss& loss, double gamma,
                                             const std::vector<double>& start) {
  return FixedPoint(laws, loss, gamma, start).enclose();
}

std::optional<Enclosure> enclose_horizon(const RealLaws& laws, const Loss& loss, double gamma,
                                         int stages) {
  ExpectedLoss expected(loss, gamma);
  Enclosure now{Vector(laws.size()), Vector(laws.size())};
  for (int stage = 0; stage < stages; ++stage) {
    Enclosure next{Vector(laws.size()), Vector(laws.size())};
    for (const mpfr_rnd_t direction : {MPFR_RNDD, MPFR_RNDU}) {
      expected.set_values(direction == MPFR_RNDD ? now.low : now.high);
      Vector& values = direction == MPFR_RNDD ? next.low : next.high;
      for (std::size_t x = 0; x < laws.size(); ++x) {
        for (std::size_t a = 0; a < laws[x].size(); ++a) {
          Real bound;
          Real v = direction == MPFR_RNDD ? now.low[x] : next.low[x];
          if (!bounded_root(bound, v, laws[x][a], expected, direction)) return std::nullopt;
          if (a == 0 || mpfr_less_p(bound.get(), values[x].get())) values[x] = bound;
        }
      }
    }
    now = std::move(next);
  }
  return now;
}

std::optional<std::vector<std::size_t>> clearly_best_actions(const RealLaws& laws,
                                                             const Loss& loss) {
  constexpr double clearly = 1e-6;
  ExpectedLoss expected(loss, 1.0);
  expected.set_values(Vector(laws.size()));
  std::vector<std::size_t> best(laws.size());
  for (std::size_t x = 0; x < laws.size(); ++x) {
    std::vector<double> risks;
    for (const RealLaw& law : laws[x]) {
      Real risk;
      if (!expected.root(risk, law)) return std::nullopt;
      risks.push_back(mpfr_get_d(risk.get(), MPFR_RNDN));
    }
    const auto least = std::min_element(risks.begin(), risks.end());
    best[x] = static_cast<std::size_t>(least - risks.begin());
    for (std::size_t a = 0; a < risks.size(); ++a) {
      if (a != best[x] && !(risks[a] - *least > clearly * std::abs(risks[a]))) return std::nullopt;
    }
  }
  return best;
}

}  // namespace oracle
