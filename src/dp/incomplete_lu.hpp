#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "dp/packed_rows.hpp"
#include "parallel/redistribution.hpp"

namespace shortfall::detail {

/// Incomplete LU factorisation of A = I - γ W as a preconditioner, with bounded fill-in: entries
/// below `least_entry` are dropped, and a row of L and a row of U keep `most_entries` at most
/// (ILUT; Saad, Iterative Methods for Sparse Linear Systems, section 10.4). A is an M-matrix.
/// Dropping entries outside the diagonal keeps it one (Meijerink and van der Vorst, Mathematics of
/// Computation 31, 1977), so that pivots are positive.
///
/// It is nearly exact for chains with narrow bands or without cycles. States are cut into a few
/// blocks, as many for any number of threads, that are factorised independently and in parallel;
/// entries of A between blocks are dropped. So the cost is bounded whatever the structure:
/// most_entries² operations and 2 · most_entries entries per state. With several ranks, each block
/// belongs to one of them, which gets what it needs from the owners of the block's states.
class IncompleteLu {
 public:
  static constexpr std::size_t most_entries = 16;
  static constexpr double least_entry = 1e-3;
  static constexpr std::size_t fewest_states = 8192;  ///< in a block
  static constexpr std::size_t most_blocks = 2;

  /// False if it would take more operations than this in a block (see `operations`): there are no
  /// factors then. The tangent's rows must be packed.
  bool compute(const Tangent& tangent,
               std::size_t most_operations = std::numeric_limits<std::size_t>::max());

  /// Whether factors have no more entries than A, without many being dropped, as on lines and
  /// rings. They are then nearly exact. Judged by the first thousand states alone.
  static bool has_no_fill_in(const Tangent& tangent);

  /// x with L U x = b, of the states of this rank; the two must not overlap.
  void solve(std::span<const double> b, std::span<double> x) const;

  /// Entries of L and U, the diagonal included.
  std::size_t entries() const { return entries_; }

  /// Entries that compute() eliminated or added to rows, kept or not: what it costs.
  std::size_t operations() const { return operations_; }

 private:
  /// L (with unit diagonal) or U (without its diagonal) of one block, by rows. Columns count from
  /// the block's first state.
  struct Triangle {
    std::vector<std::uint32_t> begin;
    std::vector<std::uint32_t> column;
    std::vector<double> value;
  };
  struct Block {
    std::size_t first = 0;  ///< state, counted from the first one of this rank's blocks
    Triangle lower;
    Triangle upper;
    std::vector<double> pivot;  ///< reciprocals of the diagonal of U
    std::size_t operations = 0;
  };
  class Elimination;
  /// Consecutive blocks, those of this rank.
  struct Share {
    std::size_t first;
    std::size_t last;
  };
  static Share share_of(std::size_t blocks, std::size_t rank, std::size_t ranks);
  static std::size_t entries_of(const std::vector<Block>& blocks);
  void solve_blocks(const double* b, double* x) const;

  std::vector<std::size_t> begin_;  ///< of the states whose blocks each rank has
  std::vector<Block> blocks_;
  std::size_t entries_ = 0;
  std::size_t operations_ = 0;
  /// Several ranks: from the owners of states to those of blocks, and back.
  std::optional<Redistribution> to_blocks_, to_states_;
  mutable std::vector<double> b_, x_;  ///< of the states whose blocks this rank has
};

}  // namespace shortfall::detail
