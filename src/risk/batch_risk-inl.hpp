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
  static constexpr std::size_t longest = 32;
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
    summary.min = min_of(summary.min, atom);
    summary.max = max_of(summary.max, atom);
    summary.mean =
        mul_add(hn::LoadU(d, laws.probabilities + j * lanes), hn::Sub(atom, first), summary.mean);
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
    // Nothing may overflow where there is no weight: 0 · ∞ is NaN.
    const Vec distance = hn::IfThenElseZero(hn::Gt(weight, hn::Zero(d)),
                                            hn::Sub(hn::LoadU(d, laws.atoms + j * lanes), m));
    const VectorPoint point = at(loss, d, distance);
    sum.value = mul_add(weight, point.value, sum.value);
    sum.left_slope = mul_add(weight, point.left_slope, sum.left_slope);
  }
  return sum;
}

/// Whether risks of this loss are computed in lanes.
template <class L>
constexpr bool has_batches = !std::is_same_v<L, Mean> && !std::is_same_v<L, CustomLoss>;

/// As `shortfall_root` in every lane.
template <class L>
Vec roots(const L& loss, Doubles d, const LawBatch& laws, const BatchSummary& law, Vec start) {
  const Vec not_a_number = hn::NaN(d);
  const Vec mean = max_of(law.min, min_of(law.mean, law.max));
  const Vec resolution = hn::Mul(hn::Set(d, 2.0 * std::numeric_limits<double>::epsilon()),
                                 max_of(hn::Abs(law.min), hn::Abs(law.max)));
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
        mul_add(bracket, hn::Div(lower_value, hn::Sub(lower_value, upper_value)), lower);
    const auto on_chord = hn::And(hn::Ge(chord, lower), hn::Le(chord, upper));
    end_with(hn::Le(bracket, resolution), hn::IfThenElse(on_chord, chord, m));

    const Vec step = hn::Div(point.value, point.left_slope);
    const Vec size = hn::Abs(point.value);
    const auto shrinking = hn::Le(size, hn::Mul(hn::Set(d, 0.5), last_but_one));
    Vec next = hn::Add(m, hn::IfThenElse(hn::Lt(hn::Abs(step), resolution),
                                         hn::CopySign(resolution, point.value), step));
    const Vec half = hn::Set(d, 0.5);
    const Vec middle = mul_add(half, lower, hn::Mul(half, upper));
    next = hn::IfThenElse(hn::And(shrinking, inside(next)), next, middle);
    end_with(hn::Not(inside(next)), m);
    m = hn::IfThenElse(active, next, m);
    last_but_one = last;
    last = size;
  }
  return result;
}

/// `log_mean_of_unlikely` for one lane.
inline double log_mean_of_lane(double beta, const LawBatch& laws, std::size_t lane,
                               std::size_t lanes, double max) {
  double atoms[LawBatch::longest];
  double probabilities[LawBatch::longest];
  for (std::size_t j = 0; j < laws.count; ++j) {
    atoms[j] = laws.atoms[j * lanes + lane];
    probabilities[j] = laws.probabilities[j * lanes + lane];
  }
  return log_mean_of_unlikely(beta, {{atoms, laws.count}, {probabilities, laws.count}}, max);
}

/// As `entropic_risk` in every lane.
inline Vec entropic_risks(const Entropic& loss, Doubles d, const LawBatch& laws,
                          const BatchSummary& law) {
  const std::size_t lanes = hn::Lanes(d);
  const Vec scale = hn::Set(d, loss.beta());
  const auto sum_over_atoms = [&](const auto& function) HWY_ATTR {
    Vec sum = hn::Zero(d);
    for (std::size_t j = 0; j < laws.count; ++j) {
      const Vec exponent =
          entropic_exponent(d, hn::LoadU(d, laws.atoms + j * lanes), law.max, scale);
      sum = mul_add(hn::LoadU(d, laws.probabilities + j * lanes), function(exponent), sum);
    }
    return sum;
  };
  constexpr std::size_t most_lanes = hn::MaxLanes(Doubles());
  HWY_ALIGN double minus_one[most_lanes];
  HWY_ALIGN double mean[most_lanes] = {};
  HWY_ALIGN double log_mean[most_lanes];
  HWY_ALIGN double min[most_lanes];
  HWY_ALIGN double max[most_lanes];
  HWY_ALIGN double risk[most_lanes];
  const Vec shifted = sum_over_atoms([&](Vec e) HWY_ATTR { return in_lanes::expm1(d, e); });
  hn::Store(shifted, d, minus_one);
  const auto near = hn::Gt(shifted, hn::Set(d, -0.5));
  Vec logs = in_lanes::log1p_of_finite(d, hn::IfThenElseZero(near, shifted));
  if (!hn::AllTrue(d, near)) {
    const Vec exponentials = sum_over_atoms([&](Vec e) HWY_ATTR { return in_lanes::exp(d, e); });
    const Vec least = hn::Set(d, nearly_underflows);
    const Vec normal = hn::IfThenElse(hn::Gt(exponentials, least), exponentials, least);
    logs = hn::IfThenElse(near, logs, in_lanes::log_of_normal(d, normal));
    hn::Store(exponentials, d, mean);
  }
  hn::Store(logs, d, log_mean);
  hn::Store(law.min, d, min);
  hn::Store(law.max, d, max);
  hn::Store(max_of(law.min, min_of(law.mean, law.max)), d, risk);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if (is_close_to_mean(loss, max[lane] - min[lane])) continue;
    if (!(minus_one[lane] > -0.5) && !(mean[lane] > nearly_underflows)) {
      log_mean[lane] = log_mean_of_lane(loss.beta(), laws, lane, lanes, max[lane]);
    }
    risk[lane] = entropic_from(loss, max[lane], min[lane], log_mean[lane]);
  }
  return hn::Load(d, risk);
}

/// The shortfall risk of the law in every lane.
template <class L>
HWY_INLINE Vec risks(const L& loss, Doubles d, const LawBatch& laws, Vec start) {
  const BatchSummary summary = summarise(d, laws);
  if constexpr (std::is_same_v<L, Entropic>) {
    return entropic_risks(loss, d, laws, summary);
  } else {
    return roots(loss, d, laws, summary, start);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace shortfall
HWY_AFTER_NAMESPACE();

#endif  // SHORTFALL_RISK_BATCH_RISK_INL_HPP
