#pragma once

#include <sys/types.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace shortfall::benchmarks {

/// Another program, spoken to through its standard input and output. Throws std::runtime_error that
/// names the program where it cannot be started, fails or falls silent.
class ChildProcess {
 public:
  explicit ChildProcess(const std::vector<std::string>& command);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  ///< closes its input and waits for it

  void send(std::string_view bytes);
  std::string read_line();  ///< without its end

  struct End {
    int status;          ///< as of wait()
    double peak_bytes;   ///< of resident memory; no less than this process had when it began
    std::string output;  ///< what was not read before
  };
  /// Closes its input and waits.
  End finish();

 private:
  std::string name_;
  pid_t id_ = 0;
  std::FILE* input_ = nullptr;
  std::FILE* output_ = nullptr;
};

}  // namespace shortfall::benchmarks
