#include "mdp/distributed_model.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "parallel/bytes.hpp"

namespace shortfall::detail {
namespace {

/// The successors that are states of other ranks, in increasing order.
std::vector<std::uint32_t> halo_of(const Outcomes& outcomes, std::size_t first, std::size_t last,
                                   std::size_t states) {
  if (first == 0 && last == states) return {};
  std::vector<bool> is_read(states);
  for (const StateIndex next : outcomes.next) is_read[next] = true;
  std::vector<std::uint32_t> halo;
  for (std::size_t x = 0; x < states; ++x) {
    if (is_read[x] && (x < first || x >= last)) halo.push_back(static_cast<std::uint32_t>(x));
  }
  return halo;
}

std::vector<std::uint64_t> outcomes_by_block(const Mdp& model) {
  const std::size_t block = Partition::block_size(model.states());
  std::vector<std::uint64_t> outcomes((model.states() + block - 1) / block);
  const std::vector<std::size_t>& row_begin = model.outcomes().row_begin;
  for (std::size_t x = 0; x < model.states(); ++x) {
    const std::size_t begin = row_begin[model.state_begin()[x]];
    outcomes[x / block] += row_begin[model.state_begin()[x + 1]] - begin;
  }
  return outcomes;
}

Bytes message(const Mdp& rows) {
  Bytes bytes;
  const Outcomes& outcomes = rows.outcomes();
  std::vector<ActionIndex> actions;
  for (std::size_t r = 0; r < outcomes.rows(); ++r) actions.push_back(rows.action_of_row(r));
  const std::array numbers{outcomes.cost_error, outcomes.probability_error,
                           static_cast<double>(rows.state_base()),
                           static_cast<double>(rows.action_base())};
  append_array<std::size_t>(bytes, rows.state_begin());
  append_array<ActionIndex>(bytes, actions);
  append_array<std::size_t>(bytes, outcomes.row_begin);
  append_array<double>(bytes, outcomes.probability);
  append_array<double>(bytes, outcomes.cost);
  append_array<StateIndex>(bytes, outcomes.next);
  append_array<double>(bytes, numbers);
  return bytes;
}

GroupedTable table_of(const Bytes& bytes) {
  std::span<const std::byte> rest(bytes);
  GroupedTable table;
  table.state_begin = take_array<std::size_t>(rest);
  table.action = take_array<ActionIndex>(rest);
  table.outcomes.row_begin = take_array<std::size_t>(rest);
  table.outcomes.probability = take_array<double>(rest);
  table.outcomes.cost = take_array<double>(rest);
  table.outcomes.next = take_array<StateIndex>(rest);
  const std::vector<double> numbers = take_array<double>(rest);
  table.outcomes.cost_error = numbers[0];
  table.outcomes.probability_error = numbers[1];
  table.state_base = static_cast<StateIndex>(numbers[2]);
  table.action_base = static_cast<ActionIndex>(numbers[3]);
  return table;
}

}  // namespace

Mdp DistributedModel::rows_between(const Mdp& model, std::size_t first, std::size_t last) {
  const auto slice = [](const auto& column, std::size_t begin, std::size_t end) {
    return std::vector(column.begin() + static_cast<std::ptrdiff_t>(begin),
                       column.begin() + static_cast<std::ptrdiff_t>(end));
  };
  const auto from_zero = [&](const std::vector<std::size_t>& begins, std::size_t begin,
                             std::size_t end) {
    std::vector<std::size_t> part = slice(begins, begin, end + 1);
    for (std::size_t& b : part) b -= begins[begin];
    return part;
  };
  const Outcomes& all = model.outcomes();
  const std::size_t first_row = model.state_begin()[first];
  const std::size_t last_row = model.state_begin()[last];
  const std::size_t begin = all.row_begin[first_row];
  const std::size_t end = all.row_begin[last_row];
  Mdp rows;
  rows.state_begin_ = from_zero(model.state_begin(), first, last);
  rows.action_of_row_ = slice(model.action_of_row_, first_row, last_row);
  rows.outcomes_ = {.row_begin = from_zero(all.row_begin, first_row, last_row),
                    .probability = slice(all.probability, begin, end),
                    .cost = slice(all.cost, begin, end),
                    .next = slice(all.next, begin, end),
                    .cost_error = all.cost_error,
                    .probability_error = all.probability_error};
  rows.row_costs_ = RowCosts::of(rows.outcomes_);
  rows.state_base_ = model.state_base();
  rows.action_base_ = model.action_base();
  rows.has_terminal_states_ = model.has_terminal_states();
  return rows;
}

DistributedModel::DistributedModel(Communicator& communicator, std::vector<std::size_t> begin,
                                   Mdp own_rows)
    : partition_(communicator, begin,
                 halo_of(own_rows.outcomes(), begin[communicator.rank()],
                         begin[communicator.rank() + 1], begin.back())),
      rows_(std::move(own_rows)) {
  // The order of states is kept, and with it that of the outcomes of a row.
  for (StateIndex& next : rows_.outcomes_.next) next = partition_.local_index(next);
}

Mdp DistributedModel::restore_rows(GroupedTable own, RowCosts row_costs) {
  return {std::move(own), std::move(row_costs)};
}

DistributedModel DistributedModel::cut(Communicator& communicator, const Mdp& model) {
  std::vector<std::size_t> begin =
      Partition::divide(model.states(), outcomes_by_block(model), communicator.size());
  Mdp rows = rows_between(model, begin[communicator.rank()], begin[communicator.rank() + 1]);
  return {communicator, std::move(begin), std::move(rows)};
}

DistributedModel DistributedModel::hand_out(Communicator& communicator, const Mdp* model) {
  std::vector<std::size_t> begin(communicator.size() + 1);
  std::vector<Bytes> sent(communicator.size());
  if (model) {
    begin = Partition::divide(model->states(), outcomes_by_block(*model), communicator.size());
    for (std::size_t r = 0; r < sent.size(); ++r) {
      sent[r] = message(rows_between(*model, begin[r], begin[r + 1]));
    }
  }
  std::vector<std::uint64_t> shared(begin.begin(), begin.end());
  communicator.sum(shared);  // others have zeros
  begin.assign(shared.begin(), shared.end());
  GroupedTable own = table_of(communicator.all_to_all(std::move(sent))[0]);
  RowCosts costs = RowCosts::of(own.outcomes);
  Mdp rows = restore_rows(std::move(own), std::move(costs));
  return {communicator, std::move(begin), std::move(rows)};
}

}  // namespace shortfall::detail
