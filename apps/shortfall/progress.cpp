#include "apps/shortfall/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <utility>

#include "apps/shortfall/command.hpp"

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

ProgressLine::ProgressLine(PrintLine print_line)
    : print_line_(std::move(print_line)),
      on_terminal_(!print_line_ && isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (shown_) say("\r\033[K");
}

void ProgressLine::show(std::string_view text) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  if (on_terminal_) {
    say(fmt::format("\r\033[K{}", text));
    next_ = now + std::chrono::milliseconds(200);
  } else {
    if (print_line_) print_line_(text);
    if (!print_line_) say(fmt::format("progress: {}\n", text));
    next_ = now + std::min<Clock::duration>(now - start_, std::chrono::seconds(30));
  }
  shown_ = on_terminal_;
}

void ProgressLine::log(std::string_view line) {
  say(fmt::format("{}{}\n", shown_ ? "\r\033[K" : "", line));
  shown_ = false;
}

}  // namespace shortfall::app
