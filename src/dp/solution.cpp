#include "shortfall/dp/solution.hpp"

#include <fmt/format.h>

namespace shortfall {

std::string Solution::brief_report() const {
  return fmt::format("{}: {} states within {:.3g} after {} iteration{}", to_string(status),
                     values.size(), error_bound, iterations, iterations == 1 ? "" : "s");
}

}  // namespace shortfall
