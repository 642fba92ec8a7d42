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

#include "inventory/backup_kernel.hpp"
#include "risk/vector_risk-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace shortfall::HWY_NAMESPACE {

using inventory::DeliveredStock;
using inventory::NestedBinomials;
using inventory::RowKind;
using inventory::TargetLayer;

static_assert(hn::MaxLanes(Doubles()) <= DeliveredStock::lanes);

/// The sums that make up an expectation, each in the lanes of a vector.
template <std::size_t count>
struct Sums {
  Vec sum[count];
};

template <std::size_t count>
HWY_INLINE Sums<count> zero_sums() {
  Sums<count> zero;
  for (Vec& v : zero.sum) v = hn::Zero(Doubles());
  return zero;
}

template <std::size_t count>
HWY_INLINE void add(Sums<count>& sums, double weight, const Sums<count>& term) {
  const Vec w = hn::Set(Doubles(), weight);
  for (std::size_t i = 0; i < count; ++i) sums.sum[i] = hn::MulAdd(w, term.sum[i], sums.sum[i]);
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
    for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
      const VectorPoint point = at(loss, d, hn::Sub(hn::LoadU(d, row + i), centre));
      const Vec weight = hn::LoadU(d, q + i);
      sums.sum[0] = hn::MulAdd(weight, point.value, sums.sum[0]);
      if constexpr (count == 2) sums.sum[1] = hn::MulAdd(weight, point.left_slope, sums.sum[1]);
    }
    return sums;
  }

  HWY_INLINE LossPoint finish(const Sums<count>& sums) const {
    const Doubles d;
    return {sum_of(d, sums.sum[0]), count == 2 ? sum_of(d, sums.sum[count - 1]) : 0.0};
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
    HWY_ALIGN double lanes[2][DeliveredStock::lanes] = {{point.value}, {point.left_slope}};
    return {{hn::Load(Doubles(), lanes[0]), hn::Load(Doubles(), lanes[1])}};
  }

  HWY_INLINE LossPoint finish(const Sums<count>& sums) const {
    const Doubles d;
    return {sum_of(d, sums.sum[0]), sum_of(d, sums.sum[1])};
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
    switch (layer.stride / hn::Lanes(Doubles())) {
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
    const Doubles d;
    const double low = loss.pieces()[0].slope;
    const double more = loss.pieces()[1].slope - low;
    return {low * (sum_of(d, sums.sum[0]) - v) + more * (sum_of(d, sums.sum[1]) - v),
            count == 3 ? low + more * sum_of(d, sums.sum[count - 1]) : 0.0};
  }

 private:
  /// The number in the first lane, zeros in the others.
  HWY_INLINE static Vec first_lane(const double* x) { return load_first(Doubles(), x, 1); }
  HWY_INLINE Sums<count> of_row(const double* row, const double* q, std::size_t size) const {
    const Doubles d;
    const Vec centre = hn::Set(d, v);
    Sums<count> sums = zero_sums<count>();
    for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
      const Vec target = hn::LoadU(d, row + i);
      const Vec weight = hn::LoadU(d, q + i);
      sums.sum[1] = hn::MulAdd(weight, hn::Max(target, centre), sums.sum[1]);
      if constexpr (count == 3) {
        const Vec above = hn::IfThenElseZero(hn::Gt(target, centre), weight);
        sums.sum[2] = hn::Add(sums.sum[2], above);
      }
    }
    return sums;
  }

  /// For rows of this many vectors. All sums are named variables, which keeps them in registers.
  template <std::size_t vectors>
  HWY_INLINE void add_triples_of(Sums<count>& sums,
                                 std::span<const NestedBinomials::Triple> triples, std::size_t s_2,
                                 std::size_t first) const {
    const Doubles d;
    const std::size_t lanes = hn::Lanes(d);
    const Vec centre = hn::Set(d, v);
    const double* const q = layer.weights;
    double mean = 0.0;
    Vec beyond = sums.sum[1];
    Vec above = sums.sum[count - 1];
    for (const NestedBinomials::Triple& triple : triples) {
      const std::size_t index = first + triple.rest - triple.y_3 * s_2;
      const double* const row = layer.rows + index * (vectors * lanes);
      Vec row_beyond = hn::Zero(d);
      Vec row_above = hn::Zero(d);
#pragma GCC unroll 6
      for (std::size_t i = 0; i < vectors; ++i) {
        const Vec target = hn::LoadU(d, row + i * lanes);
        const Vec weight = hn::LoadU(d, q + i * lanes);
        row_beyond = hn::MulAdd(weight, hn::Max(target, centre), row_beyond);
        if constexpr (count == 3) {
          row_above = hn::Add(row_above, hn::IfThenElseZero(hn::Gt(target, centre), weight));
        }
      }
      const Vec w = hn::Set(d, triple.weight);
      mean += triple.weight * layer.means[index];
      beyond = hn::MulAdd(w, row_beyond, beyond);
      if constexpr (count == 3) above = hn::MulAdd(w, row_above, above);
    }
    sums.sum[0] = hn::Add(sums.sum[0], first_lane(&mean));
    sums.sum[1] = beyond;
    if constexpr (count == 3) sums.sum[2] = above;
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
      return hn::Expm1(d, hn::Min(hn::Mul(hn::Set(d, loss.beta()), u), hn::Set(d, 600.0)));
    }
  }
  HWY_INLINE Sums<1> row(std::size_t index) const {
    const Doubles d;
    const Vec u = hn::Set(d, layer.rows[index] - v);
    return {{hn::IfThenElseZero(hn::FirstN(d, 1), term(d, u))}};
  }
  HWY_INLINE Sums<1> operator()(std::size_t first_row,
                                const NestedBinomials::Weights& weights) const {
    const Doubles d;
    const Vec centre = hn::Set(d, v);
    const double* const at = layer.rows + first_row;
    Vec sum = hn::Zero(d);
    for (std::size_t i = 0; i <= weights.last - weights.first; i += hn::Lanes(d)) {
      const Vec u = hn::Sub(hn::LoadU(d, at + i), centre);
      sum = hn::MulAdd(hn::LoadU(d, weights.at_first + i), term(d, u), sum);
    }
    return {{sum}};
  }
  void add_emptying_demands(Sums<1>&) const {}  // already included in a row's risk
  LossPoint finish(const Sums<1>& sums) const { return {sum_of(Doubles(), sums.sum[0]), 1.0}; }
};

template <class L, Pass pass>
using RowsOf = std::conditional_t<std::is_same_v<L, Mean> || std::is_same_v<L, Entropic>,
                                  RiskRows<L>, TargetRows<L, pass>>;

}  // namespace shortfall::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SHORTFALL_INVENTORY_ROW_SUMS_INL_HPP
