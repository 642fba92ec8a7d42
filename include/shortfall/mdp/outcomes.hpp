#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shortfall {

using StateIndex = std::uint32_t;

/// Laws of (cost, next state) in compressed rows: row r has the outcomes row_begin[r] up to
/// row_begin[r + 1]. Outcomes with the same successor and different costs stay separate, because a
/// risk measure distinguishes them where an expectation does not. Models and chains sort each row
/// by `next`, so that they do not depend on the order in which outcomes were given.
struct Outcomes {
  std::vector<std::size_t> row_begin{0};
  std::vector<double> probability;
  std::vector<double> cost;
  std::vector<StateIndex> next;

  /// Rounding errors from computing these numbers; certified bounds include them.
  double cost_error = 0.0;         ///< absolute
  double probability_error = 0.0;  ///< relative, up to a factor common to a row's probabilities

  std::size_t rows() const { return row_begin.size() - 1; }
  std::size_t size() const { return probability.size(); }

  struct Row {
    std::span<const double> probability;
    std::span<const double> cost;
    std::span<const StateIndex> next;
  };
  Row row(std::size_t r) const {
    const std::size_t begin = row_begin[r];
    const std::size_t count = row_begin[r + 1] - begin;
    return {std::span(probability).subspan(begin, count), std::span(cost).subspan(begin, count),
            std::span(next).subspan(begin, count)};
  }

  void divide_costs(double divisor);  ///< by a positive number; cost_error counts the roundings
  void sort_rows();  ///< by `next`; outcomes with the same successor keep their order
  std::size_t longest_row() const;
  double largest_cost() const;  ///< max |cost|, 0 if there are no outcomes
};

}  // namespace shortfall
