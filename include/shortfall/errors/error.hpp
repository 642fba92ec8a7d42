#pragma once

#include <stdexcept>
#include <string>

namespace shortfall {

/// Input that violates a contract. The message gives the value found and what is accepted. Thrown
/// at the boundary only; numerical outcomes are a `Status` in the result instead.
class InvalidInput : public std::invalid_argument {
 public:
  /// NUL bytes of the message, which may quote any text, are replaced by "\0": what() would end
  /// there.
  explicit InvalidInput(std::string message);
};

/// InvalidInput about one field of an options struct. It lets a program say where the value came
/// from, such as an option of the same name.
class InvalidField : public InvalidInput {
 public:
  /// `field` is a literal, such as "warmup".
  InvalidField(const char* field, const std::string& message)
      : InvalidInput(message), field_(field) {}
  const char* field() const noexcept { return field_; }

 private:
  const char* field_;
};

}  // namespace shortfall
