// Sums over rows of targets, vectorised: compiled once for each instruction set.
#if defined(SHORTFALL_INVENTORY_ROW_SUMS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SHORTFALL_INVENTORY_ROW_SUMS_INL_HPP
#undef SHORTFALL_INVENTORY_ROW_SUMS_INL_HPP
#else
#define SHORTFALL_INVENTORY_ROW_SUMS_INL_HPP
#endif

#include <cstddef>
#include <span>
#include <type_traits>

#include "inventory/kernel/backup_kernel.hpp"
#include "risk/vector_risk-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace shortfall::HWY_NAMESPACE {

using inventory::DeliveredStock;
using inventory::NestedBinomials;
using inventory::RowKind;
using inventory::TargetLayer;

/// Sums over a row, whose length is a multiple of the lanes.
constexpr std::size_t row_lanes = DeliveredStock::lanes;
using RowSum = LaneSums<row_lanes>;
static_assert(RowSum::parts >= 1);

/// The sums that make up an expectation.
template <std::size_t count>
struct Sums {
  RowSum sum[count];
};

template <std::size_t count>
HWY_INLINE Sums<count> zero_sums() {
  Sums<count> zero;
  for (RowSum& sum : zero.sum) sum = zero_sum<RowSum>();
  return zero;
}

template <std::size_t count>
HWY_INLINE void add(Sums<count>& sums, double weight, const Sums<count>& term) {
  const Vec w = hn::Set(Doubles(), weight);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < RowSum::parts; ++k) {
      sums.sum[i].part[k] = mul_add(w, term.sum[i].part[k], sums.sum[i].part[k]);
    }
  }
}

/// Calls add(k, i) for each vector of a row: its part of the sums, and its first number.
template <class Add>
HWY_INLINE void for_each_vector(std::size_t size, const Add& add) {
  for (std::size_t i = 0; i < size; i += row_lanes) {
    for (std::size_t k = 0; k < RowSum::parts; ++k) add(k, i + k * width);
  }
}

/// The number in the first lane, zeros in the others.
HWY_INLINE RowSum first_lane(const double* x) {
  RowSum sum = zero_sum<RowSum>();
  sum.part[0] = load_first(Doubles(), x, 1);
  return sum;
}

/// Terms Σ_d q_d ℓ(G_d - v) of one row, for any loss with a vectorised at().
template <class L, Pass pass>
struct RowTerms {
  static constexpr std::size_t count = pass == Pass::value ? 1 : 2;
  const L& loss;

  HWY_INLINE Sums<count> operator()(const double* row, const double* q, std::size_t size,
                                    double v) const {
    const Doubles d;
    const Vec centre = hn::Set(d, v);
    Sums<count> sums = zero_sums<count>();
    for_each_vector(size, [&](std::size_t k, std::size_t i) HWY_ATTR {
      const VectorPoint point = at(loss, d, hn::Sub(hn::LoadU(d, row + i), centre));
      const Vec weight = hn::LoadU(d, q + i);
      Vec& value = sums.sum[0].part[k];
      value = mul_add(weight, point.value, value);
      if constexpr (count == 2) {
        Vec& slope = sums.sum[1].part[k];
        slope = mul_add(weight, point.left_slope, slope);
      }
    });
    return sums;
  }

  HWY_INLINE LossPoint finish(const Sums<count>& sums) const {
    return {sums.sum[0].sum(), count == 2 ? sums.sum[count - 1].sum() : 0.0};
  }
};

/// A user-defined loss: one virtual call per row, its result in the first lane.
template <Pass pass>
struct RowTerms<CustomLoss, pass> {
  static constexpr std::size_t count = 2;
  const CustomLoss& loss;

  HWY_INLINE Sums<count> operator()(const double* row, const double* q, std::size_t size,
                                    double v) const {
    const LossPoint point = loss.expected({{row, size}, {q, size}}, v);
    return {{first_lane(&point.value), first_lane(&point.left_slope)}};
  }

  HWY_INLINE LossPoint finish(const Sums<count>& sums) const {
    return {sums.sum[0].sum(), sums.sum[1].sum()};
  }
};

/// Rows y_1 = first..last of an innermost binomial, each a row of targets.
template <class L, Pass pass>
struct TargetRows {
  TargetRows(const L& l, const TargetLayer& targets, double at) : terms{l}, layer(targets), v(at) {}

  static constexpr std::size_t count = RowTerms<L, pass>::count;
  static constexpr RowKind kind = RowKind::targets;
  RowTerms<L, pass> terms;
  const TargetLayer& layer;
  double v;

  HWY_INLINE Sums<count> row(std::size_t index) const {
    return terms(layer.rows + index * layer.stride, layer.weights, layer.stride, v);
  }
  HWY_INLINE Sums<count> operator()(std::size_t first_row,
                                    const NestedBinomials::Weights& weights) const {
    const double* at = layer.rows + first_row * layer.stride;
    Sums<count> sums = zero_sums<count>();
    for (std::size_t i = 0; i <= weights.last - weights.first; ++i, at += layer.stride) {
      add(sums, weights.at_first[i], terms(at, layer.weights, layer.stride, v));
    }
    return sums;
  }
  /// The ways to place units on the three oldest ages; `first` is the row of Y_3 = Y_1 = 0.
  HWY_INLINE void add_triples(Sums<count>& sums, std::span<const NestedBinomials::Triple> triples,
                              std::size_t s_2, std::size_t first) const {
    for (const NestedBinomials::Triple& triple : triples) {
      const std::size_t index = first + triple.rest - triple.y_3 * s_2;
      add(sums, triple.weight, row(index));
    }
  }
  /// Demands that empty the stock are the same for all rows.
  HWY_INLINE void add_emptying_demands(Sums<count>& sums) const {
    add(sums, 1.0,
        terms(layer.empty_targets.data(), layer.empty_weights.data(), layer.empty_targets.size(),
              v));
  }
  LossPoint finish(const Sums<count>& sums) const { return terms.finish(sums); }
};

/// The expectile, the most common loss. Its ℓ(u) = (1-τ) u + (2τ-1) u⁺ with u = G - v needs no
/// selection between slopes: E u comes from the rows' means, and E u⁺ = E max(G, v) - v takes two
/// instructions per vector. Rows of known length need no inner loop.
template <Pass pass>
struct TargetRows<Expectile, pass> {
  static constexpr std::size_t count = pass == Pass::value ? 2 : 3;  // E G, E max(G, v), P(G > v)
  static constexpr RowKind kind = RowKind::targets;
  const Expectile& loss;
  const TargetLayer& layer;
  double v;

  HWY_INLINE Sums<count> row(std::size_t index) const {
    Sums<count> sums = of_row(layer.rows + index * layer.stride, layer.weights, layer.stride);
    sums.sum[0] = first_lane(layer.means + index);
    return sums;
  }
  HWY_INLINE Sums<count> operator()(std::size_t first_row,
                                    const NestedBinomials::Weights& weights) const {
    Sums<count> sums = zero_sums<count>();
    for (std::size_t i = 0; i <= weights.last - weights.first; ++i) {
      add(sums, weights.at_first[i], row(first_row + i));
    }
    return sums;
  }
  HWY_INLINE void add_triples(Sums<count>& sums, std::span<const NestedBinomials::Triple> triples,
                              std::size_t s_2, std::size_t first) const {
    switch (layer.stride / row_lanes) {
      case 1:
        return add_triples_of<1>(sums, triples, s_2, first);
      case 2:
        return add_triples_of<2>(sums, triples, s_2, first);
      case 3:
        return add_triples_of<3>(sums, triples, s_2, first);
      case 4:
        return add_triples_of<4>(sums, triples, s_2, first);
      case 5:
        return add_triples_of<5>(sums, triples, s_2, first);
      case 6:
        return add_triples_of<6>(sums, triples, s_2, first);
      default:
        for (const NestedBinomials::Triple& triple : triples) {
          add(sums, triple.weight, row(first + triple.rest - triple.y_3 * s_2));
        }
    }
  }
  HWY_INLINE void add_emptying_demands(Sums<count>& sums) const {
    Sums<count> empty =
        of_row(layer.empty_targets.data(), layer.empty_weights.data(), layer.empty_targets.size());
    empty.sum[0] = first_lane(&layer.empty_mean);
    add(sums, 1.0, empty);
  }
  LossPoint finish(const Sums<count>& sums) const {
    const double low = loss.pieces()[0].slope;
    const double more = loss.pieces()[1].slope - low;
    return {low * (sums.sum[0].sum() - v) + more * (sums.sum[1].sum() - v),
            count == 3 ? low + more * sums.sum[count - 1].sum() : 0.0};
  }

 private:
  HWY_INLINE Sums<count> of_row(const double* row, const double* q, std::size_t size) const {
    const Doubles d;
    const Vec centre = hn::Set(d, v);
    Sums<count> sums = zero_sums<count>();
    for_each_vector(size, [&](std::size_t k, std::size_t i) HWY_ATTR {
      const Vec target = hn::LoadU(d, row + i);
      const Vec weight = hn::LoadU(d, q + i);
      Vec& beyond = sums.sum[1].part[k];
      beyond = mul_add(weight, max_of(target, centre), beyond);
      if constexpr (count == 3) {
        Vec& above = sums.sum[2].part[k];
        above = hn::Add(above, hn::IfThenElseZero(hn::Gt(target, centre), weight));
      }
    });
    return sums;
  }

  /// For rows of this many times four numbers.
  template <std::size_t fours>
  HWY_INLINE void add_triples_of(Sums<count>& sums,
                                 std::span<const NestedBinomials::Triple> triples, std::size_t s_2,
                                 std::size_t first) const {
    for (std::size_t k = 0; k < RowSum::parts; ++k) {
      add_part_of_triples<fours>(sums, triples, k, first, s_2);
    }
  }

  /// All sums are named variables, which keeps them in registers.
  template <std::size_t fours>
  HWY_INLINE void add_part_of_triples(Sums<count>& sums,
                                      std::span<const NestedBinomials::Triple> triples,
                                      std::size_t k, std::size_t first, std::size_t s_2) const {
    const Doubles d;
    const Vec centre = hn::Set(d, v);
    const double* const q = layer.weights + k * width;
    double mean = 0.0;
    Vec beyond = sums.sum[1].part[k];
    Vec above = sums.sum[count - 1].part[k];
    for (const NestedBinomials::Triple& triple : triples) {
      const std::size_t index = first + triple.rest - triple.y_3 * s_2;
      const double* const row = layer.rows + index * (fours * row_lanes) + k * width;
      Vec row_beyond = hn::Zero(d);
      Vec row_above = hn::Zero(d);
#pragma GCC unroll 6
      for (std::size_t i = 0; i < fours; ++i) {
        const Vec target = hn::LoadU(d, row + i * row_lanes);
        const Vec weight = hn::LoadU(d, q + i * row_lanes);
        row_beyond = mul_add(weight, max_of(target, centre), row_beyond);
        if constexpr (count == 3) {
          row_above = hn::Add(row_above, hn::IfThenElseZero(hn::Gt(target, centre), weight));
        }
      }
      const Vec w = hn::Set(d, triple.weight);
      if (k == 0) mean += triple.weight * layer.means[index];
      beyond = mul_add(w, row_beyond, beyond);
      if constexpr (count == 3) above = mul_add(w, row_above, above);
    }
    if (k == 0) sums.sum[0].part[0] = hn::Add(sums.sum[0].part[0], load_first(d, &mean, 1));
    sums.sum[1].part[k] = beyond;
    if constexpr (count == 3) sums.sum[2].part[k] = above;
  }
};

/// The same for rows replaced by their risk R: sums of weight·f(R - v), f = id or expm1.
template <class L>
struct RiskRows {
  static constexpr std::size_t count = 1;
  static constexpr RowKind kind = RowKind::risks;
  const L& loss;
  const TargetLayer& layer;
  double v;

  HWY_INLINE Vec term(Doubles d, Vec u) const {
    if constexpr (std::is_same_v<L, Mean>) {
      return u;
    } else {
      // 600 keeps the exponential finite; the caller accounts for capped terms.
      return in_lanes::expm1(d, min_of(hn::Mul(hn::Set(d, loss.beta()), u), hn::Set(d, 600.0)));
    }
  }
  HWY_INLINE Sums<1> row(std::size_t index) const {
    const Doubles d;
    const double risk = hn::GetLane(term(d, hn::Set(d, layer.rows[index] - v)));
    return {{first_lane(&risk)}};
  }
  HWY_INLINE Sums<1> operator()(std::size_t first_row,
                                const NestedBinomials::Weights& weights) const {
    const Doubles d;
    const Vec centre = hn::Set(d, v);
    const double* const at = layer.rows + first_row;
    RowSum sum = zero_sum<RowSum>();
    for_each_vector(weights.last - weights.first + 1, [&](std::size_t k, std::size_t i) HWY_ATTR {
      const Vec u = hn::Sub(hn::LoadU(d, at + i), centre);
      sum.part[k] = mul_add(hn::LoadU(d, weights.at_first + i), term(d, u), sum.part[k]);
    });
    return {{sum}};
  }
  void add_emptying_demands(Sums<1>&) const {}  // already included in a row's risk
  LossPoint finish(const Sums<1>& sums) const { return {sums.sum[0].sum(), 1.0}; }
};

template <class L, Pass pass>
using RowsOf = std::conditional_t<std::is_same_v<L, Mean> || std::is_same_v<L, Entropic>,
                                  RiskRows<L>, TargetRows<L, pass>>;

}  // namespace shortfall::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SHORTFALL_INVENTORY_ROW_SUMS_INL_HPP
