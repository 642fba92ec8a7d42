#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "shortfall/errors/error.hpp"

/// The state of a computation as bytes, and its checkpoint file. A class has one function
/// `archive(state)`, which calls state(member) for all its members. It serves both for writing,
/// with a StateWriter, and for reading, with a StateReader, so that the two cannot differ. Bytes
/// that are read may be damaged or forged: state.check(f) calls f, which throws InvalidInput for an
/// invalid state. They may have been written by the version before: what it did not have is read
/// only `if (state.version() >= N)`.
namespace shortfall::io {

/// The version of the format of checkpoints that is written, and the oldest that is read, which is
/// that of 0.2.0. Version 3 has counts of clipped rows, a share of bad rows, the file of bad rows,
/// the watch for outliers and Newton's samples in those of `learn`; others are as in version 2.
inline constexpr std::uint32_t checkpoint_version = 3;
inline constexpr std::uint32_t oldest_checkpoint_version = 2;

/// Not bool, for which most byte values are invalid.
template <class T>
concept PlainNumber = (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || std::is_enum_v<T>;

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

/// Appends each value to bytes().
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

  /// What write(*this) appends, preceded by its length: as a string has it, but without a copy.
  template <class Write>
  void block(const Write& write) {
    const std::size_t begin = bytes_.size();
    std::uint64_t size = 0;
    (*this)(size);
    write(*this);
    size = bytes_.size() - begin - sizeof size;
    std::memcpy(bytes_.data() + begin, &size, sizeof size);
  }

  static constexpr std::uint32_t version() { return checkpoint_version; }

  /// Does nothing: a state that is written is valid.
  template <class Check>
  void check(const Check&) const {}

  /// Makes room for a large state, so that it is not copied while it grows.
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads the same values in the same order. Vectors must already have their length.
class StateReader {
 public:
  /// `name` is the name of the file, for messages, and `version` the one that wrote it.
  StateReader(std::string_view name, std::string_view bytes,
              std::uint32_t version = checkpoint_version)
      : name_(name), rest_(bytes), version_(version) {}

  std::uint32_t version() const { return version_; }

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

  /// Calls read(inner) with a reader of a block, all of which it must read.
  template <class Read>
  void block(const Read& read) {
    const std::uint64_t size = length();
    StateReader inner(name_, {take(size), size}, version_);
    read(inner);
    inner.finish();
  }
  std::size_t bytes_left() const { return rest_.size(); }

  /// Calls check(), and puts the name of the file in front of the InvalidInput it throws.
  template <class Check>
  void check(const Check& check) const {
    try {
      check();
    } catch (const InvalidInput& error) {
      reject_state(error.what());
    }
  }

  /// Throws InvalidInput if fewer bytes are left. Call it before allocating a list of that size.
  void expect(std::uint64_t bytes) const {
    if (bytes > rest_.size()) reject_content();
  }

  /// Throws InvalidInput unless all bytes have been read.
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
  std::uint32_t version_;
};

/// A run cannot be resumed, because options differ from those that its checkpoint was made with.
/// Options have the names of the command line, without dashes.
class ChangedOption : public InvalidInput {
 public:
  struct Change {
    std::string option, value, before;
  };
  /// `fixed` lists the options that must not change, if others may; or is empty.
  ChangedOption(std::vector<Change> changes, std::vector<std::string> fixed, std::string path);

  const std::string& option() const noexcept { return changes_.front().option; }
  const std::vector<Change>& changes() const noexcept { return changes_; }
  /// The message with other names for the options, such as those of the command line: name(option).
  template <class Name>
  std::string message(const Name& name) const {
    std::vector<Change> changes = changes_;
    std::vector<std::string> fixed = fixed_;
    for (Change& change : changes) change.option = name(change.option);
    for (std::string& option : fixed) option = name(option);
    return message_of(changes, fixed, path_);
  }

 private:
  static std::string message_of(const std::vector<Change>& changes,
                                const std::vector<std::string>& fixed, const std::string& path);

  std::vector<Change> changes_;
  std::vector<std::string> fixed_;
  std::string path_;
};

/// Writes a checkpoint: a line of text that identifies the format, a version, the bytes and a
/// CRC-32, in a temporary file that is flushed to the disk and renamed. Throws OutputError.
void write_checkpoint(const std::string& path, std::string_view bytes);

struct Checkpoint {
  std::string bytes;
  std::uint32_t version;  ///< that wrote it, for StateReader
};

/// A checkpoint; nothing if the file does not exist. Throws InvalidInput if the file is not a
/// checkpoint, has a version that is not read, is truncated, or does not match its checksum.
std::optional<Checkpoint> load_checkpoint(const std::string& path);
/// Its bytes alone.
std::optional<std::string> read_checkpoint(const std::string& path);

}  // namespace shortfall::io
