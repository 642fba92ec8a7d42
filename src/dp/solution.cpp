#include "shortfall/dp/solution.hpp"

#include <fmt/format.h>

namespace shortfall {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::iteration_limit:
      return "iteration-limit";
    case Status::precision_limit:
      return "precision-limit";
    case Status::overflow:
      return "overflow";
    case Status::small_change:
      return "small-change";
    case Status::stopped:
      return "stopped";
  }
  return "unknown";
}

std::string Solution::brief_report() const {
  return fmt::format("{}: {} states within {:.3g} after {} iteration{}", to_string(status),
                     values.size(), error_bound, iterations, iterations == 1 ? "" : "s");
}

}  // namespace shortfall
