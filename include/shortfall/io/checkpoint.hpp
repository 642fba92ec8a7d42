#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "shortfall/error.hpp"

/// The state of a computation as bytes, and the file that keeps them. A state has one function,
/// `archive(state)`, which calls state(member) for all that it consists of; writing and reading are
/// two things to pass to it, so that they cannot differ. What is read may be damaged or forged:
/// state.check(f) calls f, which throws InvalidInput where that cannot be.
namespace shortfall::io {

/// Not bool, of which most bytes are none.
template <class T>
concept PlainNumber = (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || std::is_enum_v<T>;

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

/// Appends what it is given to bytes().
class StateWriter {
 public:
  template <PlainNumber T>
  void operator()(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void operator()(const std::string& text) {
    (*this)(std::uint64_t{text.size()});
    bytes_.append(text);
  }
  /// A vector of numbers, with its length; `field` is its name for messages.
  template <class V>
  requires PlainNumber<typename V::value_type>
  void operator()(const V& numbers, std::string_view /*field*/ = {}) {
    (*this)(std::uint64_t{numbers.size()});
    bytes_.append(reinterpret_cast<const char*>(numbers.data()),
                  numbers.size() * sizeof(typename V::value_type));
  }

  /// Nothing: what is written is sound.
  template <class Check>
  void check(const Check&) const {}

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Takes the same back, in the same order. Vectors must have the length they had.
class StateReader {
 public:
  /// `name` is that of the file, for messages.
  StateReader(std::string_view name, std::string_view bytes) : name_(name), rest_(bytes) {}

  template <PlainNumber T>
  void operator()(T& value) {
    std::memcpy(&value, take(sizeof value), sizeof value);
  }
  void operator()(std::string& text) {
    const std::uint64_t size = length();
    text.assign(take(size), size);
  }
  template <class V>
  requires PlainNumber<typename V::value_type>
  void operator()(V& numbers, std::string_view field = "a list") {
    constexpr std::size_t size = sizeof(typename V::value_type);
    check_length(field, length(), numbers.size());
    std::memcpy(numbers.data(), take(numbers.size() * size), numbers.size() * size);
  }

  /// Calls check(). What it throws as InvalidInput gets the name of the file before it.
  template <class Check>
  void check(const Check& check) const {
    try {
      check();
    } catch (const InvalidInput& error) {
      reject_state(error.what());
    }
  }

  /// Throws InvalidInput where there are not so many bytes left: before a list gets that length.
  void expect(std::uint64_t bytes) const {
    if (bytes > rest_.size()) reject_content();
  }

  /// Throws InvalidInput unless all has been taken.
  void finish() const {
    if (!rest_.empty()) reject_content();
  }

 private:
  const char* take(std::uint64_t size);
  std::uint64_t length();
  void check_length(std::string_view field, std::uint64_t found, std::uint64_t expected) const;
  [[noreturn]] void reject_content() const;
  [[noreturn]] void reject_state(std::string_view problem) const;

  std::string_view name_;
  std::string_view rest_;
};

/// Writes a checkpoint: a line of text that says what it is, a version, the bytes and a CRC-32, in
/// a temporary file that is flushed to the disk and renamed. Throws OutputError.
void write_checkpoint(const std::string& path, std::string_view bytes);

/// The bytes of a checkpoint; nothing where there is no such file. Throws InvalidInput where the
/// file is no checkpoint, is one of another version, is cut short, or does not match its checksum.
std::optional<std::string> read_checkpoint(const std::string& path);

}  // namespace shortfall::io
