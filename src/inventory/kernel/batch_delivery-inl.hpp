// Expectations over deliveries, for many stocks at a time: compiled once for each instruction set.
#if defined(SHORTFALL_INVENTORY_BATCH_DELIVERY_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SHORTFALL_INVENTORY_BATCH_DELIVERY_INL_HPP
#undef SHORTFALL_INVENTORY_BATCH_DELIVERY_INL_HPP
#else
#define SHORTFALL_INVENTORY_BATCH_DELIVERY_INL_HPP
#endif

#include <cstddef>
#include <cstdint>
#include <span>

#include "inventory/kernel/row_sums-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace shortfall::HWY_NAMESPACE {

using inventory::BackupJob;
using inventory::inner_ages;

/// The part of a delivery Y of z units to a stock x that has few periods left.
template <class Rows>
struct InnerDelivery {
  const Rows& rows;
  const std::uint32_t* x;              // x[i] units with i periods left, i = 1..m
  const inventory::StockIndex& index;  // of w
  const NestedBinomials& arrivals;
  std::size_t z;
  using Sum = Sums<Rows::count>;

  const NestedBinomials::Weights& weights_of(std::size_t i, std::size_t r) const {
    return arrivals.weights(z, i, r);
  }

  /// r units with at most i periods left are still to be placed; s is the total of these ages, and
  /// `row` the contribution of the fresher ages to the row number.
  HWY_INLINE Sum pair(std::size_t r, std::size_t row) const {
    const auto& w = weights_of(2, r);
    return rows(row + x[1] + w.first, w);
  }
  HWY_INLINE Sum triple(std::size_t s, std::size_t r, std::size_t row) const {
    Sum sums = zero_sums<Rows::count>();
    const std::size_t s_2 = s - x[3];
    if constexpr (Rows::kind == RowKind::risks) {
      const auto& w = weights_of(3, r);
      const std::uint32_t* const term = index.terms(2) + s_2;
      for (std::size_t y = w.first; y <= w.last; ++y) {
        add(sums, w.at_first[y - w.first], pair(r - y, row + *(term - y)));
      }
    } else {
      rows.add_triples(sums, arrivals.triples(z, r), s_2, row + s_2 * (s_2 + 1) / 2 + x[1]);
    }
    return sums;
  }
  Sum ages(std::size_t i, std::size_t s, std::size_t r, std::size_t row) const {
    if (i == 2) return pair(r, row);
    if (i == 3) return triple(s, r, row);
    const auto& w = weights_of(i, r);
    const std::uint32_t* const term = index.terms(i - 1);
    Sum sums = zero_sums<Rows::count>();
    std::size_t below = s - x[i] - w.first;
    for (std::size_t y = w.first; y <= w.last; ++y, --below) {
      add(sums, w.at_first[y - w.first],
          i == 4 ? triple(below, r - y, row + term[below])
                 : ages(i - 1, below, r - y, row + term[below]));
    }
    return sums;
  }
};

/// Stocks of the same total with consecutive ranks.
struct Batch {
  static constexpr std::size_t max_size = inventory::largest_batch;
  std::size_t first_rank;
  std::size_t total;
  std::size_t size;
  const TargetLayer* without_order;                              ///< by member
  std::uint32_t x[max_size][inventory::longest_shelf_life + 1];  ///< as in InnerDelivery
};

/// E ℓ(U - v) for one member: the point v and the result.
struct Query {
  std::uint32_t member;
  double v;
  LossPoint expected = {0.0, 0.0};
};

/// Evaluates the queries of a batch for one order z, without the order cost.
template <class L, Pass pass>
class BatchDelivery {
  using Rows = RowsOf<L, pass>;

 public:
  BatchDelivery(const L& loss, const BackupJob& job, const Batch& batch, std::size_t z)
      : loss_(loss),
        job_(job),
        batch_(batch),
        z_(z),
        layer_(z == 0 ? *batch.without_order : job.layers[batch.total + z]) {}

  void evaluate(std::span<Query> queries) {
    queries_ = queries;
    const std::size_t m = job_.model->shelf_life();
    if (z_ == 0 || m == 1) {
      for (std::size_t q = 0; q < queries.size(); ++q) sums_[q] = single_row(queries[q]);
    } else if (job_.coarse && job_.coarse->replaces(z_)) {
      coarse_deliveries();
    } else {
      Member all[Batch::max_size];
      for (std::size_t q = 0; q < queries.size(); ++q) {
        sums_[q] = zero_sums<Rows::count>();
        all[q] = {static_cast<std::uint32_t>(q), static_cast<std::uint32_t>(z_), 1.0};
      }
      fresh_ages(m, batch_.total + z_, 0, {all, queries.size()});
    }
    for (std::size_t q = 0; q < queries.size(); ++q) {
      const Rows rows = rows_at(queries[q]);
      rows.add_emptying_demands(sums_[q]);
      queries[q].expected = rows.finish(sums_[q]);
    }
  }

 private:
  /// A query with r units still to be placed; `weight` is that of its fresher ages.
  struct Member {
    std::uint32_t query;
    std::uint32_t r;
    double weight;
  };

  Rows rows_at(const Query& query) const { return Rows{loss_, layer_, query.v}; }

  Sums<Rows::count> single_row(const Query& query) const {
    return rows_at(query).row(z_ == 0 ? query.member : 0);
  }

  /// The points of a coarse law one after the other, each for all queries: stocks of consecutive
  /// ranks with the same delivery have adjacent rows.
  void coarse_deliveries() {
    const inventory::StockIndex& index = job_.delivered->index();
    const std::size_t m = job_.model->shelf_life();
    std::uint8_t x[Batch::max_size][inventory::longest_shelf_life];  // cumulative sums
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      std::uint32_t s = 0;
      for (std::size_t i = 1; i < m; ++i) {
        x[q][i - 1] = static_cast<std::uint8_t>(s += batch_.x[queries_[q].member][i]);
      }
      sums_[q] = zero_sums<Rows::count>();
    }
    const std::span<const inventory::CoarseDeliveries::Point> points = job_.coarse->points(z_);
    const double weight = 1.0 / static_cast<double>(points.size());
    for (const inventory::CoarseDeliveries::Point& y : points) {
      const std::uint32_t* terms[inventory::longest_shelf_life];
      for (std::size_t i = 1; i < m; ++i) terms[i - 1] = index.terms(i) + y[i - 1];
      for (std::size_t q = 0; q < queries_.size(); ++q) {
        std::size_t row = 0;
        for (std::size_t i = 0; i + 1 < m; ++i) row += terms[i][x[q][i]];
        add(sums_[q], weight, rows_at(queries_[q]).row(row));
      }
    }
  }

  /// All stocks after delivery whose ages above i are fixed: s is the total of the others.
  void fresh_ages(std::size_t i, std::size_t s, std::size_t row, std::span<const Member> members) {
    if (i <= inner_ages(Rows::kind)) return inner(i, s, row, members);
    const std::uint32_t* const term = job_.delivered->index().terms(i - 1);
    Member chosen[Batch::max_size];
    for (std::size_t w = 0; w <= s; ++w) {
      std::size_t count = 0;
      for (const Member& member : members) {
        const auto& weights = job_.arrivals->weights(z_, i, member.r);
        const std::size_t least = batch_.x[queries_[member.query].member][i];
        if (w < least + weights.first || w > least + weights.last) continue;
        const std::size_t y = w - least;
        chosen[count++] = {member.query, member.r - static_cast<std::uint32_t>(y),
                           member.weight * weights.at_first[y - weights.first]};
      }
      if (count > 0) fresh_ages(i - 1, s - w, row + term[s - w], {chosen, count});
    }
  }

  void inner(std::size_t i, std::size_t s, std::size_t row, std::span<const Member> members) {
    for (const Member& member : members) {
      const Query& query = queries_[member.query];
      const Rows rows = rows_at(query);
      const InnerDelivery<Rows> delivery{rows, batch_.x[query.member], job_.delivered->index(),
                                         *job_.arrivals, z_};
      add(sums_[member.query], member.weight, delivery.ages(i, s, member.r, row));
    }
  }

  const L& loss_;
  const BackupJob& job_;
  const Batch& batch_;
  std::size_t z_;
  const TargetLayer& layer_;
  std::span<Query> queries_;
  Sums<Rows::count> sums_[Batch::max_size];
};

}  // namespace shortfall::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SHORTFALL_INVENTORY_BATCH_DELIVERY_INL_HPP
