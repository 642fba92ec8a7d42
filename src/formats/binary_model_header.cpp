#include "formats/binary_model_header.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

#include "files/checksum.hpp"
#include "text/text.hpp"

namespace shortfall::io {
namespace {

constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::uint32_t reverse_byte_order = 0x04030201;
constexpr std::uint64_t section_alignment = 8;
constexpr std::uint64_t most_states = std::numeric_limits<StateIndex>::max();
constexpr std::uint64_t most_rows = std::uint64_t{1} << 48;  // sizes in bytes do not overflow

constexpr std::uint64_t aligned(std::uint64_t offset) {
  return (offset + section_alignment - 1) / section_alignment * section_alignment;
}

std::uint32_t checksum_of(const BinaryModelHeader& header) {
  return checksum(
      {reinterpret_cast<const char*>(&header), offsetof(BinaryModelHeader, checksum_of_header)});
}

/// Rejects what no model has; a checksum shows damage, but not who wrote the header.
void check_facts(const BinaryModelHeader& h, std::string_view file) {
  const auto check = [file](bool holds, std::string_view what, auto value,
                            std::string_view accepted) {
    if (!holds)
      reject({.file = file}, fmt::format("in its header, {} is {}", what, value), accepted);
  };
  check(h.sense <= 1, "the sense", h.sense, "0 (costs) or 1 (rewards)");
  check(h.has_terminal_states <= 1, "the mark of terminal states", h.has_terminal_states, "0 or 1");
  check(h.state_base <= 1, "the base of states", h.state_base, "0 or 1");
  check(h.action_base == 0 || h.action_base == 1, "the base of actions", h.action_base, "0 or 1");
  check(h.states >= 1 && h.states <= most_states, "the number of states", h.states,
        "1 to 4294967295");
  check(h.rows >= 1 && h.rows <= most_rows, "the number of rows", h.rows, "1 to 2^48");
  check(h.outcomes >= h.rows && h.outcomes <= most_rows, "the number of outcomes", h.outcomes,
        "at least one for each row, at most 2^48");
  check(h.longest_row >= 1 && h.longest_row <= h.outcomes, "the length of the longest row",
        h.longest_row, "1 up to the number of outcomes");
  check(h.lowest_cost <= 0.0 && std::isfinite(h.lowest_cost), "the lowest cost", h.lowest_cost,
        "a finite number, at most 0");
  check(h.highest_cost >= 0.0 && std::isfinite(h.highest_cost), "the highest cost", h.highest_cost,
        "a finite number, at least 0");
  check(h.least_probability > 0.0 && h.least_probability <= 1.0, "the smallest probability",
        h.least_probability, "a number in (0, 1]");
  check(h.cost_error >= 0.0 && std::isfinite(h.cost_error), "the error of costs", h.cost_error,
        "a finite number, at least 0");
  constexpr double rounding = std::numeric_limits<double>::epsilon() / 2;
  check(h.probability_error >= rounding && h.probability_error <= 1.0, "the error of probabilities",
        h.probability_error, "at least 2^-53, the rounding of one operation, and at most 1");
}

}  // namespace

ModelFacts ModelFacts::of(const Mdp& model, Sense sense) {
  const Outcomes& outcomes = model.outcomes();
  return {.sense = sense,
          .state_base = model.state_base(),
          .action_base = model.action_base(),
          .states = model.states(),
          .rows = outcomes.rows(),
          .outcomes = outcomes.size(),
          .longest_row = outcomes.longest_row(),
          .lowest_cost = model.row_costs().lowest,
          .highest_cost = model.row_costs().highest,
          .least_probability = model.row_costs().least_probability,
          .cost_error = outcomes.cost_error,
          .probability_error = outcomes.probability_error,
          .has_terminal_states = model.has_terminal_states()};
}

BinaryModelLayout::BinaryModelLayout(const ModelFacts& facts) {
  const std::array<std::uint64_t, section::count> bytes = {
      (facts.states + 1) * sizeof(std::uint64_t),
      facts.rows * sizeof(ActionIndex),
      (facts.rows + 1) * sizeof(std::uint64_t),
      facts.outcomes * sizeof(double),
      facts.outcomes * sizeof(double),
      facts.outcomes * sizeof(StateIndex)};
  for (const std::uint64_t size : bytes) checksums += block_count(size);
  file_bytes = sizeof(BinaryModelHeader) + checksums * sizeof(std::uint32_t);
  for (std::size_t s = 0; s < section::count; ++s) {
    sections[s] = {aligned(file_bytes), bytes[s]};
    file_bytes = sections[s].offset + bytes[s];
  }
}

BinaryModelHeader make_header(const ModelFacts& facts, std::uint32_t checksum_of_checksums) {
  const BinaryModelLayout layout(facts);
  BinaryModelHeader header{.magic = binary_model_magic,
                           .byte_order = byte_order,
                           .version = binary_model_version,
                           .sense = facts.sense == Sense::reward ? 1u : 0u,
                           .has_terminal_states = facts.has_terminal_states ? 1u : 0u,
                           .state_base = facts.state_base,
                           .action_base = facts.action_base,
                           .states = facts.states,
                           .rows = facts.rows,
                           .outcomes = facts.outcomes,
                           .longest_row = facts.longest_row,
                           .lowest_cost = facts.lowest_cost,
                           .highest_cost = facts.highest_cost,
                           .least_probability = facts.least_probability,
                           .cost_error = facts.cost_error,
                           .probability_error = facts.probability_error,
                           .sections = layout.sections,
                           .checksums = layout.checksums,
                           .checksum_of_checksums = checksum_of_checksums,
                           .checksum_of_header = 0};
  header.checksum_of_header = checksum_of(header);
  return header;
}

ModelFacts check_header(const BinaryModelHeader& header, std::uint64_t file_bytes,
                        std::string_view file) {
  const Place place{.file = file};
  if (header.magic != binary_model_magic) {
    reject(place, "this is not a binary model", accepted_binary_model);
  }
  if (header.byte_order == reverse_byte_order) {
    reject(place, "its numbers are in the byte order of another kind of machine",
           "a file converted on a machine like this one, for example from CSV");
  }
  if (header.byte_order == byte_order && header.version != binary_model_version) {
    reject(place, fmt::format("this is version {} of the format", header.version),
           fmt::format("version {}", binary_model_version));
  }
  if (header.byte_order != byte_order || header.checksum_of_header != checksum_of(header)) {
    reject(place, "its header does not match its checksum", accepted_binary_model);
  }
  check_facts(header, file);
  const ModelFacts facts{.sense = header.sense == 1 ? Sense::reward : Sense::cost,
                         .state_base = header.state_base,
                         .action_base = header.action_base,
                         .states = header.states,
                         .rows = header.rows,
                         .outcomes = header.outcomes,
                         .longest_row = header.longest_row,
                         .lowest_cost = header.lowest_cost,
                         .highest_cost = header.highest_cost,
                         .least_probability = header.least_probability,
                         .cost_error = header.cost_error,
                         .probability_error = header.probability_error,
                         .has_terminal_states = header.has_terminal_states == 1};
  const BinaryModelLayout layout(facts);
  if (header.sections != layout.sections || header.checksums != layout.checksums) {
    reject(place, "its index does not fit the numbers of states, rows and outcomes",
           accepted_binary_model);
  }
  if (file_bytes != layout.file_bytes) {
    reject(place,
           fmt::format("it has {} bytes, {} than its index says", file_bytes,
                       file_bytes < layout.file_bytes ? "fewer" : "more"),
           fmt::format("{} bytes, in a file that is not being written", layout.file_bytes));
  }
  return facts;
}

}  // namespace shortfall::io
