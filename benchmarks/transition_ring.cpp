#include "benchmarks/transition_ring.hpp"

#include <algorithm>
#include <cmath>

namespace shortfall::benchmarks {

TransitionRing make_ring(std::size_t dimension, std::size_t size, pcg64& random) {
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1.0p-53; };
  TransitionRing ring{dimension, size, std::vector<double>((size + 1) * dimension),
                      std::vector<double>(size)};
  const double bound = std::sqrt(3.0 / static_cast<double>(dimension));
  for (double& x : ring.features) x = bound * (2.0 * unit() - 1.0);
  std::copy_n(ring.features.begin(), dimension,
              ring.features.end() - static_cast<std::ptrdiff_t>(dimension));
  for (double& c : ring.costs) c = 10.0 * unit();
  return ring;
}

}  // namespace shortfall::benchmarks
