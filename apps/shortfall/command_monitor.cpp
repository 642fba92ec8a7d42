#include "apps/shortfall/command_monitor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <ctime>
#include <utility>

#include "apps/shortfall/command.hpp"

namespace shortfall::app {

namespace {

// Written by a handler, on whichever thread the signal comes, and read by all.
std::atomic<int> caught_signal = 0;
std::atomic<std::int64_t> caught_at = 0;  ///< milliseconds
static_assert(std::atomic<int>::is_always_lock_free &&
              std::atomic<std::int64_t>::is_always_lock_free);  // as handlers need

std::int64_t milliseconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

/// One request may come as two signals in a row, as that of timeout(1) does. A later one means that
/// the program should not take longer.
extern "C" void record_signal_or_end(int signal) {
  constexpr std::int64_t grace_period = 500;
  if (caught_signal == 0) {
    caught_at = milliseconds_now();
    caught_signal = signal;
  } else if (milliseconds_now() - caught_at > grace_period) {
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
}

}  // namespace

StopSignals::StopSignals() {
  caught_signal = 0;
  struct sigaction action {};
  action.sa_handler = record_signal_or_end;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
  sigaction(SIGUSR1, &action, &old_user_);
  // What the parent had ignored, as a shell does SIGINT for jobs in the background, stays ignored.
  if (old_interrupt_.sa_handler == SIG_IGN) sigaction(SIGINT, &old_interrupt_, nullptr);
}

StopSignals::~StopSignals() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
  sigaction(SIGUSR1, &old_user_, nullptr);
}

std::string_view StopSignals::caught() const {
  switch (caught_signal) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    case SIGUSR1:
      return "SIGUSR1";
    default:
      return {};
  }
}

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
