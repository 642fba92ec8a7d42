#include "mpi/instructions.hpp"

#include <hwy/targets.h>

#include <cstdint>

namespace shortfall::mpi {

void use_instructions_of_all(detail::Communicator& communicator) {
  const std::int64_t here = hwy::SupportedTargets();
  std::int64_t common = here;
  for (const std::int64_t targets : communicator.gather_one(here)) common &= targets;
  if (common != here) hwy::DisableTargets(~common);
}

}  // namespace shortfall::mpi
