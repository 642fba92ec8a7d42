#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/side_by_side.hpp"
#include "benchmarks/transition_ring.hpp"

namespace shortfall::benchmarks {

/// The numbers as they lie in memory, for a process on the same machine.
template <class T>
std::string_view bytes_of(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

/// Another program, controlled through its standard input and output. Throws std::runtime_error
/// with the program's name if it cannot be started, fails, or closes its output.
class ChildProcess {
 public:
  explicit ChildProcess(const std::vector<std::string>& command);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  ///< closes its input and waits for it to exit

  void send(std::string_view bytes);
  std::string read_line();  ///< without the line end

  struct End {
    int status;          ///< as returned by wait()
    double peak_bytes;   ///< peak resident memory; at least what this process had at the fork
    std::string output;  ///< what had not been read yet
  };
  /// Closes its input and waits for it to exit.
  End finish();

 private:
  std::string name_;
  pid_t id_ = 0;
  std::FILE* input_ = nullptr;
  std::FILE* output_ = nullptr;
};

/// numpy_learners.py in another process: idle unless it is its turn.
class PythonLearners {
 public:
  PythonLearners();

  /// Resets all learners and loads a ring; Newton warms up for `warmup` samples.
  void take(const TransitionRing& ring, std::size_t warmup);
  /// θ after `updates` more updates of td or newton with numpy or numba.
  std::vector<double> learn(const std::string& algorithm, const std::string& library,
                            std::size_t updates);
  /// A contestant whose run consists of `updates` updates.
  Contestant contestant(const std::string& algorithm, const std::string& library,
                        std::size_t updates);

 private:
  ChildProcess process_;
};

}  // namespace shortfall::benchmarks
