#include "dp/row_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dp/row_kernel.cpp"
#include <hwy/foreach_target.h>  // must precede highway.h

#include <hwy/highway.h>

#include <limits>

#include "risk/vector_risk-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace shortfall {
namespace HWY_NAMESPACE {

using detail::OutcomeLimits;

HWY_INLINE Vec gather(Doubles d, const double* from, const std::uint32_t* index) {
  const hn::Rebind<std::uint32_t, Doubles> d_index;
  const hn::RebindToUnsigned<Doubles> d_wide;
  const hn::RebindToSigned<Doubles> d_signed;
  return hn::GatherIndex(d, from,
                         hn::BitCast(d_signed, hn::PromoteTo(d_wide, hn::LoadU(d_index, index))));
}

OutcomeLimits summarise(const Outcomes& outcomes, bool expected, std::size_t first_row,
                        std::size_t last_row, double* row_cost) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  OutcomeLimits limits;
  Vec least = hn::Set(d, 1.0);
  for (std::size_t row = first_row; row < last_row; ++row) {
    const Outcomes::Row law = outcomes.row(row);
    const std::size_t count = law.cost.size();
    row_cost[row] = std::numeric_limits<double>::quiet_NaN();
    if (count == 0) continue;
    const double first = law.cost[0];
    const Vec centre = hn::Set(d, first);
    Vec low = centre;
    Vec high = centre;
    Vec sum = hn::Zero(d);
    double lowest = first;
    double highest = first;
    double rest = 0.0;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      const Vec p = hn::LoadU(d, law.probability.data() + i);
      const Vec c = hn::LoadU(d, law.cost.data() + i);
      low = hn::Min(low, c);
      high = hn::Max(high, c);
      least = hn::Min(least, p);
      sum = hn::MulAdd(p, hn::Sub(c, centre), sum);
    }
    for (; i < count; ++i) {
      lowest = std::min(lowest, law.cost[i]);
      highest = std::max(highest, law.cost[i]);
      limits.least_probability = std::min(limits.least_probability, law.probability[i]);
      rest += law.probability[i] * (law.cost[i] - first);
    }
    lowest = std::min(lowest, hn::GetLane(hn::MinOfLanes(d, low)));
    highest = std::max(highest, hn::GetLane(hn::MaxOfLanes(d, high)));
    if (expected) {
      row_cost[row] = first + (sum_of(d, sum) + rest);
    } else if (lowest == highest) {
      row_cost[row] = first;
    }
    limits.lowest_cost = std::min(limits.lowest_cost, lowest);
    limits.highest_cost = std::max(limits.highest_cost, highest);
  }
  limits.least_probability =
      std::min(limits.least_probability, hn::GetLane(hn::MinOfLanes(d, least)));
  return limits;
}

/// ℓ'(X - v).
template <class L>
HWY_INLINE Vec slopes(const L& loss, Doubles d, Vec distance) {
  if constexpr (std::is_same_v<L, Entropic>) {
    const Vec beta = hn::Set(d, loss.beta());
    return hn::Mul(beta, hn::Exp(d, hn::Mul(beta, distance)));
  } else if constexpr (std::is_same_v<L, CustomLoss>) {
    HWY_ALIGN double lane[hn::MaxLanes(Doubles())];
    hn::Store(distance, d, lane);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) lane[i] = loss.at(lane[i]).left_slope;
    return hn::Load(d, lane);
  } else {
    return at(loss, d, distance).left_slope;
  }
}

void tilt(const AnyLoss& any_loss, const Outcomes::Row& law, const double* values, double gamma,
          double v, double* weights) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t count = law.next.size();
  const double* const p = law.probability.data();
  double total = 1.0;
  const double* unscaled = p;
  std::visit(
      [&](const auto& loss) HWY_ATTR {
        using L = std::decay_t<decltype(loss)>;
        if constexpr (!std::is_same_v<L, Mean>) {
          const Vec discount = hn::Set(d, gamma);
          const Vec centre = hn::Set(d, v);
          Vec sum = hn::Zero(d);
          std::size_t i = 0;
          for (; i + lanes <= count; i += lanes) {
            const Vec target = hn::MulAdd(discount, gather(d, values, law.next.data() + i),
                                          hn::LoadU(d, law.cost.data() + i));
            const Vec weight =
                hn::Mul(hn::LoadU(d, p + i), slopes(loss, d, hn::Sub(target, centre)));
            sum = hn::Add(sum, weight);
            hn::StoreU(weight, d, weights + i);
          }
          total = sum_of(d, sum);
          for (; i < count; ++i) {
            const double target = law.cost[i] + gamma * values[law.next[i]];
            weights[i] = p[i] * loss.at(target - v).left_slope;
            total += weights[i];
          }
          unscaled = weights;
        }
      },
      any_loss.variant());
  const Vec scale = hn::Set(d, 1.0 / total);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::StoreU(hn::Mul(scale, hn::LoadU(d, unscaled + i)), d, weights + i);
  }
  for (; i < count; ++i) weights[i] = unscaled[i] / total;
}

}  // namespace HWY_NAMESPACE
}  // namespace shortfall
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace shortfall::detail {

void OutcomeLimits::merge(const OutcomeLimits& other) {
  lowest_cost = std::min(lowest_cost, other.lowest_cost);
  highest_cost = std::max(highest_cost, other.highest_cost);
  least_probability = std::min(least_probability, other.least_probability);
}

HWY_EXPORT(summarise);
HWY_EXPORT(tilt);

OutcomeLimits cost_of_rows(const AnyLoss& loss, const Outcomes& outcomes, std::size_t first,
                           std::size_t last, double* row_cost) {
  const bool expected = std::holds_alternative<Mean>(loss.variant());
  return HWY_DYNAMIC_DISPATCH(summarise)(outcomes, expected, first, last, row_cost);
}

void tilt_row(const AnyLoss& loss, const Outcomes::Row& law, const double* values, double gamma,
              double v, double* weights) {
  HWY_DYNAMIC_DISPATCH(tilt)(loss, law, values, gamma, v, weights);
}

}  // namespace shortfall::detail
#endif  // HWY_ONCE
