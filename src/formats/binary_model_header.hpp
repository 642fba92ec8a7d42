#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "shortfall/formats/binary_model.hpp"

namespace shortfall::io {

/// What is accepted in place of a file that cannot be used, for messages.
inline constexpr std::string_view accepted_binary_model =
    "a whole file as shortfall convert writes it";

namespace section {
enum : std::size_t { state_begin, action, row_begin, probability, cost, next, count };
}  // namespace section

/// Where a section is.
struct SectionPlace {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  bool operator==(const SectionPlace&) const = default;
};

/// Where everything is in the file of a model; the numbers of states, rows and outcomes decide.
struct BinaryModelLayout {
  std::uint64_t checksums = 0;  ///< their number
  std::array<SectionPlace, section::count> sections;
  std::uint64_t file_bytes = 0;

  explicit BinaryModelLayout(const ModelFacts& facts);
};

/// The header as in the file; see shortfall/formats/binary_model.hpp.
struct BinaryModelHeader {
  std::array<char, 16> magic;
  std::uint32_t byte_order;
  std::uint32_t version;
  std::uint32_t sense;
  std::uint32_t has_terminal_states;
  std::uint32_t state_base;
  std::int32_t action_base;
  std::uint64_t states;
  std::uint64_t rows;
  std::uint64_t outcomes;
  std::uint64_t longest_row;
  double lowest_cost;
  double highest_cost;
  double least_probability;
  double cost_error;
  double probability_error;
  std::array<SectionPlace, section::count> sections;
  std::uint64_t checksums;
  std::uint32_t checksum_of_checksums;
  std::uint32_t checksum_of_header;
};
static_assert(sizeof(BinaryModelHeader) == 224);

inline constexpr std::array<char, 16> binary_model_magic = {
    '\x89', 'S', 'H', 'O', 'R', 'T', 'F', 'A', 'L', 'L', '-', 'M', 'D', 'P', '\r', '\n'};

/// The header of a model, sealed by its checksum.
BinaryModelHeader make_header(const ModelFacts& facts, std::uint32_t checksum_of_checksums);

/// Throws InvalidInput, with `file` for the name, unless a file of `file_bytes` bytes can have this
/// header.
ModelFacts check_header(const BinaryModelHeader& header, std::uint64_t file_bytes,
                        std::string_view file);

}  // namespace shortfall::io
