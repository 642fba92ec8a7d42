#pragma once

#include <chrono>
#include <string_view>

namespace shortfall::app {

/// A line on standard error that keeps itself up to date, from two seconds after its beginning on
/// and only where standard error is a terminal. Gone when this is.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool due() const;  ///< whether a new text would be shown now
  void show(std::string_view text);
  /// A line that stays, on any standard error, above the one that does not.
  void log(std::string_view line);

 private:
  using Clock = std::chrono::steady_clock;
  bool on_terminal_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace shortfall::app
