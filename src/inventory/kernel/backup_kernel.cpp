#include "inventory/kernel/backup_kernel.hpp"

// Rows are short: vectors of more than four doubles would mostly hold padding. Better targets have
// lower bits. Processors without AVX2 predate 2013, and use the scalar code.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS ((HWY_AVX2 - 1) | HWY_SSE4 | HWY_SSSE3 | SHORTFALL_SCALABLE_TARGETS)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "inventory/kernel/backup_kernel.cpp"
#include <hwy/foreach_target.h>  // must precede highway.h

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "inventory/kernel/batch_delivery-inl.hpp"
#include "inventory/model/cumulative_stock.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/numbers/portable_math.hpp"

HWY_BEFORE_NAMESPACE();
namespace shortfall::HWY_NAMESPACE {

using inventory::BackupSummary;
using inventory::CumulativeStock;
using inventory::RootEnclosure;
using inventory::RootHint;
using inventory::RootSearch;
using inventory::StockRange;

/// A batch of states: the roots of given orders, or of the best ones.
template <class L>
class BatchBackup {
 public:
  BatchBackup(const L& loss, const BackupJob& job, const StockRange& stocks,
              const TargetLayer& without_order)
      : loss_(loss),
        job_(job),
        shape_{loss.slope_bounds(), is_convex(loss), is_concave(loss)},
        first_own_(stocks.first_own) {
    const std::size_t begin = stocks.begin;
    CumulativeStock x(job.model->stocks(), begin);
    batch_.first_rank = begin;
    batch_.total = stocks.total;
    batch_.size = stocks.end - begin;
    batch_.without_order = &without_order;
    for (std::size_t member = 0; member < batch_.size; ++member, x.advance()) {
      for (std::size_t i = 1; i <= inventory::longest_shelf_life; ++i) {
        const bool has_age = i < job.model->shelf_life();
        batch_.x[member][i] = has_age ? static_cast<std::uint32_t>(x.amount(i)) : 0;
      }
      order_[member] = static_cast<std::size_t>(job.orders[begin + member]);
      found_[member].root = job.values[begin + member] - correction_of(member);
    }
  }

  BackupSummary run() {
    find_roots_of_given_orders();
    if (job_.bounds) {
      for (std::size_t member = 0; member < batch_.size; ++member) {
        keep_bound(member, order_[member], found_[member].lower);
      }
      const std::size_t largest = job_.model->largest_order(job_.day, batch_.total);
      for (std::size_t z = 0; z <= largest; ++z) take_where_better(z);
    }
    return write();
  }

 private:
  using Members = std::span<const std::uint32_t>;

  void find_roots_of_given_orders() {
    std::uint32_t members[Batch::max_size];
    const std::size_t largest = job_.model->largest_order(job_.day, batch_.total);
    for (std::size_t z = 0; z <= largest; ++z) {
      std::size_t count = 0;
      for (std::uint32_t member = 0; member < batch_.size; ++member) {
        if (order_[member] == z) members[count++] = member;
      }
      find_roots(z, {members, count});
    }
  }

  double correction_of(std::size_t member) const {
    return job_.correction ? job_.correction[first_own_ + member] : 0.0;
  }

  std::uint64_t deliveries(std::size_t z) const {
    const bool replaced = job_.coarse && job_.coarse->replaces(z);
    return replaced ? job_.coarse->points(z).size() : job_.arrivals->deliveries(z);
  }

  /// The part of a root that is not in its targets.
  double fixed_part(std::size_t z) const { return job_.base + job_.model->order_cost(job_.day, z); }

  /// The risk of order z for these members, starting from their guesses in found_.
  void find_roots(std::size_t z, Members members) {
    if (members.empty()) return;
    const double fixed = fixed_part(z);
    RootSearch search[Batch::max_size];
    Query open[Batch::max_size];
    std::size_t count = 0;
    for (const std::uint32_t member : members) {
      search[member] = RootSearch(
          {found_[member].root - fixed, job_.lowest_target, job_.highest_target}, job_.goal);
      open[count++] = {member, search[member].point()};
    }
    BatchDelivery<L, Pass::value_and_slope> delivery(loss_, job_, batch_, z);
    while (count > 0) {
      delivery.evaluate({open, count});
      rows_ += count * deliveries(z);
      std::size_t still_open = 0;
      for (std::size_t q = 0; q < count; ++q) {
        const std::uint32_t member = open[q].member;
        if (search[member].update(hint(z, open[q].v + fixed, open[q].expected))) {
          const RootEnclosure& found = search[member].found();
          found_[member] = {found.root + fixed, found.lower + fixed, found.upper + fixed};
        } else {
          open[still_open++] = {member, search[member].point()};
        }
      }
      count = still_open;
    }
  }

  /// Order z needs a root only if one pass shows that it is better than the best so far: E ℓ(U -
  /// v) < 0. Risks that differ only by rounding count as equal, and ties go to the smaller order.
  void take_where_better(std::size_t z) {
    const double fixed = fixed_part(z);
    Query queries[Batch::max_size];
    std::size_t count = 0;
    for (std::uint32_t member = 0; member < batch_.size; ++member) {
      const RootEnclosure& best = found_[member];
      if (z == order_[member] || is_excluded(member, z)) continue;
      const double tie = 16.0 * std::numeric_limits<double>::epsilon() * std::abs(best.root);
      queries[count++] = {member, best.root - fixed + (z < order_[member] ? tie : -tie)};
    }
    if (count == 0) return;
    // The slope gives a much better bound for a convex loss, and none for others.
    if (shape_.convex && has_bounds()) {
      BatchDelivery<L, Pass::value_and_slope>(loss_, job_, batch_, z).evaluate({queries, count});
    } else {
      BatchDelivery<L, Pass::value>(loss_, job_, batch_, z).evaluate({queries, count});
    }
    rows_ += count * deliveries(z);
    std::uint32_t better[Batch::max_size];
    std::size_t better_count = 0;
    for (const Query& query : std::span(queries, count)) {
      const double r = query.expected.value;
      keep_bound(query.member, z,
                 query.v + fixed + hint(z, query.v + fixed, query.expected).shortest);
      if (r < 0.0 || (r == 0.0 && z < order_[query.member])) {
        better[better_count++] = query.member;
        order_[query.member] = z;
      }
    }
    find_roots(z, {better, better_count});
    for (const std::uint32_t member : Members(better, better_count)) {
      keep_bound(member, z, found_[member].lower);
    }
  }

  /// What E ℓ(U - v) implies for the risk of order z.
  RootHint hint(std::size_t z, double v, const LossPoint& point) const {
    if constexpr (std::is_same_v<L, Mean>) {
      return {point.value, point.value, point.value};
    } else if constexpr (std::is_same_v<L, Entropic>) {
      return entropic_hint(z, v, point.value);
    } else {
      return inventory::hint_of(point, shape_);
    }
  }

  /// From the sum S of weight·expm1(β (R - v)): exact near the root, since an error of θ (S + 2) in
  /// S is one of at most 3θ in log(1 + S) if S ≥ -1/2. Far above the root all terms vanish next to
  /// the 1, and far below it some may have been capped at e^600. A capped term has a weight below
  /// 10 e^-600 if the sum is at most 10. If weights may be that small, all that is known is that it
  /// adds at most the highest target's distance, less 550/β, to the step.
  RootHint entropic_hint(std::size_t z, double v, double sum) const {
    const double beta = loss_.beta();
    const double step = portable::log1p(std::max(sum, -1.0 + 1e-9)) / beta;
    if (sum > 10.0) return {step, step, infinity};
    const double unseen =
        job_.arrivals->has_tiny_weights(z)
            ? std::max(0.0, job_.highest_target - (v - fixed_part(z)) - 550.0 / beta)
            : 0.0;
    if (sum < -0.5) {
      const double at_most = portable::log1p(std::max(sum, -1.0) + 2e-9) / beta;
      return {step, -infinity, at_most + unseen};
    }
    return {step, step, step + unseen};
  }

  float& bound_of(std::size_t member, std::size_t z) const {
    return job_.bounds->lower[(first_own_ + member) * job_.bounds->orders + z];
  }
  bool has_bounds() const { return !job_.bounds->lower.empty(); }
  bool is_excluded(std::size_t member, std::size_t z) const {
    if (!has_bounds()) return false;
    const float bound = bound_of(member, z);
    const auto& [lower, orders, drop, unlikely_above, margin] = *job_.bounds;
    return bound - drop > found_[member].upper ||
           (!unlikely_above.empty() && bound > unlikely_above[first_own_ + member] + margin);
  }
  void keep_bound(std::size_t member, std::size_t z, double bound) const {
    if (!has_bounds()) return;
    constexpr double most = std::numeric_limits<float>::max();
    const double stored = std::clamp(bound + job_.bounds->drop, -most, most);
    bound_of(member, z) =
        std::nextafter(static_cast<float>(stored), -std::numeric_limits<float>::infinity());
  }

  BackupSummary write() {
    BackupSummary summary;
    for (std::size_t member = 0; member < batch_.size; ++member) {
      const std::size_t x = batch_.first_rank + member;
      const double risk = found_[member].root + correction_of(member);
      const double change = risk - job_.values[x];
      job_.backed_up[x] = risk;
      job_.orders[x] = static_cast<ActionIndex>(order_[member]);
      summary.merge({change, change, found_[member].error(), 0, std::isfinite(risk)});
    }
    summary.rows = rows_;
    return summary;
  }

  const L& loss_;
  const BackupJob& job_;
  inventory::LossShape shape_;
  std::size_t first_own_;
  Batch batch_;
  std::size_t order_[Batch::max_size];
  RootEnclosure found_[Batch::max_size];
  std::uint64_t rows_ = 0;
};

BackupSummary any_backup(const AnyLoss& any_loss, const BackupJob& job, const StockRange& stocks,
                         const TargetLayer& without_order) {
  return std::visit(
      [&](const auto& loss) {
        using L = std::remove_cvref_t<decltype(loss)>;
        return BatchBackup<L>(loss, job, stocks, without_order).run();
      },
      any_loss.variant());
}

/// E G(w, D) for the rows of a run, each in a lane: a sum by lanes within a row would take longer
/// than the row. `targets` has those of the demands that leave nothing.
void run_means(const inventory::FillJob& job, const inventory::RowTargets& row_targets,
               const inventory::RowRun& run, const double* targets, double* means) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const double* const q = job.demand.data();
  const double* const holding = row_targets.holding();
  const double* const later = row_targets.later();
  const std::size_t width = std::min(row_targets.width(), job.demand.size());
  const Vec wastage = hn::Set(d, job.model->cost(job.day).wastage);
  const std::size_t rows = run.end - run.begin;
  for (std::size_t row = 0; row < rows; row += lanes) {
    const std::size_t least = run.first_expiring + row;
    const Vec expiring = hn::Iota(d, static_cast<double>(least));
    const Vec later_if_some_expire = hn::LoadU(d, later + least);
    Vec sum = hn::Zero(d);
    std::size_t k = 0;
    for (; k < std::min(least, width); ++k) {
      const Vec expired = hn::Sub(expiring, hn::Set(d, static_cast<double>(k)));
      const Vec kept = hn::Add(hn::Set(d, holding[k]), later_if_some_expire);
      sum = mul_add(hn::Set(d, q[k]), mul_add(wastage, expired, kept), sum);
    }
    for (; k < std::min(least + lanes - 1, width); ++k) {  // some expire in the last lanes only
      const Vec demand = hn::Set(d, static_cast<double>(k));
      const Vec expired = max_of(hn::Sub(expiring, demand), hn::Zero(d));
      const Vec after =
          hn::IfThenElse(hn::Gt(expiring, demand), later_if_some_expire, hn::Set(d, later[k]));
      const Vec kept = hn::Add(hn::Set(d, holding[k]), after);
      sum = mul_add(hn::Set(d, q[k]), mul_add(wastage, expired, kept), sum);
    }
    for (; k < width; ++k) {
      sum = mul_add(hn::Set(d, q[k]), hn::Set(d, holding[k] + later[k]), sum);
    }
    for (; k < job.demand.size(); ++k) {
      sum = mul_add(hn::Set(d, q[k]), hn::Set(d, targets[k]), sum);
    }
    HWY_ALIGN double of_lane[hn::MaxLanes(d)];
    hn::Store(sum, d, of_lane);
    std::copy_n(of_lane, std::min(lanes, rows - row), means + row);
  }
}

/// The risk of each row over D, including all demands.
void any_fill_risks(const AnyLoss& any_loss, const inventory::FillJob& job,
                    const inventory::RowRange& range, double* risks) {
  std::array<double, inventory::largest_demand + 1> targets;
  const std::size_t width = job.delivered->width(range.t);
  const std::size_t count = std::max(width, job.demand.size());
  const Law law{{targets.data(), job.demand.size()}, job.demand};
  for (std::size_t d = width; d < count; ++d) {
    targets[d] = job.model->period_cost(job.day, {range.t, 0}, d);
  }
  const auto* const entropic = std::get_if<Entropic>(&any_loss.variant());
  inventory::RowTargets row_targets(job, range.t);
  job.delivered->for_each_run(range, [&](const inventory::RowRun& run) {
    row_targets.begin_run(run);
    double* const of_run = risks + (run.begin - range.begin);
    if (!entropic) return run_means(job, row_targets, run, targets.data(), of_run);
    for (std::size_t row = 0; row < run.end - run.begin; ++row) {
      row_targets.write(run.first_expiring + row, targets.data());
      of_run[row] = entropic_risk(*entropic, law, summarise(law));
    }
  });
}

}  // namespace shortfall::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace shortfall::inventory {

// HWY_EXPORT would look up its table by an inline function that depends on the targets of a source.
// Where nothing is inlined, the linker keeps one copy of it for all sources: a wrong one for some.
// The processor is asked once: asked for each batch, a solution of a fifth of a second took a fifth
// longer on a virtual machine, which traps the question.
#if (HWY_TARGETS & HWY_AVX2) && HWY_STATIC_TARGET != HWY_AVX2
#define SHORTFALL_BEST(function) \
  ((hwy::SupportedTargets() & HWY_AVX2) != 0 ? &N_AVX2::function : &HWY_STATIC_DISPATCH(function))
#else
#define SHORTFALL_BEST(function) (&HWY_STATIC_DISPATCH(function))
#endif

BackupSummary backup_batch(const AnyLoss& loss, const BackupJob& job, const StockRange& stocks,
                           const TargetLayer& without_order) {
  static const auto best = SHORTFALL_BEST(any_backup);
  return best(loss, job, stocks, without_order);
}

void fill_risks(const AnyLoss& loss, const FillJob& job, const RowRange& range, double* risks) {
  static const auto best = SHORTFALL_BEST(any_fill_risks);
  best(loss, job, range, risks);
}

void fill_targets(const FillJob& job, const RowRange& range, double* rows, double* means) {
  const std::size_t stride = job.delivered->stride(range.t);
  const std::size_t count = std::min(job.delivered->width(range.t), job.demand.size());
  RowTargets row_targets(job, range.t);
  job.delivered->for_each_run(range, [&](const RowRun& run) {
    row_targets.begin_run(run);
    for (std::size_t row = run.begin; row < run.end; ++row) {
      double* const targets = rows + (row - range.begin) * stride;
      row_targets.write(run.first_expiring + row - run.begin, targets);
      std::fill(targets + row_targets.width(), targets + stride, 0.0);
      if (!means) continue;
      means[row - range.begin] =
          std::inner_product(targets, targets + count, job.demand.begin(), 0.0);
    }
  });
}

RowKind row_kind(const AnyLoss& loss) {
  const bool tower = std::holds_alternative<Mean>(loss.variant()) ||
                     std::holds_alternative<Entropic>(loss.variant());
  return tower ? RowKind::risks : RowKind::targets;
}

void BackupSummary::merge(const BackupSummary& other) {
  lowest_change = std::min(lowest_change, other.lowest_change);
  highest_change = std::max(highest_change, other.highest_change);
  root_error = std::max(root_error, other.root_error);
  rows += other.rows;
  finite = finite && other.finite;
}

}  // namespace shortfall::inventory
#endif  // HWY_ONCE
