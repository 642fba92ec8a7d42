#include "apps/shortfall/stop_signals.hpp"

#include <poll.h>

namespace shortfall::app {
namespace {

volatile sig_atomic_t caught_signal = 0;

extern "C" void record_signal(int signal) {
  caught_signal = signal;
}

}  // namespace

StopSignals::StopSignals() {
  caught_signal = 0;
  struct sigaction action {};
  action.sa_handler = record_signal;  // without SA_RESTART, so that a wait ends
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
  // Blocked except in wait(), so that none is lost between a call of caught() and a wait.
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGINT);
  sigaddset(&stops, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &stops, &old_mask_);
}

StopSignals::~StopSignals() {
  pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

bool StopSignals::wait(int descriptor, std::chrono::milliseconds timeout) {
  pollfd input{.fd = descriptor, .events = POLLIN, .revents = 0};
  const auto count = timeout.count();
  const timespec limit{.tv_sec = count / 1000, .tv_nsec = count % 1000 * 1000000};
  return ppoll(&input, 1, &limit, &old_mask_) > 0;
}

std::string_view StopSignals::caught() const {
  switch (caught_signal) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    default:
      return {};
  }
}

}  // namespace shortfall::app
