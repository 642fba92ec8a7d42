#include "mpi/instructions.hpp"

#include <hwy/targets.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace shortfall::mpi {

void use_instructions_of_all(detail::Communicator& communicator) {
  std::vector<std::int64_t> supported(communicator.size());
  std::vector<std::size_t> begin(communicator.size() + 1);
  std::iota(begin.begin(), begin.end(), std::size_t{0});
  const std::int64_t here = hwy::SupportedTargets();
  supported[communicator.rank()] = here;
  communicator.gather(std::span(supported), begin);
  std::int64_t common = here;
  for (const std::int64_t targets : supported) common &= targets;
  if (common != here) hwy::DisableTargets(~common);
}

}  // namespace shortfall::mpi
