#include "formats/distributed_model_file.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "files/same_input.hpp"
#include "parallel/communicator.hpp"
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

LoadedPart read_own_states(const std::string& path, Communicator& communicator,
                           const ReadOptions& options) {
  std::vector<std::size_t> begin;
  Sense sense = Sense::cost;
  Mdp rows = detail::together(communicator, [&] {
    const BinaryModelFile file(path, options);
    sense = file.facts().sense;
    begin = Partition::divide(file.facts().states, outcomes_by_block(file), communicator.size());
    const std::size_t rank = communicator.rank();
    ModelSlice slice = file.read_slice(begin[rank], begin[rank + 1]);
    return DistributedModel::restore_rows(std::move(slice.table), std::move(slice.row_costs));
  });
  return {DistributedModel(communicator, std::move(begin), std::move(rows)), sense};
}

LoadedPart hand_out(const std::string& path, Communicator& communicator,
                    const ReadOptions& options) {
  std::optional<LoadedModel> loaded;
  detail::together(communicator, [&] {
    if (communicator.rank() == 0) loaded = read_model(path, options);
  });
  const bool has_rewards = communicator.any(loaded && loaded->sense == Sense::reward);
  return {DistributedModel::hand_out(communicator, loaded ? &loaded->model : nullptr),
          has_rewards ? Sense::reward : Sense::cost};
}

}  // namespace

LoadedPart read_distributed_model(const std::string& path, Communicator& communicator,
                                  const ReadOptions& options) {
  check_same_file(path, communicator);
  const bool is_binary = communicator.any(communicator.rank() == 0 && is_binary_model(path));
  return is_binary ? read_own_states(path, communicator, options)
                   : hand_out(path, communicator, options);
}

}  // namespace shortfall::io
