#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "files/file_descriptor.hpp"
#include "formats/binary_model_header.hpp"

namespace shortfall::io {

/// The file of a binary model with a sound header, and access to its sections. All functions throw
/// InvalidInput, which names the file.
class BinaryModelSections {
 public:
  explicit BinaryModelSections(const std::string& path);

  const std::string& name() const { return name_; }
  const ModelFacts& facts() const { return facts_; }
  [[noreturn]] void fail(const std::string& problem) const;

  /// Fills `entries` with those of section s from number `begin` on, which must exist.
  template <class T>
  void read(std::size_t s, std::uint64_t begin, std::span<T> entries) const {
    read_bytes(s, begin * sizeof(T),
               {reinterpret_cast<char*>(entries.data()), entries.size_bytes()});
  }

  /// The same for state_begin and row_begin, which must increase from 0 to the number of entries
  /// that they divide; but made to begin at 0. Returns what they began at.
  std::uint64_t read_beginnings(std::size_t s, std::uint64_t begin,
                                std::vector<std::size_t>& entries) const;

  /// The outcomes before state x, by the index alone, without checksums.
  std::uint64_t outcomes_before(std::uint64_t x) const;

 private:
  void read_at_offset(std::uint64_t offset, std::span<char> bytes) const;
  void read_checksums(std::uint32_t checksum_of_checksums);
  void read_bytes(std::size_t s, std::uint64_t begin, std::span<char> bytes) const;
  std::uint64_t beginning(std::size_t s, std::uint64_t k, std::uint64_t most) const;

  std::string name_;
  FileDescriptor file_;
  ModelFacts facts_;
  BinaryModelLayout layout_{ModelFacts{}};
  std::vector<std::uint32_t> checksums_;
  std::array<std::size_t, section::count> first_checksum_{};  // of each section
};

}  // namespace shortfall::io
