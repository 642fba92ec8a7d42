// The backup of one state, one row after the other: compiled once for each instruction set by the
// sources that include it between Highway's foreach_target.h and HWY_AFTER_NAMESPACE.
#if defined(SHORTFALL_DP_STATE_BACKUP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SHORTFALL_DP_STATE_BACKUP_INL_HPP
#undef SHORTFALL_DP_STATE_BACKUP_INL_HPP
#else
#define SHORTFALL_DP_STATE_BACKUP_INL_HPP
#endif

#include <cmath>

#include "dp/sweep_kernel.hpp"
#include "risk/vector_risk-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace shortfall {
namespace HWY_NAMESPACE {

using detail::SweepJob;

/// Calls add(k, i, V') for the values of the successors of a row, a vector of them from position i
/// on, for part k of a long sum, and add_one for each of those that are left.
template <class Vector, class Scalar>
HWY_INLINE void for_each_outcome(const SweepJob& job, std::size_t row, const Vector& add,
                                 const Scalar& add_one) {
  const Doubles d;
  const std::size_t end = job.row_begin[row + 1];
  std::size_t i = job.row_begin[row];
  for (; i + sum_lanes <= end; i += sum_lanes) {
    for (std::size_t k = 0; k < LongSum::parts; ++k) {
      const std::size_t at = i + k * width;
      add(k, at, gather(d, job.values, job.next + at));
    }
  }
  for (; i < end; ++i) add_one(i, job.values[job.next[i]]);
}

/// E c + γ E V'. The second mean is taken relative to the first value, so that its error scales
/// with the spread of the values and not with their magnitude. Four sums hide the latency of an
/// addition; loads one by one are as fast as a gather, or faster.
HWY_INLINE double mean_of_row(const SweepJob& job, std::size_t row) {
  const std::size_t end = job.row_begin[row + 1];
  std::size_t i = job.row_begin[row];
  const double first = job.values[job.next[i]];
  if (job.values_are_equal) return job.expected_cost[row] + job.gamma * first;
  const auto term = [&](std::size_t k) {
    return job.probability[k] * (job.values[job.next[k]] - first);
  };
  double sum[4] = {};
  for (; i + 4 <= end; i += 4) {
    for (std::size_t k = 0; k < 4; ++k) sum[k] += term(i + k);
  }
  for (std::size_t k = 0; i + k < end; ++k) sum[k] += term(i + k);
  return job.expected_cost[row] + job.gamma * (first + ((sum[0] + sum[1]) + (sum[2] + sum[3])));
}

/// Targets x_j = c_j + γ V(next_j) of one row. If all costs are equal they are read once.
template <bool equal_costs>
HWY_INLINE LawSummary targets(const SweepJob& job, std::size_t row, double* x) {
  const Doubles d;
  const std::size_t begin = job.row_begin[row];
  const double row_cost = job.expected_cost[row];
  const auto cost = [&](std::size_t i) { return equal_costs ? row_cost : job.cost[i]; };
  const double first = cost(begin) + job.gamma * job.values[job.next[begin]];
  const Vec gamma = hn::Set(d, job.gamma);
  const Vec centre = hn::Set(d, first);
  const Vec costs = hn::Set(d, row_cost);
  Vec min = centre;
  Vec max = centre;
  LongSum sum = zero_sum<LongSum>();
  LawSummary rest{first, first, 0.0};
  for_each_outcome(
      job, row,
      [&](std::size_t k, std::size_t i, Vec value) HWY_ATTR {
        const Vec target = mul_add(gamma, value, equal_costs ? costs : hn::LoadU(d, job.cost + i));
        sum.part[k] =
            mul_add(hn::LoadU(d, job.probability + i), hn::Sub(target, centre), sum.part[k]);
        min = min_of(min, target);
        max = max_of(max, target);
        hn::StoreU(target, d, x + (i - begin));
      },
      [&](std::size_t i, double value) {
        const double target = cost(i) + job.gamma * value;
        rest.mean += job.probability[i] * (target - first);
        rest.min = std::min(rest.min, target);
        rest.max = std::max(rest.max, target);
        x[i - begin] = target;
      });
  return {std::min(rest.min, hn::GetLane(hn::MinOfLanes(d, min))),
          std::max(rest.max, hn::GetLane(hn::MaxOfLanes(d, max))), first + (sum.sum() + rest.mean)};
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

/// The smallest risk of a state so far, and the first row with that risk up to rounding.
struct Backup {
  double value = 0.0;
  std::size_t row = no_row;
  double value_of_row = 0.0;

  void offer(std::size_t candidate, double risk) {
    constexpr double equal_within = 16.0 * std::numeric_limits<double>::epsilon();
    const bool is_first = row == no_row;
    if (!is_first && risk >= value) return;
    value = risk;
    if (is_first || value < value_of_row - equal_within * std::abs(value_of_row)) {
      row = candidate;
      value_of_row = value;
    }
  }
};

/// The smallest risk over the rows of one state, which has at least one.
template <class L>
Backup best_of(const L& loss, const SweepJob& job, RowRange rows, double start, double* scratch) {
  constexpr bool only_mean = std::is_same_v<L, Mean>;
  Backup best;
  for (std::size_t row = rows.begin; row < rows.end && !std::isnan(best.value); ++row) {
    if constexpr (only_mean) {
      best.offer(row, mean_of_row(job, row));
    } else {
      const bool is_first = row == rows.begin;
      const LawSummary summary = job.costs_vary[row] ? targets<false>(job, row, scratch)
                                                     : targets<true>(job, row, scratch);
      const std::size_t count = job.row_begin[row + 1] - job.row_begin[row];
      const Law law{{scratch, count}, {job.probability + job.row_begin[row], count}};
      // A row that does not beat the best so far needs no root. A row that seems to beat it may
      // still come out above it by rounding, and many such errors would add up.
      if (!is_first && !may_be_below(loss, law, summary, best.value)) continue;
      best.offer(row, risk(loss, law, summary, is_first ? start : best.value));
    }
  }
  return best;
}

/// Collects what a sweep did.
class Recorder {
 public:
  explicit Recorder(const SweepJob& job) : job_(job) {}

  void record(std::size_t x, const Backup& best) {
    const double change = best.value - job_.before[x];
    job_.backed_up[x] = best.value;
    if (job_.greedy_rows) job_.greedy_rows[x] = best.row;
    detail::merge(summary_, {change, change, best.value, best.value, std::isfinite(best.value)});
  }
  const SweepSummary& summary() const { return summary_; }

 private:
  const SweepJob& job_;
  SweepSummary summary_;
};

}  // namespace HWY_NAMESPACE
}  // namespace shortfall
HWY_AFTER_NAMESPACE();

#endif  // SHORTFALL_DP_STATE_BACKUP_INL_HPP
