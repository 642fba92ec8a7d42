#include "formats/distributed_policy.hpp"

#include <limits>
#include <optional>
#include <utility>

#include "parallel/communicator.hpp"

namespace shortfall::io {

PolicyPart read_distributed_policy(const std::string& path, const Mdp& own_rows,
                                   const detail::Partition& partition) {
  constexpr double none = std::numeric_limits<double>::infinity();
  detail::Communicator& ranks = partition.communicator();
  std::optional<PolicyPart> part;
  std::optional<std::string> problem;
  double rows_before = none;
  try {
    part = read_policy_part(path, {own_rows, partition.first(), partition.total()});
  } catch (const InvalidPolicy& error) {
    problem = error.what();
    rows_before = static_cast<double>(error.rows_before());
  }
  const double fewest = ranks.min(rows_before);
  if (fewest == none) return std::move(*part);
  // Ranks are in order of state, and so is the search for what is missing after the last row.
  if (rows_before > fewest) problem.reset();
  throw InvalidInput(*detail::first_text(ranks, problem));
}

}  // namespace shortfall::io
