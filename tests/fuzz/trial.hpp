#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "tests/fuzz/reader.hpp"

/// Inputs that end a process, found from outside of it: whatever the end was, the input is known.
namespace shortfall::fuzz {

struct Failure {
  std::optional<std::string> input = {};  ///< none: at the end, where leaks are counted
  std::string end = {};                   ///< as "signal 6" or "exit code 1"
};

struct Trial {
  std::size_t count = 0;                   ///< of inputs
  std::function<std::string()> next = {};  ///< gives them one after the other
  std::size_t longest = 0;                 ///< no input is longer
  int seconds = 10;                        ///< of processor time that one of them may take
};

/// Reads the inputs in a process of their own, which ends at the first failure. Empty: there is
/// none.
std::optional<Failure> failure_of(const Reader& reader, const Trial& trial);

/// That of a single input.
std::optional<Failure> failure_on(const Reader& reader, const std::string& input, int seconds = 10);

}  // namespace shortfall::fuzz
