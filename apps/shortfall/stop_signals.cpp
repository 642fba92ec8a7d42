#include "apps/shortfall/stop_signals.hpp"

#include <poll.h>

namespace shortfall::app {
namespace {

volatile sig_atomic_t caught_signal = 0;

extern "C" void record_signal(int signal) {
  caught_signal = signal;
}

}  // namespace

StopSignals::StopSignals(Delivery delivery) {
  caught_signal = 0;
  struct sigaction action {};
  action.sa_handler = record_signal;
  // While waiting, without SA_RESTART, so that a wait ends.
  if (delivery == Delivery::at_once) action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
  sigset_t stops;
  sigemptyset(&stops);
  if (delivery == Delivery::while_waiting) {
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGTERM);
  }
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
