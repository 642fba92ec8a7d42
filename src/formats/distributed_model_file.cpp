#include "formats/distributed_model_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "files/line_windows.hpp"
#include "formats/distributed_csv.hpp"
#include "parallel/together.hpp"
#include "shortfall/formats/binary_model.hpp"
#include "shortfall/formats/model_file.hpp"

namespace shortfall::io {
namespace {

using detail::Communicator;
using detail::DistributedModel;
using detail::Partition;

std::vector<std::uint64_t> outcomes_by_block(const BinaryModelFile& file) {
  const std::size_t states = file.facts().states;
  const std::size_t block = Partition::block_size(states);
  std::vector<std::uint64_t> outcomes;
  std::uint64_t before = 0;
  for (std::size_t x = 0; x < states; x += block) {
    const std::uint64_t after = file.outcomes_before(std::min(x + block, states));
    outcomes.push_back(after - before);
    before = after;
  }
  return outcomes;
}

/// Throws unless all ranks have a file with these facts.
void check_same(const ModelFacts& facts, Communicator& communicator, const std::string& path) {
  std::array<double, 5> largest{static_cast<double>(facts.states), static_cast<double>(facts.rows),
                                static_cast<double>(facts.outcomes), facts.lowest_cost,
                                facts.highest_cost};
  const std::array own = largest;
  communicator.max(largest);
  if (communicator.all(own == largest)) return;
  throw InvalidInput(fmt::format(
      "{}: not the same on all ranks; accepted: a file that all of them see alike", path));
}

LoadedPart read_binary(const std::string& path, Communicator& communicator,
                       const ReadOptions& options) {
  std::vector<std::size_t> begin;
  Sense sense = Sense::cost;
  ModelFacts id;
  Mdp rows = detail::together(communicator, [&] {
    const BinaryModelFile file(path, options);
    sense = file.facts().sense;
    begin = Partition::divide(file.facts().states, outcomes_by_block(file), communicator.size());
    id = file.facts();
    const std::size_t rank = communicator.rank();
    ModelSlice slice = file.read_slice(begin[rank], begin[rank + 1]);
    return DistributedModel::restore_rows(std::move(slice.table), std::move(slice.row_costs));
  });
  check_same(id, communicator, path);
  return {DistributedModel(communicator, std::move(begin), std::move(rows)), sense};
}

/// By the first rank, which hands out the parts.
LoadedPart read_on_first_rank(const std::string& path, Communicator& communicator,
                              const ReadOptions& options) {
  std::optional<LoadedModel> loaded;
  detail::together(communicator, [&] {
    if (communicator.rank() == 0) loaded = read_model(path, options);
  });
  const bool has_rewards = communicator.any(loaded && loaded->sense == Sense::reward);
  std::optional<Mdp> model;
  if (loaded) model = std::move(loaded->model);
  return {DistributedModel::hand_out(communicator, std::move(model)),
          has_rewards ? Sense::reward : Sense::cost};
}

}  // namespace

LoadedPart read_distributed_model(const std::string& path, Communicator& communicator,
                                  const ReadOptions& options) {
  const bool is_binary = communicator.any(
      detail::together(communicator, [&] { return format_of(path) == ModelFormat::binary; }));
  if (communicator.size() == 1) return read_on_first_rank(path, communicator, options);
  if (is_binary) return read_binary(path, communicator, options);
  if (communicator.all(is_divisible(path))) {
    if (auto loaded = read_distributed_csv(path, communicator, options)) return std::move(*loaded);
  }
  return read_on_first_rank(path, communicator, options);
}

}  // namespace shortfall::io
