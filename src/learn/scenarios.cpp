#include "shortfall/learn/scenarios.hpp"

#include <limits>

#include "errors/require.hpp"

namespace shortfall::learn {

Scenarios::Scenarios(std::size_t count, std::uint64_t seed) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  require(count != 0 && count <= most, "{} scenarios; accepted: 1 to {}", count, most);
  pcg64 bits = stream_generator(seed, ~std::uint64_t{0});  // trajectories number theirs from 0
  const std::uint64_t width = std::numeric_limits<std::uint64_t>::max() / count;
  for (std::size_t k = 0; k < count; ++k) {
    const double within = draw_uniform(bits);
    const std::uint64_t first =
        k * width + static_cast<std::uint64_t>(within * static_cast<double>(width));
    bits_.emplace_back(first, bits());
  }
}

}  // namespace shortfall::learn
