#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "benchmarks/machine_bound.cpp"
#include <hwy/foreach_target.h>  // must precede highway.h

#include <hwy/highway.h>

#include "benchmarks/machine_bound.hpp"

HWY_BEFORE_NAMESPACE();
namespace shortfall::benchmarks {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Doubles>;
constexpr Doubles tag;
constexpr std::size_t width = hn::MaxLanes(tag);

/// Hides a constant from the optimiser.
HWY_INLINE double unknown(double x) {
  volatile double hidden = x;
  return hidden;
}

// Four operations can start per cycle, and each takes three or four cycles. Six chains of products
// and six of sums would be enough; seven of each still fit into sixteen registers.
constexpr std::size_t chains = 7;

HWY_INLINE double total(const Vec (&chain)[chains]) {
  Vec sum = chain[0];
  for (std::size_t k = 1; k < chains; ++k) sum = hn::Add(sum, chain[k]);
  return hn::GetLane(sum);
}

double multiply_adds(std::size_t count) {
  const Vec one = hn::Set(tag, unknown(1.0));
  Vec product[chains];
  Vec sum[chains];
  for (Vec& p : product) p = one;
  for (Vec& s : sum) s = one;
  for (std::size_t i = 0; i < count; i += chains * width) {
    for (std::size_t k = 0; k < chains; ++k) {
      product[k] = hn::Mul(product[k], one);
      sum[k] = hn::Add(sum[k], product[k]);
    }
  }
  return total(sum);
}

double fused_multiply_adds(std::size_t count) {
  const Vec one = hn::Set(tag, unknown(1.0));
  Vec first[chains];
  Vec second[chains];
  for (Vec& f : first) f = one;
  for (Vec& s : second) s = one;
  for (std::size_t i = 0; i < count; i += 2 * chains * width) {
    for (Vec& f : first) f = hn::MulAdd(f, one, one);
    for (Vec& s : second) s = hn::MulAdd(s, one, one);
  }
  return total(first) + total(second);
}

/// Reads `n` numbers; the last vector may overlap the previous one.
HWY_INLINE void read(const double* from, std::size_t n, Vec (&seen)[4]) {
  std::size_t i = 0;
  for (; i + 4 * width <= n; i += 4 * width) {
    for (std::size_t k = 0; k < 4; ++k) {
      seen[k] = hn::Or(seen[k], hn::LoadU(tag, from + i + k * width));
    }
  }
  for (; i + width <= n; i += width) seen[0] = hn::Or(seen[0], hn::LoadU(tag, from + i));
  if (i < n && n >= width) seen[1] = hn::Or(seen[1], hn::LoadU(tag, from + n - width));
}

/// Reads and overwrites; the writes do not depend on the reads.
HWY_INLINE void rewrite(double* at, std::size_t n, Vec value, Vec& seen) {
  for (std::size_t i = 0; i < n; i += width) {
    seen = hn::Or(seen, hn::Load(tag, at + i));
    hn::Store(value, tag, at + i);
  }
}

double touch(const Footprint& footprint) {
  const Vec value = hn::Set(tag, unknown(1.0));
  Vec seen[4] = {value, value, value, value};
  for (std::size_t t = 0; t < footprint.transitions; ++t) {
    const double* const phi = footprint.features + t * footprint.dimension;
    read(phi, 2 * footprint.dimension, seen);
    rewrite(footprint.written, footprint.written_size, value, seen[0]);
    if (t % 16 == 15) rewrite(footprint.batched, footprint.batched_size, value, seen[0]);
  }
  return hn::GetLane(hn::Or(hn::Or(seen[0], seen[1]), hn::Or(seen[2], seen[3])));
}

/// The sum of the lanes, computed by halving.
HWY_INLINE double sum(hn::Vec<hn::CappedTag<double, 4>> four) {
#if HWY_MAX_BYTES >= 32
  constexpr hn::Half<hn::CappedTag<double, 4>> half;
  const auto two = hn::Add(hn::LowerHalf(four), hn::UpperHalf(half, four));
  return hn::GetLane(two) + hn::ExtractLane(two, 1);
#else
  return hn::GetLane(four) + hn::ExtractLane(four, 1);
#endif
}

double td_chain(std::size_t updates, std::size_t additions) {
  constexpr hn::CappedTag<double, 4> four;
  constexpr hn::CappedTag<double, 1> one;
  const auto phi = hn::Set(four, unknown(0.5));
  const auto phi_next = hn::Set(four, unknown(0.25));
  const auto others = hn::Set(four, unknown(0.0));
  const auto upper = hn::Set(one, unknown(0.9));
  const auto lower = hn::Set(one, unknown(0.1));
  const double gamma = unknown(0.9);
  const double cost = unknown(1.0);
  const double eta = unknown(0.01);
  HWY_ALIGN double theta[hn::MaxLanes(four)] = {};
  for (std::size_t n = 0; n < updates; ++n) {
    // A learner that takes one transition at a time must keep θ in memory.
    asm volatile("" : "+m"(theta));
    const auto weight = hn::Load(four, theta);
    auto now = hn::Mul(weight, phi);
    auto next = hn::Mul(weight, phi_next);
    for (std::size_t k = 0; k < additions; ++k) {
      now = hn::Add(now, others);
      next = hn::Add(next, others);
    }
    const auto delta = hn::Set(one, cost + gamma * sum(next) - sum(now));
    const auto slope = hn::IfThenElse(hn::Gt(delta, hn::Zero(one)), upper, lower);
    const double scale = eta * hn::GetLane(hn::Mul(slope, delta));
    hn::Store(hn::Add(weight, hn::Mul(hn::Set(four, scale), phi)), four, theta);
  }
  asm volatile("" : "+m"(theta));
  return theta[0];
}

const MachineBound* bounds() {
  static constexpr MachineBound table{multiply_adds, fused_multiply_adds, touch, td_chain};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace shortfall::benchmarks
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace shortfall::benchmarks {

HWY_EXPORT(bounds);

const MachineBound& machine_bound() {
  return *HWY_DYNAMIC_DISPATCH(bounds)();
}

}  // namespace shortfall::benchmarks
#endif
