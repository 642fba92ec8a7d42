#include "dp/packed_rows.hpp"

#include <hwy/cache_control.h>

#include <algorithm>
#include <numeric>

#include "dp/tilt_kernel.hpp"
#include "parallel/threads.hpp"
#include "shortfall/dp/bellman.hpp"

namespace shortfall::detail {

void Tangent::assign(const ChosenRows& chosen, std::span<const double> values,
                     std::span<const double> backed_up) {
  set_lengths(chosen);
  // Also on a rank without states, whose values are at no address.
  pack(chosen, partition_.read(values.data()), backed_up.data());
}

void Tangent::refer_to(const ChosenRows& chosen) {
  set_lengths(chosen);
  not_packed_.emplace(chosen);
}

void Tangent::pack() {
  if (not_packed_) pack(*not_packed_, nullptr, nullptr);
}

void Tangent::set_lengths(const ChosenRows& chosen) {
  const auto& row_begin = chosen.outcomes.row_begin;
  std::vector<std::size_t>& begin = rows_.begin;
  begin.resize(chosen.rows.size() + 1);
  begin[0] = 0;
  std::size_t longest = 0;
  for (std::size_t x = 0; x < chosen.rows.size(); ++x) {
    const std::size_t row = chosen.rows[x];
    const std::size_t length = row == no_row ? 0 : row_begin[row + 1] - row_begin[row];
    begin[x + 1] = begin[x] + length;
    longest = std::max(longest, length);
  }
  Communicator& communicator = partition_.communicator();
  entries_ = communicator.sum(std::uint64_t{rows_.entries()});
  longest_ = static_cast<std::size_t>(communicator.max(static_cast<double>(longest)));
}

void Tangent::pack(const ChosenRows& chosen, const double* read, const double* risks) {
  using Weights = PackedRows::Weights;
  rows_.allocate(entries_ > most_wide ? Weights::narrow : Weights::wide);
  lost_.resize(rows_.is_narrow() ? states() : 0);
  const TiltJob job{.outcomes = chosen.outcomes,
                    .rows = chosen.rows.data(),
                    .begin = rows_.begin.data(),
                    .values = read,
                    .risks = risks,
                    .gamma = gamma_,
                    .wide = rows_.is_narrow() ? nullptr : rows_.wide.data(),
                    .narrow = rows_.narrow.data(),
                    .next = rows_.next.data()};
  parallel_for_blocks(states(), states_per_task(), [&](std::size_t first, std::size_t last) {
    std::vector<double> scratch(longest_);
    tilt_rows(loss_, job, first, last, scratch.data());
    // The sum is within a factor of two of one, so that the difference is exact.
    for (std::size_t x = first; rows_.is_narrow() && x < last; ++x) {
      const std::span row = std::span(rows_.narrow).subspan(rows_.begin[x], rows_.length(x));
      lost_[x] = row.empty()
                     ? 0.0f
                     : static_cast<float>(1.0 - std::accumulate(row.begin(), row.end(), 0.0));
    }
  });
  not_packed_.reset();
}

namespace {

/// Σ weight · x[next] over one row. Four sums hide the latency of an addition; loads one by one are
/// as fast as a gather, or faster.
template <class Weight>
double row_product(const Weight* weight, const std::uint32_t* next, std::size_t length,
                   const double* x) {
  const auto term = [&](std::size_t i) { return static_cast<double>(weight[i]) * x[next[i]]; };
  double sum[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= length; i += 4) {
    for (std::size_t k = 0; k < 4; ++k) sum[k] += term(i + k);
  }
  for (std::size_t k = 0; i + k < length; ++k) sum[k] += term(i + k);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// Chosen rows are not next to each other.
void prefetch_row(const Outcomes& outcomes, std::size_t row) {
  if (row == no_row) return;
  constexpr std::size_t line = 64;
  const std::size_t begin = outcomes.row_begin[row];
  const std::size_t end = outcomes.row_begin[row + 1];
  for (std::size_t i = begin; i < end; i += line / sizeof(double)) {
    hwy::Prefetch(outcomes.probability.data() + i);
  }
  for (std::size_t i = begin; i < end; i += line / sizeof(std::uint32_t)) {
    hwy::Prefetch(outcomes.next.data() + i);
  }
}

}  // namespace

Tangent::Factor Tangent::factor(const double* own) const {
  return {partition_.read(own), gamma_ == 1.0 ? partition_.at_first_state(own) : 0.0};
}

void Tangent::multiply(std::size_t first, std::size_t last, const Factor& factor, double* y) const {
  const double* const x = factor.read;
  const auto product = [&](std::size_t row, const auto& weight) {
    const std::size_t begin = rows_.begin[row];
    return row_product(weight.data() + begin, rows_.next.data() + begin, rows_.length(row), x);
  };
  if (not_packed_) {
    const Outcomes& outcomes = not_packed_->outcomes;
    for (std::size_t row = first; row < last; ++row) {
      if (row + 2 < last) prefetch_row(outcomes, not_packed_->rows[row + 2]);
      const std::size_t length = rows_.length(row);
      const std::size_t begin = length ? outcomes.row_begin[not_packed_->rows[row]] : 0;
      y[row] =
          row_product(outcomes.probability.data() + begin, outcomes.next.data() + begin, length, x);
    }
  } else if (rows_.is_narrow()) {
    for (std::size_t row = first; row < last; ++row) {
      const double sum = product(row, rows_.narrow);
      y[row] = rows_.length(row)
                   ? sum + static_cast<double>(lost_[row]) * x[rows_.next[rows_.begin[row]]]
                   : 0.0;
    }
  } else {
    for (std::size_t row = first; row < last; ++row) y[row] = product(row, rows_.wide);
  }
  if (factor.first != 0.0) {
    for (std::size_t row = first; row < last; ++row) y[row] -= factor.first;
  }
}

std::size_t Tangent::states_per_task() const {
  return std::max<std::size_t>(1, 16384 * states() / (rows_.entries() + 8 * states() + 1));
}

}  // namespace shortfall::detail
