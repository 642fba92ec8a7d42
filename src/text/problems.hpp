#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shortfall/errors/error.hpp"

namespace shortfall::io {

/// All that is wrong with a file, for one message: whoever mends it wants to see everything.
class Problems {
 public:
  explicit Problems(std::string_view file) : file_(file) {}

  /// Calls work(), and keeps the InvalidInput that it throws. Returns whether it threw none.
  template <class Work>
  bool keep(Work&& work) {
    try {
      std::forward<Work>(work)();
      return true;
    } catch (const InvalidInput& error) {
      add(error.what());
      return false;
    }
  }

  void add(const std::string& message);
  bool empty() const { return count_ == 0; }

  /// Throws InvalidInput if there are problems: the one there is, or "FILE: 3 problems", with one
  /// line for each of the first twenty.
  void throw_if_any() const;

 private:
  std::string_view file_;
  std::size_t count_ = 0;
  std::vector<std::string> first_;
};

}  // namespace shortfall::io
