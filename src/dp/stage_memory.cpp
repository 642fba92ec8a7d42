#include "shortfall/dp/stage_memory.hpp"

#include <fmt/format.h>

#include "shortfall/memory.hpp"

namespace shortfall {

void check_stage_memory(std::size_t states, const FiniteHorizonOptions& options) {
  if (options.keep == KeepStages::last) return;
  // Values and decisions are a list each of one list for each stage: what the allocator adds, and
  // that a list moves when it grows, counts where there are few states.
  constexpr double allocation = 16.0;
  constexpr double growth = 3.0;
  constexpr double a_list = growth * sizeof(Policy) + allocation;
  const double a_stage =
      2.0 * a_list + static_cast<double>(states) * (sizeof(double) + sizeof(ActionIndex));
  check_memory(static_cast<double>(options.stages) * a_stage,
               fmt::format("to keep {} stages of {} states", options.stages, states),
               "fewer stages, or only the last one");
}

}  // namespace shortfall
