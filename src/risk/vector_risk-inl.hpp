// Shortfall risk of a law, vectorised: compiled once for each instruction set by the sources that
// include it between Highway's foreach_target.h and HWY_AFTER_NAMESPACE.
#if defined(SHORTFALL_RISK_VECTOR_RISK_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SHORTFALL_RISK_VECTOR_RISK_INL_HPP
#undef SHORTFALL_RISK_VECTOR_RISK_INL_HPP
#else
#define SHORTFALL_RISK_VECTOR_RISK_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "numbers/portable_math-inl.hpp"
#include "shortfall/numbers/portable_math.hpp"
#include "shortfall/risk/any_loss.hpp"

HWY_BEFORE_NAMESPACE();
namespace shortfall {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace in_lanes = portable::HWY_NAMESPACE;
using in_lanes::mul_add;

using Doubles = hn::ScalableTag<double>;
using Vec = hn::Vec<Doubles>;
constexpr std::size_t width = hn::MaxLanes(Doubles());
static_assert(width == 1 || width == 2 || width == 4 || width == 8);

/// The smaller and the larger number; b if one is NaN, on every processor.
HWY_INLINE Vec min_of(Vec a, Vec b) {
#if HWY_TARGET == HWY_SCALAR
  return hn::IfThenElse(hn::Lt(a, b), a, b);
#else
  return hn::Min(a, b);
#endif
}
HWY_INLINE Vec max_of(Vec a, Vec b) {
#if HWY_TARGET == HWY_SCALAR
  return hn::IfThenElse(hn::Gt(a, b), a, b);
#else
  return hn::Max(a, b);
#endif
}

/// The sum of the lanes: halves are added until one is left.
template <class D>
HWY_INLINE double sum_of(D, hn::Vec<D> v) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(D()) > 1) {
    const hn::Half<D> half;
    return sum_of(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
#endif
  return hn::GetLane(v);
}

/// Sums in `count` lanes, whatever the width of a vector, so that each has the same terms and their
/// sum is taken in the same order on every processor.
template <std::size_t count>
struct LaneSums {
  static constexpr std::size_t parts = count / width;
  Vec part[parts];

  HWY_INLINE double sum() const {
    Vec halves[parts];
    std::copy_n(part, parts, halves);
    for (std::size_t left = parts / 2; left > 0; left /= 2) {
      for (std::size_t k = 0; k < left; ++k) halves[k] = hn::Add(halves[k], halves[k + left]);
    }
    return sum_of(Doubles(), halves[0]);
  }
};

template <class Sum>
HWY_INLINE Sum zero_sum() {
  Sum zero;
  for (Vec& p : zero.part) p = hn::Zero(Doubles());
  return zero;
}

/// Long sums.
constexpr std::size_t sum_lanes = 8;
using LongSum = LaneSums<sum_lanes>;

/// The first `count` ≤ Lanes numbers at `from`, followed by zeros, without reading past them.
HWY_INLINE Vec load_first(Doubles d, const double* from, std::size_t count) {
#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_ALIGN double lanes[hn::MaxLanes(d)] = {};
  std::copy_n(from, count, lanes);
  return hn::Load(d, lanes);
#else
  return hn::MaskedLoad(hn::FirstN(d, count), d, from);
#endif
}

/// from[index[0]], from[index[1]], ..
HWY_INLINE Vec gather(Doubles d, const double* from, const std::uint32_t* index) {
  const hn::Rebind<std::uint32_t, Doubles> d_index;
  const hn::RebindToUnsigned<Doubles> d_wide;
  const hn::RebindToSigned<Doubles> d_signed;
  return hn::GatherIndex(d, from,
                         hn::BitCast(d_signed, hn::PromoteTo(d_wide, hn::LoadU(d_index, index))));
}

struct VectorPoint {
  Vec value;
  Vec left_slope;
};

HWY_INLINE VectorPoint at(const Expectile& loss, Doubles d, Vec x) {
  const auto& pieces = loss.pieces();
  const Vec slope = hn::IfThenElse(hn::Gt(x, hn::Zero(d)), hn::Set(d, pieces[1].slope),
                                   hn::Set(d, pieces[0].slope));
  return {hn::Mul(slope, x), slope};
}

template <class Pieces>
HWY_INLINE VectorPoint at(const PiecewiseLinearLoss<Pieces>& loss, Doubles d, Vec x) {
  const auto& pieces = loss.pieces();
  Vec slope = hn::Set(d, pieces[0].slope);
  Vec intercept = hn::Set(d, pieces[0].intercept);
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const auto beyond = hn::Gt(x, hn::Set(d, pieces[i].from));
    slope = hn::IfThenElse(beyond, hn::Set(d, pieces[i].slope), slope);
    intercept = hn::IfThenElse(beyond, hn::Set(d, pieces[i].intercept), intercept);
  }
  return {mul_add(slope, x, intercept), slope};
}

/// Slopes are β (1 + ℓ) if that loses no digits, exponentials below, and constants beyond ±b.
HWY_INLINE VectorPoint at(const TruncatedEntropic& loss, Doubles d, Vec x) {
  const Vec beta = hn::Set(d, loss.beta());
  const Vec bound = hn::Set(d, loss.bound());
  const Vec inside = max_of(hn::Neg(bound), min_of(x, bound));
  const Vec exponent = hn::Mul(beta, inside);
  VectorPoint point{in_lanes::expm1(d, exponent), beta};
  point.left_slope = mul_add(beta, point.value, beta);
  const auto low = hn::Lt(point.value, hn::Set(d, -0.5));
  if (!hn::AllFalse(d, low)) {
    point.left_slope =
        hn::IfThenElse(low, hn::Mul(beta, in_lanes::exp(d, exponent)), point.left_slope);
  }
  const auto continue_by = [&](auto beyond, const LossPoint& end) HWY_ATTR {
    const Vec slope = hn::Set(d, end.left_slope);
    const Vec line = mul_add(slope, hn::Sub(x, inside), hn::Set(d, end.value));
    point.value = hn::IfThenElse(beyond, line, point.value);
    point.left_slope = hn::IfThenElse(beyond, slope, point.left_slope);
  };
  continue_by(hn::Gt(x, bound), loss.at_upper_end());
  continue_by(hn::Lt(x, hn::Neg(bound)), loss.at_lower_end());
  return point;
}

/// Calls add(k, atoms, probabilities) for the atoms of a law, a vector at a time, for part k of a
/// long sum. Lanes beyond the end have probability 0 and an atom at which nothing that is added up
/// may overflow: 0 · ∞ is NaN.
template <class Add>
HWY_INLINE void for_each_atom(Doubles d, const Law& law, Vec harmless, const Add& add) {
  const double* const x = law.atoms.data();
  const double* const p = law.probabilities.data();
  const std::size_t count = law.atoms.size();
  std::size_t i = 0;
  for (; i + sum_lanes <= count; i += sum_lanes) {
    for (std::size_t k = 0; k < LongSum::parts; ++k) {
      const std::size_t at = i + k * width;
      add(k, hn::LoadU(d, x + at), hn::LoadU(d, p + at));
    }
  }
  for (std::size_t k = 0; i < count; ++k, i += width) {
    const std::size_t left = std::min(width, count - i);
    const auto rest = hn::FirstN(d, left);
    add(k, hn::IfThenElse(rest, load_first(d, x + i, left), harmless), load_first(d, p + i, left));
  }
}

/// Whether a pass computes the slope of E ℓ(X - m), or only its value.
enum class Pass { value, value_and_slope };

/// E ℓ(X - m) and E ℓ'(X - m) for atoms x and probabilities p; the slope is 0 if not requested.
template <Pass pass = Pass::value_and_slope, class L>
LossPoint expected(const L& loss, const Law& law, double m) {
  const Doubles d;
  const Vec centre = hn::Set(d, m);  // harmless: ℓ(0) = 0
  LongSum value = zero_sum<LongSum>();
  LongSum slope = zero_sum<LongSum>();
  for_each_atom(d, law, centre, [&](std::size_t k, Vec atoms, Vec weight) HWY_ATTR {
    const VectorPoint point = at(loss, d, hn::Sub(atoms, centre));
    value.part[k] = mul_add(weight, point.value, value.part[k]);
    if constexpr (pass == Pass::value_and_slope)
      slope.part[k] = mul_add(weight, point.left_slope, slope.part[k]);
  });
  return {value.sum(), slope.sum()};
}

template <Pass pass = Pass::value_and_slope>
HWY_INLINE LossPoint expected(const CustomLoss& loss, const Law& law, double m) {
  return loss.expected(law, m);
}

template <Pass pass = Pass::value_and_slope>
HWY_INLINE LossPoint expected(const Entropic& loss, const Law& law, double m) {
  return expected_loss(loss, law, m);
}

/// The same by logarithms, for laws whose largest atoms are so unlikely that exponentials relative
/// to them underflow: log Σ e^{log p + β (X - max)}.
inline double log_mean_of_unlikely(double beta, const Law& law, double max) {
  const auto exponent = [&](std::size_t i) {
    return portable::log(law.probabilities[i]) + beta * (law.atoms[i] - max);
  };
  double top = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < law.atoms.size(); ++i) {
    if (law.probabilities[i] > 0.0) top = std::max(top, exponent(i));
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < law.atoms.size(); ++i) {
    if (law.probabilities[i] > 0.0) sum += portable::exp(exponent(i) - top);
  }
  return top + portable::log(sum);
}

constexpr double nearly_underflows = 1e-280;

/// β (X - max): at most 0 except for atoms of probability 0, which must not overflow.
HWY_INLINE Vec entropic_exponent(Doubles d, Vec atoms, Vec top, Vec scale) {
  const Vec lowest = hn::Set(d, -1000.0);  // e^-1000 is 0 in double
  return min_of(max_of(hn::Mul(scale, hn::Sub(atoms, top)), lowest), hn::Zero(d));
}

inline double entropic_from(const Entropic& loss, double max, double min, double log_mean) {
  return std::max(max + log_mean / loss.beta(), min);
}

/// log(E e^{βX}) / β = max + log(1 + E expm1(β(X - max))) / β: no exponent is positive, and near
/// β = 0 nothing cancels. Where E e^{β(X - max)} is small, the sum of the exponentials themselves
/// keeps all digits.
inline double entropic_risk(const Entropic& loss, const Law& law, const LawSummary& summary) {
  if (is_close_to_mean(loss, summary.max - summary.min)) {
    return std::clamp(summary.mean, summary.min, summary.max);
  }
  const Doubles d;
  const Vec scale = hn::Set(d, loss.beta());
  const Vec top = hn::Set(d, summary.max);
  const auto sum_over_atoms = [&](const auto& function) HWY_ATTR {
    LongSum sum = zero_sum<LongSum>();
    for_each_atom(d, law, top, [&](std::size_t k, Vec atoms, Vec weight) HWY_ATTR {
      sum.part[k] = mul_add(weight, function(entropic_exponent(d, atoms, top, scale)), sum.part[k]);
    });
    return sum.sum();
  };
  const double minus_one = sum_over_atoms([&](Vec e) HWY_ATTR { return in_lanes::expm1(d, e); });
  if (minus_one > -0.5)
    return entropic_from(loss, summary.max, summary.min, portable::log1p(minus_one));
  const double mean = sum_over_atoms([&](Vec e) HWY_ATTR { return in_lanes::exp(d, e); });
  return entropic_from(loss, summary.max, summary.min,
                       mean > nearly_underflows
                           ? portable::log(mean)
                           : log_mean_of_unlikely(loss.beta(), law, summary.max));
}

/// The shortfall risk of a law whose summary is known.
template <class L>
double risk(const L& loss, const Law& law, const LawSummary& summary, double start) {
  if constexpr (std::is_same_v<L, Mean>) {
    return summary.mean;
  } else if constexpr (std::is_same_v<L, Entropic>) {
    return entropic_risk(loss, law, summary);
  } else {
    return shortfall_root([&](double m) { return expected(loss, law, m); }, summary, start);
  }
}

/// Whether the risk may be below v: one pass, no root finding. True if that pass overflows and
/// gives NaN, so that the caller computes the risk.
template <class L>
bool may_be_below(const L& loss, const Law& law, const LawSummary& summary, double v) {
  if constexpr (std::is_same_v<L, Mean> || std::is_same_v<L, Entropic>) {
    return !(risk(loss, law, summary, no_start) >= v);
  } else {
    return !(expected<Pass::value>(loss, law, v).value >= 0.0);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace shortfall
HWY_AFTER_NAMESPACE();

#endif  // SHORTFALL_RISK_VECTOR_RISK_INL_HPP
