#include "dp/tilt_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dp/tilt_kernel.cpp"
#include <hwy/foreach_target.h>  // must precede highway.h

#include <hwy/highway.h>

#include <limits>

#include "risk/vector_risk-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace shortfall {
namespace HWY_NAMESPACE {

using detail::TiltJob;

/// ℓ'(X - v).
template <class L>
HWY_INLINE Vec slopes(const L& loss, Doubles d, Vec distance) {
  if constexpr (std::is_same_v<L, Entropic>) {
    const Vec beta = hn::Set(d, loss.beta());
    return hn::Mul(beta, in_lanes::exp(d, hn::Mul(beta, distance)));
  } else if constexpr (std::is_same_v<L, CustomLoss>) {
    HWY_ALIGN double lane[hn::MaxLanes(Doubles())];
    hn::Store(distance, d, lane);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) lane[i] = loss.at(lane[i]).left_slope;
    return hn::Load(d, lane);
  } else {
    return at(loss, d, distance).left_slope;
  }
}

/// Unscaled weights p ℓ'(X - v) of one row, and their sum.
template <class L>
HWY_INLINE double tilt_row(const L& loss, const TiltJob& job, const Outcomes::Row& law, double v,
                           double* weights) {
  const Doubles d;
  const std::size_t count = law.next.size();
  const Vec discount = hn::Set(d, job.gamma);
  const Vec centre = hn::Set(d, v);
  LongSum sum = zero_sum<LongSum>();
  std::size_t i = 0;
  const auto add = [&](std::size_t k, std::size_t at) HWY_ATTR {
    const Vec target = mul_add(discount, gather(d, job.values, law.next.data() + at),
                               hn::LoadU(d, law.cost.data() + at));
    const Vec weight = hn::Mul(hn::LoadU(d, law.probability.data() + at),
                               slopes(loss, d, hn::Sub(target, centre)));
    sum.part[k] = hn::Add(sum.part[k], weight);
    hn::StoreU(weight, d, weights + at);
  };
  for (; i + sum_lanes <= count; i += sum_lanes) {
    for (std::size_t k = 0; k < LongSum::parts; ++k) add(k, i + k * width);
  }
  double rest = 0.0;
  for (; i < count; ++i) {
    const double target = law.cost[i] + job.gamma * job.values[law.next[i]];
    weights[i] = law.probability[i] * loss.at(target - v).left_slope;
    rest += weights[i];
  }
  return sum.sum() + rest;
}

void tilt(const AnyLoss& any_loss, const TiltJob& job, std::size_t first, std::size_t last,
          double* scratch) {
  std::visit(
      [&](const auto& loss) HWY_ATTR {
        using L = std::decay_t<decltype(loss)>;
        for (std::size_t x = first; x < last; ++x) {
          const std::size_t begin = job.begin[x];
          const std::size_t count = job.begin[x + 1] - begin;
          if (count == 0) continue;
          const Outcomes::Row law = job.outcomes.row(job.rows[x]);
          const double* weights = law.probability.data();
          double scale = 1.0;
          if constexpr (!std::is_same_v<L, Mean>) {
            scale = 1.0 / tilt_row(loss, job, law, job.risks[x], scratch);
            weights = scratch;
          }
          for (std::size_t i = 0; i < count; ++i) {
            const double weight = scale * weights[i];
            if (job.wide) {
              job.wide[begin + i] = weight;
            } else {
              job.narrow[begin + i] = static_cast<float>(weight);
            }
          }
          std::copy_n(law.next.data(), count, job.next + begin);
        }
      },
      any_loss.variant());
}

}  // namespace HWY_NAMESPACE
}  // namespace shortfall
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace shortfall::detail {

HWY_EXPORT(tilt);

void tilt_rows(const AnyLoss& loss, const TiltJob& job, std::size_t first, std::size_t last,
               double* scratch) {
  HWY_DYNAMIC_DISPATCH(tilt)(loss, job, first, last, scratch);
}

}  // namespace shortfall::detail
#endif  // HWY_ONCE
