#include "shortfall/numbers/portable_math.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "numbers/portable_math-inl.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::portable {
namespace {

namespace lane = portable::HWY_NAMESPACE;
using One = hwy::HWY_NAMESPACE::CappedTag<double, 1>;

/// A function of vectors for one number.
template <class Function>
double of_one(const Function& function, double x) {
  const One d;
  return hwy::HWY_NAMESPACE::GetLane(function(d, hwy::HWY_NAMESPACE::Set(d, x)));
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// sin r and cos r for |r| ≤ π/4, by their series; terms beyond r^17 are below 2^-60.
double sine_of_small(double r) {
  const double z = r * r;
  double sum = 0.0;
  for (int n = 16; n >= 2; n -= 2) sum = (1.0 + sum) * (z * (-1.0 / (n * (n + 1))));
  return r + r * sum;
}

double cosine_of_small(double r) {
  const double z = r * r;
  double sum = 0.0;
  for (int n = 16; n >= 4; n -= 2) sum = (1.0 + sum) * (z * (-1.0 / (n * (n - 1))));
  return 1.0 - 0.5 * z * (1.0 + sum);
}

}  // namespace

double exp(double x) {
  return of_one([](auto d, auto v) { return lane::exp(d, v); }, x);
}

double expm1(double x) {
  return of_one([](auto d, auto v) { return lane::expm1(d, v); }, x);
}

double log(double x) {
  if (!(x > 0.0)) return x == 0.0 ? -infinity : not_a_number;
  if (x == infinity) return x;
  const auto of_normal = [](auto d, auto v) { return lane::log_of_normal(d, v); };
  if (x >= std::numeric_limits<double>::min()) return of_one(of_normal, x);
  return of_one(of_normal, 0x1p54 * x) - 54.0 * std::numbers::ln2;
}

double log1p(double x) {
  if (!(x > -1.0)) return x == -1.0 ? -infinity : not_a_number;
  if (1.0 + x == infinity) return x;
  return of_one([](auto d, auto v) { return lane::log1p_of_finite(d, v); }, x);
}

double cos(double x) {
  if (!(std::abs(x) <= 1e5)) return static_cast<double>(std::cos(static_cast<long double>(x)));
  // The nearest multiple of π/2, which three numbers sum up to; the first two times k are exact.
  const double k = (x * 0x1.45f306dc9c883p-1 + lane::to_integer) - lane::to_integer;
  const double near = (x - k * 0x1.921fb544p+0) - k * 0x1.0b4611a6p-34;
  const double r = near - k * 0x1.3198a2e037073p-69;
  switch (static_cast<std::int64_t>(k) & 3) {
    case 0:
      return cosine_of_small(r);
    case 1:
      return -sine_of_small(r);
    case 2:
      return -cosine_of_small(r);
    default:
      return sine_of_small(r);
  }
}

double pow(double base, double exponent) {
  return static_cast<double>(
      std::pow(static_cast<long double>(base), static_cast<long double>(exponent)));
}

}  // namespace shortfall::portable
