#pragma once

#include <stdexcept>

namespace shortfall {

/// Input that violates a contract. The message gives the value found and what is accepted. Thrown
/// at the boundary only; numerical outcomes are a `Status` in the result instead.
class InvalidInput : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

}  // namespace shortfall
