// Shortfall risks of several short laws at once, one per vector lane: compiled once for each
// instruction set by the sources that include it between Highway's foreach_target.h and
// HWY_AFTER_NAMESPACE.
#if defined(SHORTFALL_RISK_BATCH_RISK_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SHORTFALL_RISK_BATCH_RISK_INL_HPP
#undef SHORTFALL_RISK_BATCH_RISK_INL_HPP
#else
#define SHORTFALL_RISK_BATCH_RISK_INL_HPP
#endif

#include "risk/vector_risk-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace shortfall {
namespace HWY_NAMESPACE {

/// One law per lane, `atoms` and `probabilities` by atom and then by lane. A law that has fewer
/// atoms than `count` repeats its first one with probability 0.
struct LawBatch {
  const double* atoms;
  const double* probabilities;
  std::size_t count;
};

struct BatchSummary {
  Vec min;
  Vec max;
  Vec mean;  ///< relative to each law's first atom, as in `law_summary`
};

HWY_INLINE BatchSummary summarise(Doubles d, const LawBatch& laws) {
  const std::size_t lanes = hn::Lanes(d);
  const Vec first = hn::LoadU(d, laws.atoms);
  BatchSummary summary{first, first, hn::Zero(d)};
  for (std::size_t j = 1; j < laws.count; ++j) {
    const Vec atom = hn::LoadU(d, laws.atoms + j * lanes);
    summary.min = hn::Min(summary.min, atom);
    summary.max = hn::Max(summary.max, atom);
    summary.mean = hn::MulAdd(hn::LoadU(d, laws.probabilities + j * lanes), hn::Sub(atom, first),
                              summary.mean);
  }
  summary.mean = hn::Add(first, summary.mean);
  return summary;
}

template <class L>
HWY_INLINE VectorPoint expected_of_batch(const L& loss, Doubles d, const LawBatch& laws, Vec m) {
  const std::size_t lanes = hn::Lanes(d);
  VectorPoint sum{hn::Zero(d), hn::Zero(d)};
  for (std::size_t j = 0; j < laws.count; ++j) {
    const Vec weight = hn::LoadU(d, laws.probabilities + j * lanes);
    const VectorPoint point = at(loss, d, hn::Sub(hn::LoadU(d, laws.atoms + j * lanes), m));
    sum.value = hn::MulAdd(weight, point.value, sum.value);
    sum.left_slope = hn::MulAdd(weight, point.left_slope, sum.left_slope);
  }
  return sum;
}

/// As `shortfall_root` in every lane.
template <class L>
Vec roots(const L& loss, Doubles d, const LawBatch& laws, const BatchSummary& law, Vec start) {
  const Vec not_a_number = hn::NaN(d);
  const Vec mean = hn::Max(law.min, hn::Min(law.mean, law.max));
  const Vec resolution = hn::Mul(hn::Set(d, 2.0 * std::numeric_limits<double>::epsilon()),
                                 hn::Max(hn::Abs(law.min), hn::Abs(law.max)));
  const Vec range = hn::Sub(law.max, law.min);
  const auto finite = hn::IsFinite(range);
  Vec result = hn::IfThenElse(finite, mean, not_a_number);
  auto active = hn::And(finite, hn::Gt(range, resolution));

  Vec lower = law.min;
  Vec upper = law.max;
  Vec lower_value = not_a_number;
  Vec upper_value = not_a_number;
  const auto inside = [&](Vec m) HWY_ATTR { return hn::And(hn::Gt(m, lower), hn::Lt(m, upper)); };
  Vec m = hn::IfThenElse(inside(start), start, mean);
  Vec last = hn::Inf(d);
  Vec last_but_one = last;
  const auto end_with = [&](auto lanes, Vec value) HWY_ATTR {
    result = hn::IfThenElse(hn::And(lanes, active), value, result);
    active = hn::AndNot(lanes, active);
  };
  while (!hn::AllFalse(d, active)) {
    const VectorPoint point = expected_of_batch(loss, d, laws, m);
    end_with(hn::Eq(point.value, hn::Zero(d)), m);
    end_with(hn::IsNaN(point.value), not_a_number);
    const auto above = hn::Gt(point.value, hn::Zero(d));
    lower = hn::IfThenElse(above, m, lower);
    lower_value = hn::IfThenElse(above, point.value, lower_value);
    upper = hn::IfThenElse(above, upper, m);
    upper_value = hn::IfThenElse(above, upper_value, point.value);

    const Vec bracket = hn::Sub(upper, lower);
    const Vec chord =
        hn::MulAdd(bracket, hn::Div(lower_value, hn::Sub(lower_value, upper_value)), lower);
    const auto on_chord = hn::And(hn::Ge(chord, lower), hn::Le(chord, upper));
    end_with(hn::Le(bracket, resolution), hn::IfThenElse(on_chord, chord, m));

    const Vec step = hn::Div(point.value, point.left_slope);
    const Vec size = hn::Abs(point.value);
    const auto shrinking = hn::Le(size, hn::Mul(hn::Set(d, 0.5), last_but_one));
    Vec next = hn::Add(m, hn::IfThenElse(hn::Lt(hn::Abs(step), resolution),
                                         hn::CopySign(resolution, point.value), step));
    const Vec half = hn::Set(d, 0.5);
    const Vec middle = hn::MulAdd(half, lower, hn::Mul(half, upper));
    next = hn::IfThenElse(hn::And(shrinking, inside(next)), next, middle);
    end_with(hn::Not(inside(next)), m);
    m = hn::IfThenElse(active, next, m);
    last_but_one = last;
    last = size;
  }
  return result;
}

}  // namespace HWY_NAMESPACE
}  // namespace shortfall
HWY_AFTER_NAMESPACE();

#endif  // SHORTFALL_RISK_BATCH_RISK_INL_HPP
