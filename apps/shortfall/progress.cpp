#include "apps/shortfall/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace shortfall::app {

Progress::Progress()
    : on_terminal_(isatty(STDERR_FILENO) == 1), next_(Clock::now() + std::chrono::seconds(2)) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

bool Progress::due() const {
  return on_terminal_ && Clock::now() >= next_;
}

void Progress::show(std::string_view text) {
  if (!due()) return;
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
  shown_ = true;
  next_ = Clock::now() + std::chrono::milliseconds(200);
}

void Progress::log(std::string_view line) {
  fmt::print(stderr, "{}{}\n", shown_ ? "\r\033[K" : "", line);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace shortfall::app
