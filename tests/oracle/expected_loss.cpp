#include "expected_loss.hpp"

#include <cstddef>

namespace oracle {

ExpectedLoss::ExpectedLoss(const Loss& loss, double gamma)
    : shape_(loss.shape), beta_(loss.beta), loss_(loss), gamma_(gamma) {}

void ExpectedLoss::set_values(const std::vector<Real>& values) {
  low_.resize(values.size());
  high_.resize(values.size());
  for (std::size_t x = 0; x < values.size(); ++x) {
    mpfr_mul(low_[x].get(), gamma_.get(), values[x].get(), MPFR_RNDD);
    mpfr_mul(high_[x].get(), gamma_.get(), values[x].get(), MPFR_RNDU);
  }
}

void ExpectedLoss::bound(Real& result, const RealLaw& law, const Real& v, mpfr_rnd_t direction) {
  const bool down = direction == MPFR_RNDD;
  const std::vector<Real>& beyond = down ? low_ : high_;
  const auto& high = law.high.empty() ? law.low : law.high;
  mpfr_set_zero(result.get(), 1);
  for (std::size_t i = 0; i < law.low.size(); ++i) {
    const Outcome<Real>& outcome = down ? law.low[i] : high[i];
    mpfr_add(x_.get(), outcome.cost.get(), beyond[outcome.next].get(), direction);
    mpfr_sub(x_.get(), x_.get(), v.get(), direction);
    loss_.value(y_, x_, direction);
    const bool smaller_weight = (mpfr_sgn(y_.get()) >= 0) == down;
    const Real& weight = smaller_weight ? law.low[i].weight : high[i].weight;
    mpfr_mul(y_.get(), y_.get(), weight.get(), direction);
    mpfr_add(result.get(), result.get(), y_.get(), direction);
  }
}

void ExpectedLoss::at(Slopes& result, const RealLaw& law, const Real& v) {
  result.by_next.resize(low_.size());
  mpfr_set_zero(result.expected.get(), 1);
  mpfr_set_zero(result.slope.get(), 1);
  for (Real& part : result.by_next) mpfr_set_zero(part.get(), 1);
  for (const auto& [weight, cost, next] : law.low) {
    mpfr_add(x_.get(), cost.get(), low_[next].get(), MPFR_RNDN);
    mpfr_sub(x_.get(), x_.get(), v.get(), MPFR_RNDN);
    loss_.value_and_slope(y_, slope_, x_);
    mpfr_mul(y_.get(), y_.get(), weight.get(), MPFR_RNDN);
    mpfr_mul(slope_.get(), slope_.get(), weight.get(), MPFR_RNDN);
    mpfr_add(result.expected.get(), result.expected.get(), y_.get(), MPFR_RNDN);
    mpfr_add(result.slope.get(), result.slope.get(), slope_.get(), MPFR_RNDN);
    Real& part = result.by_next[next];
    mpfr_add(part.get(), part.get(), slope_.get(), MPFR_RNDN);
  }
}

void ExpectedLoss::step(Real& result, const RealLaw& law, const Slopes& slopes) const {
  if (shape_ != Loss::Shape::entropic) {
    mpfr_div(result.get(), slopes.expected.get(), slopes.slope.get(), MPFR_RNDN);
    return;
  }
  Real total;
  for (const auto& outcome : law.low) {
    mpfr_add(total.get(), total.get(), outcome.weight.get(), MPFR_RNDN);
  }
  mpfr_div(result.get(), slopes.expected.get(), total.get(), MPFR_RNDN);
  mpfr_log1p(result.get(), result.get(), MPFR_RNDN);
  mpfr_div(result.get(), result.get(), beta_.get(), MPFR_RNDN);
}

void ExpectedLoss::range(Real& low, Real& high, const RealLaw& law) const {
  bool first = true;
  Real x;
  for (const auto& [weight, cost, next] : law.low) {
    mpfr_add(x.get(), cost.get(), low_[next].get(), MPFR_RNDN);
    if (first || mpfr_less_p(x.get(), low.get())) low = x;
    if (first || mpfr_greater_p(x.get(), high.get())) high = x;
    first = false;
  }
}

bool ExpectedLoss::root(Real& v, const RealLaw& law) {
  constexpr int max_steps = 4000;
  constexpr mpfr_prec_t guard_bits = 24;
  Real low;
  Real high;
  range(low, high, law);
  Real width;
  mpfr_sub(width.get(), high.get(), low.get(), MPFR_RNDN);
  if (mpfr_zero_p(width.get())) {
    v = low;
    return true;
  }
  if (mpfr_less_p(v.get(), low.get())) v = low;
  if (mpfr_greater_p(v.get(), high.get())) v = high;
  Real step;
  Real next;
  Slopes slopes;
  for (int i = 0; i < max_steps; ++i) {
    at(slopes, law, v);
    if (mpfr_zero_p(slopes.expected.get())) return true;
    (mpfr_sgn(slopes.expected.get()) > 0 ? low : high) = v;
    this->step(step, law, slopes);
    mpfr_add(next.get(), v.get(), step.get(), MPFR_RNDN);
    // Bisects if Newton leaves the bracket, and every third time if it converges slowly within it.
    const bool inside =
        mpfr_lessequal_p(low.get(), next.get()) && mpfr_lessequal_p(next.get(), high.get());
    if (!inside || (i % 3 == 2 && i > 8)) {
      mpfr_add(next.get(), low.get(), high.get(), MPFR_RNDN);
      mpfr_div_2ui(next.get(), next.get(), 1, MPFR_RNDN);
    }
    mpfr_sub(step.get(), next.get(), v.get(), MPFR_RNDN);
    v = next;
    if (mpfr_zero_p(step.get())) return true;
    const mpfr_exp_t size =
        mpfr_zero_p(v.get()) ? mpfr_get_exp(width.get()) : mpfr_get_exp(v.get());
    if (mpfr_get_exp(step.get()) < size - mpfr_get_default_prec() + guard_bits) return true;
  }
  return false;
}

}  // namespace oracle
