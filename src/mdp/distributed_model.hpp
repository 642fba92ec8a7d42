#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "parallel/partition.hpp"
#include "shortfall/mdp/mdp.hpp"

namespace shortfall::detail {

/// A model whose rows are divided among ranks: each holds those of its own states, and knows how
/// many there are in all. Only these are in memory.
class DistributedModel {
 public:
  /// From the rows of the states begin[rank] up to begin[rank + 1], as restore_rows() makes them,
  /// with successors numbered over all states.
  DistributedModel(Communicator& communicator, std::vector<std::size_t> begin, Mdp own_rows);

  /// From rows as Mdp::build() left them, which are not checked again.
  static Mdp restore_rows(GroupedTable own, RowCosts row_costs);

  /// The share of each rank of a model that all of them have.
  static DistributedModel cut(Communicator& communicator, const Mdp& model);

  /// And of one that the first rank has, and no other.
  static DistributedModel hand_out(Communicator& communicator, const Mdp* model);

  std::size_t states() const { return partition_.total(); }
  const Partition& partition() const { return partition_; }
  /// The rows of own states. Successors are numbered as Partition::local_index() says.
  const Mdp& rows() const { return rows_; }
  Mdp take_rows() && { return std::move(rows_); }
  Partition take_partition() && { return std::move(partition_); }
  StateIndex state_base() const { return rows_.state_base(); }
  ActionIndex action_base() const { return rows_.action_base(); }

 private:
  static Mdp rows_between(const Mdp& model, std::size_t first, std::size_t last);

  Partition partition_;
  Mdp rows_;
};

}  // namespace shortfall::detail
