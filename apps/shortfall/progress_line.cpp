#include "apps/shortfall/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace shortfall::app {

ProgressLine::ProgressLine() : on_terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void ProgressLine::show(std::string_view text) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  if (on_terminal_) {
    fmt::print(stderr, "\r\033[K{}", text);
    next_ = now + std::chrono::milliseconds(200);
  } else {
    fmt::print(stderr, "progress: {}\n", text);
    next_ = now + std::min<Clock::duration>(now - start_, std::chrono::minutes(10));
  }
  std::fflush(stderr);
  shown_ = on_terminal_;
}

void ProgressLine::log(std::string_view line) {
  fmt::print(stderr, "{}{}\n", shown_ ? "\r\033[K" : "", line);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace shortfall::app
