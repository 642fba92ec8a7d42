#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "parallel/partition.hpp"
#include "shortfall/mdp/mdp.hpp"

namespace shortfall::detail {

/// A model whose rows are divided among ranks: each holds those of its own states, and knows how
/// many there are in all. Only these are in memory.
class DistributedModel {
 public:
  /// From the outcomes of the states begin[rank] up to begin[rank + 1], with successors numbered
  /// over all states. Bases are those of the model. check_rows() throws InvalidModel on a rank
  /// whose rows are not sound, before the ranks have told each other anything.
  static Mdp check_rows(TransitionTable own, std::span<const std::size_t> begin, std::size_t rank);
  DistributedModel(Communicator& communicator, std::vector<std::size_t> begin, Mdp checked_rows);

  /// The same from rows as Mdp::build() left them, which have been checked.
  static Mdp restore_rows(GroupedTable own, RowCosts row_costs);

  /// The share of each rank of a model that all of them have.
  static DistributedModel cut(Communicator& communicator, const Mdp& model);

  /// And of one that the first rank has, and no other.
  static DistributedModel hand_out(Communicator& communicator, std::optional<Mdp> model);

  std::size_t states() const { return partition_.total(); }
  const Partition& partition() const { return partition_; }
  /// The rows of own states. Successors are numbered as Partition::local_index() says.
  const Mdp& rows() const { return rows_; }
  StateIndex state_base() const { return rows_.state_base(); }
  ActionIndex action_base() const { return rows_.action_base(); }

 private:
  static Mdp rows_between(const Mdp& model, std::size_t first, std::size_t last);

  Partition partition_;
  Mdp rows_;
};

}  // namespace shortfall::detail
