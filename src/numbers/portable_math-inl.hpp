// Exponentials and logarithms in every lane of a vector: compiled once for each instruction set,
// always the same operations on each lane.
#if defined(SHORTFALL_PORTABLE_MATH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SHORTFALL_PORTABLE_MATH_INL_HPP
#undef SHORTFALL_PORTABLE_MATH_INL_HPP
#else
#define SHORTFALL_PORTABLE_MATH_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace shortfall::portable::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// a b + c, rounded twice on every processor: few before 2013 can fuse the two.
template <class V>
HWY_INLINE V mul_add(V a, V b, V c) {
  return hn::Add(hn::Mul(a, b), c);
}

/// log 2 in two parts. The first ends with 21 zeros, so that its product with an exponent is exact.
constexpr double log_2_high = 0x1.62e42feep-1;
constexpr double log_2_low = 0x1.a39ef35793c76p-33;

/// Doubles of this size have a last place worth one: adding it rounds to an integer.
constexpr double to_integer = 0x1.8p52;

/// 2^k for an integer -1023 < k < 1024: k + 1023 are the last bits of the sum, and become the
/// exponent.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V power_of_two(D d, V k) {
  const hn::RebindToUnsigned<D> bits;
  const V biased = hn::Add(k, hn::Set(d, to_integer + 1023.0));
  return hn::BitCast(d, hn::ShiftLeft<52>(hn::BitCast(bits, biased)));
}

/// x = k log 2 + r with an integer k and |r| ≤ log(2) / 2, and e^r - 1.
template <class V>
struct ReducedExponential {
  V k;
  V minus_one;
};

/// k times the first part of log 2 is exact, and so is its difference from x. Terms of the series
/// beyond r^13 are below 2^-57.
template <class D, class V = hn::Vec<D>>
HWY_INLINE ReducedExponential<V> reduced_exponential(D d, V x) {
  const V big = hn::Set(d, to_integer);
  const V k = hn::Sub(mul_add(x, hn::Set(d, 0x1.71547652b82fep0), big), big);
  const V near = hn::Sub(x, hn::Mul(k, hn::Set(d, log_2_high)));
  const V r = hn::Sub(near, hn::Mul(k, hn::Set(d, log_2_low)));
  const auto pair = [&](double even, double odd) HWY_ATTR {
    return mul_add(r, hn::Set(d, 1.0 / odd), hn::Set(d, 1.0 / even));
  };
  const V r2 = hn::Mul(r, r);
  const V r4 = hn::Mul(r2, r2);
  const V low = mul_add(pair(24, 120), r2, pair(2, 6));
  const V middle = mul_add(pair(40320.0, 362880.0), r2, pair(720, 5040));
  const V high = mul_add(pair(479001600.0, 6227020800.0), r2, pair(3628800, 39916800));
  const V tail = mul_add(mul_add(high, r4, middle), r4, low);
  return {k, mul_add(r2, tail, r)};
}

/// x, or the end of [low, high] if it is outside; NaN stays NaN.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V limited(D d, V x, double low, double high) {
  const V above = hn::Set(d, high);
  const V below = hn::Set(d, low);
  return hn::IfThenElse(hn::Gt(x, above), above, hn::IfThenElse(hn::Lt(x, below), below, x));
}

/// In two steps, of which neither over- nor underflows before the result does. e^710 is infinite in
/// double, e^-746 is 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp(D d, V x) {
  const auto [k, minus_one] = reduced_exponential(d, limited(d, x, -746.0, 710.0));
  const auto small = hn::Lt(k, hn::Zero(d));
  const V first = hn::Add(k, hn::IfThenElse(small, hn::Set(d, 64.0), hn::Set(d, -1.0)));
  const V second = hn::IfThenElse(small, hn::Set(d, 0x1p-64), hn::Set(d, 2.0));
  const V mantissa = hn::Add(hn::Set(d, 1.0), minus_one);
  return hn::Mul(hn::Mul(mantissa, power_of_two(d, first)), second);
}

/// 2 (h (e^r - 1) + (h - 1/2)) with h = 2^(k-1), which is finite for all k. e^-40 vanishes next
/// to 1.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V expm1(D d, V x) {
  const auto [k, minus_one] = reduced_exponential(d, limited(d, x, -40.0, 710.0));
  const V half = hn::Set(d, 0.5);
  const V h = power_of_two(d, hn::Sub(k, hn::Set(d, 1.0)));
  const V result = mul_add(h, minus_one, hn::Sub(h, half));
  return hn::Add(result, result);
}

/// A positive normal number is 2^k (1 + f) with √½ ≤ 1 + f < √2.
template <class V>
struct Mantissa {
  V k;
  V f;
};

template <class D, class V = hn::Vec<D>>
HWY_INLINE Mantissa<V> mantissa_of(D d, V x) {
  const hn::RebindToUnsigned<D> words;
  constexpr std::uint64_t root_of_half = 0x3fe6a09e667f3bcd;
  const auto bits = hn::BitCast(words, x);
  // 1024 + k in the exponent, then as the last bits of 2^52.
  const auto raised = hn::Add(bits, hn::Set(words, (std::uint64_t{1024} << 52) - root_of_half));
  const auto exponent = hn::ShiftRight<52>(raised);
  const V counted = hn::BitCast(d, hn::Or(exponent, hn::Set(words, 0x4330000000000000)));
  const auto whole = hn::Sub(exponent, hn::Set(words, 1024));
  const V rest = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<52>(whole)));
  return {hn::Sub(counted, hn::Set(d, 0x1p52 + 1024.0)), hn::Sub(rest, hn::Set(d, 1.0))};
}

/// k log 2 + log(1 + f) + extra for |extra| far below the rest. log(1 + f) = f - f²/2 + s (f²/2 +
/// tail) with s = f / (2 + f) and 2 atanh(s) = s (2 + tail), tail = Σ 2 s^{2j} / (2j + 1): all but
/// f is small. Since |s| < 0.172, terms beyond j = 11 are below 2^-61.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V log_of_parts(D d, const Mantissa<V>& x, V extra) {
  const V f = x.f;
  const V s = hn::Div(f, hn::Add(hn::Set(d, 2.0), f));
  const V z = hn::Mul(s, s);
  const auto pair = [&](double low, double high) HWY_ATTR {
    return mul_add(z, hn::Set(d, 2.0 / high), hn::Set(d, 2.0 / low));
  };
  const V z2 = hn::Mul(z, z);
  const V z4 = hn::Mul(z2, z2);
  const V low = mul_add(pair(7, 9), z2, pair(3, 5));
  const V middle = mul_add(pair(15, 17), z2, pair(11, 13));
  const V high = mul_add(hn::Set(d, 2.0 / 23), z2, pair(19, 21));
  const V tail = hn::Mul(z, mul_add(mul_add(high, z4, middle), z4, low));
  const V half_square = hn::Mul(hn::Mul(hn::Set(d, 0.5), f), f);
  const V low_part = mul_add(x.k, hn::Set(d, log_2_low), extra);
  const V small = mul_add(s, hn::Add(half_square, tail), low_part);
  return hn::Sub(hn::Mul(x.k, hn::Set(d, log_2_high)), hn::Sub(hn::Sub(half_square, small), f));
}

/// For positive normal numbers.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V log_of_normal(D d, V x) {
  return log_of_parts(d, mantissa_of(d, x), hn::Zero(d));
}

/// log(1 + x) for x > -1 and 1 + x finite; what rounding takes from the sum is added to first
/// order.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V log1p_of_finite(D d, V x) {
  const V one = hn::Set(d, 1.0);
  const V sum = hn::Add(one, x);
  const V lost =
      hn::IfThenElse(hn::Lt(x, one), hn::Sub(x, hn::Sub(sum, one)), hn::Sub(one, hn::Sub(sum, x)));
  const auto near = hn::And(hn::Gt(x, hn::Set(d, -0.29)), hn::Lt(x, hn::Set(d, 0.41)));
  Mantissa<V> parts = mantissa_of(d, sum);
  parts.k = hn::IfThenElse(near, hn::Zero(d), parts.k);
  parts.f = hn::IfThenElse(near, x, parts.f);
  return log_of_parts(d, parts, hn::IfThenElse(near, hn::Zero(d), hn::Div(lost, sum)));
}

}  // namespace shortfall::portable::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SHORTFALL_PORTABLE_MATH_INL_HPP
