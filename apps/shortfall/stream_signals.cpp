#include "apps/shortfall/stream_signals.hpp"

#include <poll.h>

#include <atomic>
#include <cstddef>
#include <ctime>

namespace shortfall::app {
namespace {

// Written by a handler, on whichever thread the signal comes, and read by all.
std::atomic<int> asked_to_stop = 0;
std::atomic<bool> asked_for_report = false;
std::atomic<bool> asked_to_reopen = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

extern "C" void record_stop(int signal) {
  asked_to_stop = signal;
}
extern "C" void record_request(int signal) {
  (signal == SIGUSR1 ? asked_for_report : asked_to_reopen) = true;
}

}  // namespace

StreamSignals::StreamSignals(HangUp hang_up) {
  asked_to_stop = 0;
  asked_for_report = asked_to_reopen = false;
  sigset_t handled;
  sigemptyset(&handled);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const int signal = signals[i];
    struct sigaction action {};
    const bool is_request = signal == SIGUSR1 || (signal == SIGHUP && hang_up == HangUp::reopens);
    action.sa_handler = is_request ? record_request : record_stop;  // a signal ends a wait
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, &old_[i]);
    // nohup(1) lets a hangup be ignored.
    const bool stays_ignored = signal == SIGHUP && !is_request && old_[i].sa_handler == SIG_IGN;
    if (stays_ignored) sigaction(signal, &old_[i], nullptr);
    sigaddset(&handled, signal);
  }
  pthread_sigmask(SIG_BLOCK, &handled, &old_mask_);
}

StreamSignals::~StreamSignals() {
  pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &old_[i], nullptr);
}

bool StreamSignals::wait(int descriptor, std::chrono::milliseconds timeout) {
  pollfd input{.fd = descriptor, .events = POLLIN, .revents = 0};
  const auto count = timeout.count();
  const timespec limit{.tv_sec = count / 1000, .tv_nsec = count % 1000 * 1000000};
  const bool ready = ppoll(&input, 1, &limit, &old_mask_) > 0;
  // A file, or a pipe that is never empty, is always ready, and then ppoll() delivers no signal.
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, &old_mask_, &blocked);
  pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
  return ready;
}

std::string_view StreamSignals::stopped_by() const {
  switch (asked_to_stop) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    case SIGUSR2:
      return "SIGUSR2";
    case SIGHUP:
      return "SIGHUP";
    default:
      return {};
  }
}

bool StreamSignals::take_report() {
  return asked_for_report.exchange(false);
}

bool StreamSignals::take_reopening() {
  return asked_to_reopen.exchange(false);
}

}  // namespace shortfall::app
