// A library to preload into a command: the time of day jumps by years, forwards and backwards, from
// one look at it to the next. The monotonic clock jumps forwards, as it may after a machine slept.

#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <ctime>

namespace {

constexpr long year = 365L * 86400;
std::atomic<long> looks{0};

long jump(clockid_t clock) {
  const long look = ++looks;
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
      return (look % 7 - 3) * year;
    case CLOCK_MONOTONIC:
      return look * 3600;
    default:
      return 0;
  }
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) {
  const long result = syscall(SYS_clock_gettime, clock, time);
  if (result == 0) time->tv_sec += jump(clock);
  return static_cast<int>(result);
}

int gettimeofday(timeval* time, void*) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t* result) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != nullptr) *result = now.tv_sec;
  return now.tv_sec;
}
}
