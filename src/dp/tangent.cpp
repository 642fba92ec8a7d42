#include "dp/tangent.hpp"

#include <algorithm>

#include "dp/tilt_kernel.hpp"
#include "parallel.hpp"
#include "shortfall/dp/bellman.hpp"

namespace shortfall::detail {

void Tangent::assign(const ChosenRows& chosen, std::span<const double> values,
                     std::span<const double> backed_up) {
  const auto& row_begin = chosen.outcomes.row_begin;
  begin_.resize(chosen.rows.size() + 1);
  begin_[0] = 0;
  std::size_t longest = 0;
  for (std::size_t x = 0; x < chosen.rows.size(); ++x) {
    const std::size_t row = chosen.rows[x];
    const std::size_t length = row == no_row ? 0 : row_begin[row + 1] - row_begin[row];
    begin_[x + 1] = begin_[x] + length;
    longest = std::max(longest, length);
  }
  next_.resize(entries());
  narrow_.resize(is_narrow() ? entries() : 0);
  wide_.resize(is_narrow() ? 0 : entries());
  const TiltJob job{.outcomes = chosen.outcomes,
                    .rows = chosen.rows.data(),
                    .begin = begin_.data(),
                    .values = values.data(),
                    .risks = backed_up.data(),
                    .gamma = gamma_,
                    .wide = is_narrow() ? nullptr : wide_.data(),
                    .narrow = narrow_.data(),
                    .next = next_.data()};
  parallel_for_blocks(states(), states_per_task(), [&](std::size_t first, std::size_t last) {
    std::vector<double> scratch(longest);
    tilt_rows(loss_, job, first, last, scratch.data());
  });
}

namespace {

/// Four sums hide the latency of an addition; loads one by one are as fast as a gather, or faster.
template <class Weight>
void multiply_rows(const std::size_t* begin, const Weight* weight, const std::uint32_t* next,
                   std::size_t rows, const double* x, double* y) {
  const auto term = [&](std::size_t i) { return static_cast<double>(weight[i]) * x[next[i]]; };
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t end = begin[row + 1];
    std::size_t i = begin[row];
    double sum[4] = {};
    for (; i + 4 <= end; i += 4) {
      for (std::size_t k = 0; k < 4; ++k) sum[k] += term(i + k);
    }
    for (std::size_t k = 0; i + k < end; ++k) sum[k] += term(i + k);
    y[row] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
}

}  // namespace

void Tangent::multiply(std::size_t first, std::size_t last, const double* x, double* y) const {
  const auto with = [&](const auto& weight) {
    multiply_rows(begin_.data() + first, weight.data(), next_.data(), last - first, x, y + first);
  };
  if (is_narrow()) {
    with(narrow_);
  } else {
    with(wide_);
  }
}

std::size_t Tangent::states_per_task() const {
  return std::max<std::size_t>(1, 16384 * states() / (entries() + 8 * states() + 1));
}

Tangent::Row Tangent::row(std::size_t x) const {
  const std::size_t begin = begin_[x];
  return {std::span(next_).subspan(begin, begin_[x + 1] - begin),
          is_narrow() ? narrow_.data() + begin : nullptr,
          is_narrow() ? nullptr : wide_.data() + begin};
}

}  // namespace shortfall::detail
