#include "apps/shortfall/divided_model.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "files/file_descriptor.hpp"
#include "files/fingerprint.hpp"
#include "files/input_file.hpp"
#include "files/open_input.hpp"
#include "formats/distributed_model_file.hpp"

namespace shortfall::app {
namespace {

template <class T>
std::vector<T> slice(const std::vector<T>& all, std::size_t first, std::size_t count) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

/// The sum of `count` over the processes before this one.
std::size_t sum_before(detail::Communicator& ranks, std::size_t count) {
  std::vector<std::uint64_t> counts(ranks.size() + 1);
  counts[ranks.rank()] = count;
  ranks.sum(counts);
  std::size_t sum = 0;
  for (std::size_t r = 0; r < ranks.rank(); ++r) sum += counts[r];
  return sum;
}

bool is_regular_file(const std::string& path) {
  std::error_code ignored;
  return path != "-" && std::filesystem::is_regular_file(path, ignored);
}

/// The size, the beginning and the end of a file.
std::array<std::uint64_t, 2> identity_of(const std::string& path) {
  const io::FileDescriptor file = io::open_input(path);
  const std::uint64_t size = std::filesystem::file_size(path);
  return {size, io::fingerprint_before(size, file.get(), io::input_name(path))};
}

/// Each process reads a part of its own. What is not a file is read by the first alone.
void check_same_file(const std::string& path, const Processes& processes) {
  if (processes.communicator().size() == 1) return;
  if (!processes.any(processes.is_first() && is_regular_file(path))) return;
  const auto identity = processes.together([&] { return identity_of(path); });
  processes.check_same(std::as_bytes(std::span(identity)), io::input_name(path));
}

}  // namespace

DividedModel::DividedModel(detail::DistributedModel model, io::Sense sense)
    : model_(std::move(model)), sense_(sense) {
  detail::Communicator& ranks = model_.partition().communicator();
  const Outcomes& own = model_.rows().outcomes();
  pairs_before_ = sum_before(ranks, own.rows());
  pairs_ = ranks.sum(std::uint64_t{own.rows()});
  outcomes_ = ranks.sum(std::uint64_t{own.size()});
}

const Mdp& DividedModel::with_all_actions() const {
  const Mdp& rows = model_.rows();
  const detail::Partition& partition = model_.partition();
  detail::Communicator& ranks = partition.communicator();
  if (ranks.size() == 1) return rows;
  if (with_all_actions_) return *with_all_actions_;
  std::vector<std::uint32_t> counts;
  for (std::size_t x = 0; x < rows.states(); ++x) {
    counts.push_back(static_cast<std::uint32_t>(rows.action_count(x)));
  }
  GroupedTable table{.state_begin = {0},
                     .action = std::vector<ActionIndex>(pairs_),
                     .outcomes = {},
                     .state_base = rows.state_base(),
                     .action_base = rows.action_base()};
  for (const std::uint32_t count : partition.gather<std::uint32_t>(counts)) {
    table.state_begin.push_back(table.state_begin.back() + count);
  }
  std::vector<std::size_t> begin;
  for (const std::size_t state : partition.begin()) begin.push_back(table.state_begin[state]);
  for (std::size_t r = 0; r < rows.outcomes().rows(); ++r) {
    table.action[pairs_before_ + r] = rows.action_of_row(r);
  }
  ranks.gather(std::span(table.action), begin);
  for (std::size_t r = 0; r < pairs_; ++r) {
    table.outcomes.row_begin.push_back(r + 1);
    table.outcomes.probability.push_back(1.0);
    table.outcomes.cost.push_back(0.0);
    table.outcomes.next.push_back(0);
  }
  with_all_actions_ = Mdp::build(std::move(table));
  return *with_all_actions_;
}

Policy DividedModel::own(const Policy& policy) const {
  return slice(policy, model_.partition().first(), model_.partition().states());
}

RandomisedPolicy DividedModel::own(const RandomisedPolicy& policy) const {
  return {slice(policy.weight, pairs_before_, model_.rows().outcomes().rows())};
}

Policy DividedModel::whole(const Policy& own) const {
  return model_.partition().gather<ActionIndex>(own);
}

Solution DividedModel::whole(const Solution& own) const {
  detail::Communicator& ranks = model_.partition().communicator();
  if (ranks.size() == 1) return own;
  Solution all = own;
  all.values = model_.partition().gather<double>(own.values);
  // A process without states has no policy, either.
  if (ranks.any(!own.policy.empty())) all.policy = whole(own.policy);
  return all;
}

DividedModel read_divided_model(const std::string& path, int threads, const Processes& processes) {
  check_same_file(path, processes);
  io::LoadedPart loaded =
      io::read_distributed_model(path, processes.communicator(), {.threads = threads});
  return {std::move(loaded.model), loaded.sense};
}

}  // namespace shortfall::app
