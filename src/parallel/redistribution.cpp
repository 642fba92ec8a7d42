#include "parallel/redistribution.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace shortfall::detail {

Redistribution::Redistribution(Communicator& communicator, std::span<const std::size_t> given,
                               std::span<const std::size_t> wanted) {
  const std::size_t rank = communicator.rank();
  const std::size_t first = wanted[rank];
  const std::size_t last = wanted[rank + 1];
  const std::size_t kept_first = std::clamp(given[rank], first, last);
  const std::size_t kept_last = std::clamp(given[rank + 1], first, last);
  before_ = kept_first - first;
  kept_ = kept_last - kept_first;
  kept_first_ = kept_first - given[rank];
  after_ = last - kept_last;
  std::vector<std::uint32_t> read(before_ + after_);
  const auto after = read.begin() + static_cast<std::ptrdiff_t>(before_);
  std::iota(read.begin(), after, static_cast<std::uint32_t>(first));
  std::iota(after, read.end(), static_cast<std::uint32_t>(kept_last));
  exchange_ = communicator.plan_exchange(HaloPlan::of(given, read));
}

void Redistribution::operator()(std::span<const double> given, std::span<double> wanted) const {
  exchange_->start(given, wanted.first(before_), wanted.last(after_));
  if (kept_ > 0) {
    std::ranges::copy(given.subspan(kept_first_, kept_), wanted.subspan(before_).begin());
  }
  exchange_->finish();
}

}  // namespace shortfall::detail
