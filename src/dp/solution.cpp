#include "shortfall/dp/solution.hpp"

#include <fmt/format.h>

#include "numbers/certain_digits.hpp"

namespace shortfall {

std::string Solution::brief_report() const {
  return fmt::format("{}: {} states within {} after {} iteration{}", to_string(status),
                     values.size(), bound_text(error_bound), iterations,
                     iterations == 1 ? "" : "s");
}

}  // namespace shortfall
