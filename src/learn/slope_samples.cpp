#include "shortfall/learn/detail/slope_samples.hpp"

#include <algorithm>

#include "shortfall/learn/detail/state_checks.hpp"
#include "shortfall/mdp/random_streams.hpp"

namespace shortfall::learn {

void SlopeSamples::keep(const Sample& sample) {
  const std::size_t k = completed_ % most;
  const std::size_t stride = padded(dimension_);
  std::copy_n(sample.z, stride, z_.begin() + static_cast<std::ptrdiff_t>(k * stride));
  rest_[2 * k] = sample.cost;
  rest_[2 * k + 1] = sample.weight;
}

/// At random, because a state may come back every so many samples.
void SlopeSamples::next_batch(std::uint64_t length) {
  if (!is_used()) return;
  ++completed_;
  kept_at_ = splitmix64_mix(completed_ * golden_ratio) % length;
}

void SlopeSamples::check_state(std::uint64_t length) const {
  if (!is_used()) return;
  detail::check_numbers("kept_z", z_, dimension_);
  detail::check_numbers("kept_samples", rest_, most);
  detail::check_count("kept_at", kept_at_, 0, length - 1);
}

}  // namespace shortfall::learn
