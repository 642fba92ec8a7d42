#include "apps/shortfall/time_left.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace shortfall::app {

std::string TimeLeft::text(double done) const {
  const double done_now = done_ + done;
  const double rest = std::max(all_ - done_now, 0.0);
  // Until a reference second is done, assume the reference pace.
  const double pace = done_now > 1.0 ? stopwatch_.seconds() / done_now : 1.0;
  const double seconds = rest * pace;
  const double percent = all_ > 0.0 ? 100.0 * (1.0 - rest / all_) : 100.0;
  return seconds < 90.0 ? fmt::format("{:.0f} %, {:.0f} s left", percent, seconds)
                        : fmt::format("{:.0f} %, {:.0f} min left", percent, seconds / 60.0);
}

}  // namespace shortfall::app
