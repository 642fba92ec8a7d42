#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "files/atomic_file.hpp"
#include "files/checksum.hpp"
#include "formats/binary_model_header.hpp"

namespace shortfall::io {
namespace {

static_assert(sizeof(std::size_t) == sizeof(std::uint64_t), "arrays are written as they are");

template <class T>
std::span<const char> bytes_of(const std::vector<T>& array) {
  return {reinterpret_cast<const char*>(array.data()), array.size() * sizeof(T)};
}

std::string_view as_text(std::span<const char> bytes) {
  return {bytes.data(), bytes.size()};
}

}  // namespace

void write_binary_model(const std::string& path, const Mdp& model, Sense sense) {
  AtomicFile file(path);
  const Outcomes& outcomes = model.outcomes();
  const std::array<std::span<const char>, section::count> sections = {
      bytes_of(model.state_begin()), bytes_of(model.actions_of_rows()),
      bytes_of(outcomes.row_begin),  bytes_of(outcomes.probability),
      bytes_of(outcomes.cost),       bytes_of(outcomes.next)};
  std::vector<std::uint32_t> checksums;
  for (const auto& section : sections) {
    const std::vector<std::uint32_t> of_section = block_checksums(section);
    checksums.insert(checksums.end(), of_section.begin(), of_section.end());
  }
  const std::string_view sums = as_text(bytes_of(checksums));
  const BinaryModelHeader header = make_header(ModelFacts::of(model, sense), checksum(sums));
  file.write({reinterpret_cast<const char*>(&header), sizeof header});
  file.write(sums);
  std::uint64_t written = sizeof header + sums.size();
  for (std::size_t s = 0; s < section::count; ++s) {
    constexpr std::string_view zeros("\0\0\0\0\0\0\0", 7);
    file.write(zeros.substr(0, header.sections[s].offset - written));
    file.write(as_text(sections[s]));
    written = header.sections[s].offset + sections[s].size();
  }
  file.commit();
}

}  // namespace shortfall::io
