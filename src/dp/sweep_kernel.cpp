#include "dp/sweep_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dp/sweep_kernel.cpp"
#include <hwy/foreach_target.h>  // must precede highway.h

#include <hwy/highway.h>

#include "dp/short_states-inl.hpp"
#include "dp/state_backup-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace shortfall {
namespace HWY_NAMESPACE {

template <class L>
SweepSummary backup_with(const L& loss, const SweepJob& job, std::size_t begin, std::size_t end,
                         double* scratch) {
  Recorder recorder(job);
  if constexpr (has_batches<L>) {
    // In place, a state uses the new values of those before it.
    if (job.backed_up != job.before) {
      ShortStates<L> short_states(loss, job, recorder);
      for (std::size_t x = begin; x < end; ++x) {
        const RowRange rows = rows_of(job, x);
        if (rows.begin == rows.end) {
          recorder.record(x, Backup());
        } else if (short_states.accepts(rows)) {
          short_states.add(x, rows);
        } else {
          recorder.record(x, best_of(loss, job, rows, job.before[x], scratch));
        }
      }
      short_states.finish();
      return recorder.summary();
    }
  }
  for (std::size_t x = begin; x < end; ++x) {
    const RowRange rows = rows_of(job, x);
    recorder.record(
        x, rows.begin == rows.end ? Backup() : best_of(loss, job, rows, job.before[x], scratch));
  }
  return recorder.summary();
}

SweepSummary backup(const AnyLoss& any_loss, const SweepJob& job, std::size_t begin,
                    std::size_t end, double* scratch) {
  return std::visit([&](const auto& loss) { return backup_with(loss, job, begin, end, scratch); },
                    any_loss.variant());
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
