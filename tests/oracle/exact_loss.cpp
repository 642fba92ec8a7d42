#include "exact_loss.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <stdexcept>

namespace oracle {

namespace {

/// Intercepts of pieces whose kinks and slopes are known, from continuity and ℓ(0) = 0.
void pin_at_origin(std::vector<Piece>& pieces) {
  std::size_t origin = 0;
  while (origin + 1 < pieces.size() && pieces[origin + 1].from <= 0.0) ++origin;
  pieces[origin].intercept = 0;
  const auto meet = [](const Piece& a, Piece& b, double kink) {
    b.intercept = a.intercept + (a.slope - b.slope) * mpq_class(kink);
  };
  for (std::size_t i = origin + 1; i < pieces.size(); ++i) {
    meet(pieces[i - 1], pieces[i], pieces[i].from);
  }
  for (std::size_t i = origin; i > 0; --i) meet(pieces[i], pieces[i - 1], pieces[i].from);
}

Loss piecewise_linear(std::string family, std::string parameters, std::vector<Piece> pieces) {
  pin_at_origin(pieces);
  Loss loss;
  loss.word = family + parameters;
  loss.family = std::move(family);
  loss.pieces = std::move(pieces);
  return loss;
}

double number(std::string_view text) {
  double x = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument("not a number: " + std::string(text));
  }
  return x;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string text_of(double x) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
  return {buffer.data(), end};
}

const Piece& Loss::piece_at(const mpq_class& x) const {
  const auto next = std::partition_point(pieces.begin() + 1, pieces.end(),
                                         [&](const Piece& piece) { return x > piece.from; });
  return *(next - 1);
}

Loss mean_loss() {
  return piecewise_linear("mean", "", {{0.0, 1, 0}});
}

Loss expectile_loss(double tau) {
  return piecewise_linear("expectile", ":" + text_of(tau),
                          {{0.0, 1 - mpq_class(tau), 0}, {0.0, mpq_class(tau), 0}});
}

Loss entropic_loss(double beta) {
  Loss loss;
  loss.family = "entropic";
  loss.word = "entropic:" + text_of(beta);
  loss.shape = Loss::Shape::entropic;
  loss.beta = beta;
  return loss;
}

Loss truncated_entropic_loss(double beta, double bound) {
  Loss loss;
  loss.family = "truncated-entropic";
  loss.word = "truncated-entropic:" + text_of(beta) + "," + text_of(bound);
  loss.shape = Loss::Shape::truncated_entropic;
  loss.beta = beta;
  loss.bound = bound;
  return loss;
}

Loss soft_quantile_loss(double mu, double kappa) {
  const mpq_class m(mu);
  const mpq_class k(kappa);
  return piecewise_linear(
      "soft-quantile", ":" + text_of(mu) + "," + text_of(kappa),
      {{0.0, (1 - m) * k, 0}, {-kappa, (1 - m) / k, 0}, {0.0, m / k, 0}, {kappa, m * k, 0}});
}

Loss piecewise_loss(const std::vector<std::pair<double, double>>& knots) {
  std::string parameters;
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < knots.size(); ++i) {
    const auto& [x, y] = knots[i];
    parameters += (i == 0 ? ":" : ",") + text_of(x) + ":" + text_of(y);
    if (i + 1 == knots.size()) continue;
    const auto& [next_x, next_y] = knots[i + 1];
    const mpq_class rise = mpq_class(next_y) - mpq_class(y);
    const mpq_class run = mpq_class(next_x) - mpq_class(x);
    pieces.push_back({x, rise / run, 0});
  }
  return piecewise_linear("piecewise", parameters, std::move(pieces));
}

Loss parse_loss(std::string_view word) {
  const std::size_t colon = word.find(':');
  const std::string_view family = word.substr(0, colon);
  if (family == "mean") return mean_loss();
  const auto parameters = split(word.substr(colon + 1), ',');
  if (family == "expectile") return expectile_loss(number(parameters.at(0)));
  if (family == "entropic") return entropic_loss(number(parameters.at(0)));
  if (family == "truncated-entropic") {
    return truncated_entropic_loss(number(parameters.at(0)), number(parameters.at(1)));
  }
  if (family == "soft-quantile") {
    return soft_quantile_loss(number(parameters.at(0)), number(parameters.at(1)));
  }
  std::vector<std::pair<double, double>> knots;
  for (const std::string_view knot : parameters) {
    const auto xy = split(knot, ':');
    knots.emplace_back(number(xy.at(0)), number(xy.at(1)));
  }
  return piecewise_loss(knots);
}

RealLoss::RealLoss(const Loss& loss) : shape_(loss.shape), beta_(loss.beta), bound_(loss.bound) {
  for (const Piece& piece : loss.pieces) {
    from_.push_back(piece.from);
    slope_.push_back(both(piece.slope));
    intercept_.push_back(both(piece.intercept));
  }
  if (shape_ != Loss::Shape::truncated_entropic) return;
  for (const int end : {0, 1}) {
    for (const mpfr_rnd_t direction : {MPFR_RNDD, MPFR_RNDU}) {
      Real exponent;  // ±β·bound
      mpfr_mul(exponent.get(), beta_.get(), bound_.get(),
               (end == 1) == (direction == MPFR_RNDU) ? MPFR_RNDU : MPFR_RNDD);
      if (end == 0) mpfr_neg(exponent.get(), exponent.get(), direction);
      const bool low = direction == MPFR_RNDD;
      Real& value = low ? end_value_[end].low : end_value_[end].high;
      Real& slope = low ? end_slope_[end].low : end_slope_[end].high;
      mpfr_expm1(value.get(), exponent.get(), direction);
      mpfr_exp(slope.get(), exponent.get(), direction);
      mpfr_mul(slope.get(), slope.get(), beta_.get(), direction);
    }
  }
}

std::size_t RealLoss::piece_of(const Real& x) const {
  const auto next = std::partition_point(
      from_.begin() + 1, from_.end(), [&](double from) { return mpfr_cmp_d(x.get(), from) > 0; });
  return static_cast<std::size_t>(next - from_.begin()) - 1;
}

void RealLoss::truncated(Real& result, const Real& x, mpfr_rnd_t direction) {
  const bool above = mpfr_sgn(x.get()) > 0;
  // The tangent at ±bound; the distance beyond it has the sign of x.
  if (above) {
    mpfr_sub(scratch_.get(), x.get(), bound_.get(), direction);
  } else {
    mpfr_add(scratch_.get(), x.get(), bound_.get(), direction);
  }
  const mpfr_rnd_t opposite = direction == MPFR_RNDD ? MPFR_RNDU : MPFR_RNDD;
  const Side& slope = end_slope_[above ? 1 : 0];
  const Real& steepness = slope.toward(mpfr_sgn(scratch_.get()) >= 0 ? direction : opposite);
  mpfr_mul(scratch_.get(), scratch_.get(), steepness.get(), direction);
  mpfr_add(result.get(), scratch_.get(), end_value_[above ? 1 : 0].toward(direction).get(),
           direction);
}

void RealLoss::value(Real& result, const Real& x, mpfr_rnd_t direction) {
  if (shape_ == Loss::Shape::piecewise_linear) {
    const std::size_t i = piece_of(x);
    const mpfr_rnd_t opposite = direction == MPFR_RNDD ? MPFR_RNDU : MPFR_RNDD;
    const Real& slope = slope_[i].toward(mpfr_sgn(x.get()) >= 0 ? direction : opposite);
    mpfr_mul(result.get(), slope.get(), x.get(), direction);
    mpfr_add(result.get(), result.get(), intercept_[i].toward(direction).get(), direction);
    return;
  }
  if (shape_ == Loss::Shape::truncated_entropic && mpfr_cmpabs(x.get(), bound_.get()) > 0) {
    truncated(result, x, direction);
    return;
  }
  mpfr_mul(scratch_.get(), beta_.get(), x.get(), direction);
  mpfr_expm1(result.get(), scratch_.get(), direction);
}

void RealLoss::value_and_slope(Real& result, Real& slope, const Real& x) {
  value(result, x, MPFR_RNDD);
  if (shape_ == Loss::Shape::piecewise_linear) {
    slope = slope_[piece_of(x)].low;
    return;
  }
  if (shape_ == Loss::Shape::truncated_entropic && mpfr_cmpabs(x.get(), bound_.get()) > 0) {
    slope = end_slope_[mpfr_sgn(x.get()) > 0 ? 1 : 0].low;
    return;
  }
  mpfr_add_ui(slope.get(), result.get(), 1, MPFR_RNDN);
  mpfr_mul(slope.get(), slope.get(), beta_.get(), MPFR_RNDN);
}

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
