#include "parallel/partition.hpp"

#include <bit>
#include <cmath>
#include <utility>

#include "shortfall/numbers/infinity.hpp"

namespace shortfall::detail {
namespace {

constexpr std::size_t smallest_block = 64;
constexpr std::size_t most_blocks = 1024;

}  // namespace

Partition::Partition(std::size_t total)
    : communicator_(&one_process()), begin_{0, total}, blocks_begin_{0, 0} {}

Partition::Partition(Communicator& communicator, std::vector<std::size_t> begin,
                     std::vector<std::uint32_t> halo)
    : communicator_(&communicator), begin_(std::move(begin)), halo_(std::move(halo)) {
  const std::size_t block = block_size(total());
  for (const std::size_t state : begin_) blocks_begin_.push_back((state + block - 1) / block);
  const auto after = std::ranges::lower_bound(halo_, static_cast<std::uint32_t>(first()));
  halo_before_ = static_cast<std::size_t>(after - halo_.begin());
  exchange_ = communicator.plan_exchange(HaloPlan::of(begin_, halo_));
  if (communicator.size() > 1) values_.resize(states() + halo_.size());
}

std::uint32_t Partition::local_index(std::uint32_t state) const {
  if (state >= first() && state - first() < states()) {
    return static_cast<std::uint32_t>(state - first() + halo_before_);
  }
  const auto place = std::ranges::lower_bound(halo_, state) - halo_.begin();
  const std::size_t own = state < first() ? 0 : states();
  return static_cast<std::uint32_t>(static_cast<std::size_t>(place) + own);
}

std::uint32_t Partition::state_of(std::uint32_t local_index) const {
  if (communicator_->size() == 1) return local_index;
  if (local_index < halo_before_) return halo_[local_index];
  const std::size_t own = local_index - halo_before_;
  return own < states() ? static_cast<std::uint32_t>(first() + own) : halo_[local_index - states()];
}

const double* Partition::read(const double* own) const {
  if (communicator_->size() == 1) return own;
  const std::span<double> all(values_);
  exchange_->start({own, states()}, all.first(halo_before_), all.last(halo_.size() - halo_before_));
  std::copy_n(own, states(), values_.data() + halo_before_);
  exchange_->finish();
  return values_.data();
}

double Partition::at_first_state(const double* own) const {
  const bool has_it = states() > 0 && first() == 0;
  return communicator_->max(has_it && !std::isnan(own[0]) ? own[0] : -infinity);
}

void Partition::in_turn(std::span<double> own,
                        const std::function<void(const double* values, double* own)>& sweep) const {
  if (communicator_->size() == 1) return sweep(own.data(), own.data());
  for (std::size_t turn = 0; turn < communicator_->size(); ++turn) {
    const double* const values = read(own.data());
    if (turn != communicator_->rank()) continue;
    double* const place = values_.data() + halo_before_;
    sweep(values, place);
    std::copy_n(place, states(), own.begin());
  }
}

std::size_t Partition::block_size(std::size_t total) {
  return std::max(smallest_block, std::bit_ceil((total + most_blocks - 1) / most_blocks));
}

std::vector<std::size_t> Partition::divide(std::size_t total,
                                           std::span<const std::uint64_t> outcomes_by_block,
                                           std::size_t ranks) {
  const std::size_t block = block_size(total);
  const auto work = [&](std::size_t k) {
    return static_cast<double>(outcomes_by_block[k] + std::min(block, total - k * block));
  };
  double all = 0.0;
  for (std::size_t k = 0; k < outcomes_by_block.size(); ++k) all += work(k);
  std::vector<std::size_t> begin{0};
  double before = 0.0;  // work of the blocks up to k
  std::size_t k = 0;
  for (std::size_t rank = 1; rank < ranks; ++rank) {
    const double share = all * static_cast<double>(rank) / static_cast<double>(ranks);
    while (k < outcomes_by_block.size() && before + 0.5 * work(k) < share) before += work(k++);
    begin.push_back(std::min(k * block, total));
  }
  begin.push_back(total);
  return begin;
}

}  // namespace shortfall::detail
