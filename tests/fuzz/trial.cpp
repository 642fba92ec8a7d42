#include "tests/fuzz/trial.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace shortfall::fuzz {
namespace {

constexpr std::size_t no_input = ~std::size_t{0};

/// The input that is being read, in memory that both processes see.
class CurrentInput {
 public:
  explicit CurrentInput(std::size_t longest)
      : longest_(longest),
        bytes_(::mmap(nullptr, sizeof(std::size_t) + longest, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    expect(bytes_ != MAP_FAILED, "there is memory for an input");
    clear();
  }
  CurrentInput(const CurrentInput&) = delete;
  CurrentInput& operator=(const CurrentInput&) = delete;
  ~CurrentInput() { ::munmap(bytes_, sizeof(std::size_t) + longest_); }

  void set(const std::string& input) {
    expect(input.size() <= longest_, "an input is not longer than was said");
    std::memcpy(content(), input.data(), input.size());
    put_size(input.size());
  }
  void clear() { put_size(no_input); }
  [[nodiscard]] std::optional<std::string> get() const {
    std::size_t size = 0;
    std::memcpy(&size, bytes_, sizeof size);
    if (size == no_input) return std::nullopt;
    return std::string(content(), size);
  }

 private:
  void put_size(std::size_t size) { std::memcpy(bytes_, &size, sizeof size); }
  [[nodiscard]] char* content() const { return static_cast<char*>(bytes_) + sizeof(std::size_t); }

  std::size_t longest_;
  void* bytes_;
};

/// From here on this process may use so much processor time; then SIGPROF ends it.
void limit_processor_time(int seconds) {
  const itimerval limit{.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_usec = 0}};
  expect(::setitimer(ITIMER_PROF, &limit, nullptr) == 0, "there is a timer");
}

/// Ends the process as any program ends, with the count of leaks and of branches.
[[noreturn]] void read_all(const Reader& reader, const Trial& trial, CurrentInput& current) {
  for (std::size_t i = 0; i < trial.count; ++i) {
    const std::string input = trial.next();
    current.set(input);
    limit_processor_time(trial.seconds);
    // Without the room and the NUL byte that a string has behind its content.
    const std::vector<char> exact(input.begin(), input.end());
    reader.read({exact.data(), exact.size()});
  }
  current.clear();
  limit_processor_time(0);
  std::exit(0);
}

std::string text_of_end(int status) {
  if (!WIFSIGNALED(status)) return fmt::format("exit code {}", WEXITSTATUS(status));
  if (WTERMSIG(status) == SIGPROF) return "the limit of processor time";
  return fmt::format("signal {}", WTERMSIG(status));
}

}  // namespace

std::optional<Failure> failure_of(const Reader& reader, const Trial& trial) {
  CurrentInput current(trial.longest);
  std::fflush(nullptr);  // what is not written yet would be written twice
  const pid_t child = ::fork();
  expect(child >= 0, "there is room for a process");
  if (child == 0) read_all(reader, trial, current);
  int status = 0;
  while (::waitpid(child, &status, 0) != child) expect(errno == EINTR, "a process ends");
  if (status == 0) return std::nullopt;
  return Failure{.input = current.get(), .end = text_of_end(status)};
}

std::optional<Failure> failure_on(const Reader& reader, const std::string& input, int seconds) {
  return failure_of(
      reader,
      {.count = 1, .next = [&] { return input; }, .longest = input.size(), .seconds = seconds});
}

}  // namespace shortfall::fuzz
