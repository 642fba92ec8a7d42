#include "dp/sweep_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dp/sweep_kernel.cpp"
#include <hwy/foreach_target.h>  // must precede highway.h

#include <hwy/highway.h>

#include "risk/vector_risk-inl.hpp"
#include "shortfall/infinity.hpp"

HWY_BEFORE_NAMESPACE();
namespace shortfall {
namespace HWY_NAMESPACE {

using detail::SweepJob;

/// Targets x_j = c_j + γ V(next_j) of one row, written to `x` unless only the mean is needed. The
/// mean is taken relative to the first target, so that its error scales with the spread of the
/// targets and not with their magnitude.
template <bool only_mean>
HWY_INLINE LawSummary targets(const SweepJob& job, std::size_t row, double* x) {
  const Doubles d;
  const hn::Rebind<std::uint32_t, Doubles> d_index;
  const hn::RebindToUnsigned<Doubles> d_wide;
  const hn::RebindToSigned<Doubles> d_signed;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t begin = job.row_begin[row];
  const std::size_t count = job.row_begin[row + 1] - begin;
  const double* const p = job.probability + begin;
  const double* const c = job.cost + begin;
  const std::uint32_t* const next = job.next + begin;
  const Vec gamma = hn::Set(d, job.gamma);

  const double first = c[0] + job.gamma * job.values[next[0]];
  const Vec centre = hn::Set(d, first);
  Vec min = centre;
  Vec max = centre;
  Vec mean = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto index = hn::BitCast(d_signed, hn::PromoteTo(d_wide, hn::LoadU(d_index, next + i)));
    const Vec target =
        hn::MulAdd(gamma, hn::GatherIndex(d, job.values, index), hn::LoadU(d, c + i));
    mean = hn::MulAdd(hn::LoadU(d, p + i), hn::Sub(target, centre), mean);
    if constexpr (!only_mean) {
      min = hn::Min(min, target);
      max = hn::Max(max, target);
      hn::StoreU(target, d, x + i);
    }
  }
  LawSummary summary{0.0, 0.0, sum_of(d, mean)};
  if constexpr (!only_mean) {
    summary.min = hn::GetLane(hn::MinOfLanes(d, min));
    summary.max = hn::GetLane(hn::MaxOfLanes(d, max));
  }
  for (; i < count; ++i) {
    const double target = c[i] + job.gamma * job.values[next[i]];
    summary.mean += p[i] * (target - first);
    if constexpr (!only_mean) {
      summary.min = std::min(summary.min, target);
      summary.max = std::max(summary.max, target);
      x[i] = target;
    }
  }
  summary.mean += first;
  return summary;
}

struct RowRange {
  std::size_t begin;
  std::size_t end;
};

HWY_INLINE RowRange rows_of(const SweepJob& job, std::size_t x) {
  std::size_t first = x;
  if (job.chosen_rows) {
    first = job.chosen_rows[x];
    if (first == no_row) return {0, 0};
  } else if (job.state_begin) {
    return {job.state_begin[x], job.state_begin[x + 1]};
  }
  const bool empty = job.row_begin[first] == job.row_begin[first + 1];
  return {first, empty ? first : first + 1};
}

struct Backup {
  double value;     ///< the smallest risk
  std::size_t row;  ///< the first row with that risk, up to rounding
};

/// The smallest risk over the rows of one state, which has at least one.
template <class L>
Backup best_of(const L& loss, const SweepJob& job, RowRange rows, double start, double* scratch) {
  constexpr bool only_mean = std::is_same_v<L, Mean>;
  constexpr double equal_within = 16.0 * std::numeric_limits<double>::epsilon();
  Backup best{0.0, rows.begin};
  double value_of_row = 0.0;
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    const bool is_first = row == rows.begin;
    const LawSummary summary = targets<only_mean>(job, row, scratch);
    const std::size_t count = job.row_begin[row + 1] - job.row_begin[row];
    const Law law{{scratch, count}, {job.probability + job.row_begin[row], count}};
    // A row that does not beat the best so far needs no root. A row that seems to beat it may still
    // come out above it by rounding, and many such errors would add up.
    if (!is_first && !may_be_below(loss, law, summary, best.value)) continue;
    const double value = risk(loss, law, summary, is_first ? start : best.value);
    if (!is_first && value >= best.value) continue;
    best.value = value;
    if (std::isnan(value)) return best;
    if (is_first || best.value < value_of_row - equal_within * std::abs(value_of_row)) {
      best.row = row;
      value_of_row = best.value;
    }
  }
  return best;
}

SweepSummary backup(const AnyLoss& any_loss, const SweepJob& job, std::size_t begin,
                    std::size_t end, double* scratch) {
  SweepSummary sweep = detail::empty_summary();
  std::visit(
      [&](const auto& loss) {
        for (std::size_t x = begin; x < end; ++x) {
          const RowRange rows = rows_of(job, x);
          const double before = job.values[x];
          const Backup best = rows.begin == rows.end ? Backup{0.0, no_row}
                                                     : best_of(loss, job, rows, before, scratch);
          job.backed_up[x] = best.value;
          if (job.greedy_rows) job.greedy_rows[x] = best.row;
          const double change = best.value - before;
          detail::merge(sweep, {change, change, best.value, best.value, std::isfinite(best.value)});
        }
      },
      any_loss.variant());
  return sweep;
}

}  // namespace HWY_NAMESPACE
}  // namespace shortfall
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace shortfall::detail {

std::size_t scratch_size(std::size_t longest_row) {
  constexpr std::size_t cache_line = 64 / sizeof(double);
  return (longest_row / cache_line + 2) * cache_line;
}

SweepSummary empty_summary() {
  return {infinity, -infinity, infinity, -infinity, true};
}

void merge(SweepSummary& summary, const SweepSummary& other) {
  summary.lowest_change = std::min(summary.lowest_change, other.lowest_change);
  summary.highest_change = std::max(summary.highest_change, other.highest_change);
  summary.lowest_value = std::min(summary.lowest_value, other.lowest_value);
  summary.highest_value = std::max(summary.highest_value, other.highest_value);
  summary.finite = summary.finite && other.finite;
}

HWY_EXPORT(backup);

SweepSummary backup_states(const AnyLoss& loss, const SweepJob& job, std::size_t begin,
                           std::size_t end, double* scratch) {
  return HWY_DYNAMIC_DISPATCH(backup)(loss, job, begin, end, scratch);
}

}  // namespace shortfall::detail
#endif  // HWY_ONCE
