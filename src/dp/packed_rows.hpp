#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "parallel/partition.hpp"

namespace shortfall::detail {

/// One row of weights and successors per state, one after the other, with the weights in single or
/// in double precision.
class PackedRows {
 public:
  enum class Weights { wide, narrow };

  std::size_t states() const { return begin.size() - 1; }
  std::size_t entries() const { return begin.back(); }
  std::size_t length(std::size_t x) const { return begin[x + 1] - begin[x]; }
  bool is_narrow() const { return is_narrow_; }

  /// Makes room for the entries that `begin` announces.
  void allocate(Weights weights);

  class Row {
   public:
    std::span<const std::uint32_t> next;  ///< in increasing order, possibly repeated
    double weight(std::size_t j) const {
      return narrow_ ? static_cast<double>(narrow_[j]) : wide_[j];
    }

   private:
    friend PackedRows;
    Row(std::span<const std::uint32_t> next_states, const float* narrow, const double* wide)
        : next(next_states), narrow_(narrow), wide_(wide) {}
    const float* narrow_;
    const double* wide_;
  };
  Row row(std::size_t x) const {
    const std::size_t first = begin[x];
    return {std::span(next).subspan(first, begin[x + 1] - first),
            is_narrow_ ? narrow.data() + first : nullptr,
            is_narrow_ ? nullptr : wide.data() + first};
  }

  std::vector<std::size_t> begin{0};  ///< of each row, and the end of the last
  std::vector<std::uint32_t> next;
  std::vector<float> narrow;  ///< empty if weights are wide
  std::vector<double> wide;   ///< empty if they are narrow

 private:
  bool is_narrow_ = false;
};

/// Other states for each rank: begin[r] up to begin[r + 1] for rank r. Successors are then numbered
/// over all states.
PackedRows redistributed(const PackedRows& own, const Partition& partition,
                         std::span<const std::size_t> begin);

}  // namespace shortfall::detail
