#include "formats/binary_model_sections.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "files/checksum.hpp"
#include "files/file_descriptor.hpp"
#include "files/input_file.hpp"
#include "text/text.hpp"

namespace shortfall::io {

BinaryModelSections::BinaryModelSections(const std::string& path)
    : name_(input_name(path)), file_(open_input(path, accepted_binary_model)) {
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) reject_input(name_, errno);
  if (!S_ISREG(status.st_mode)) fail("this is not a regular file");
  const auto file_bytes = static_cast<std::uint64_t>(status.st_size);
  BinaryModelHeader header{};
  if (file_bytes < sizeof header) {
    fail(fmt::format("it has {} bytes, and a header alone has {}", file_bytes, sizeof header));
  }
  read_at_offset(0, {reinterpret_cast<char*>(&header), sizeof header});
  facts_ = check_header(header, file_bytes, name_);
  layout_ = BinaryModelLayout(facts_);
  read_checksums(header.checksum_of_checksums);
}

void BinaryModelSections::fail(const std::string& problem) const {
  reject({.file = name_}, problem, accepted_binary_model);
}

void BinaryModelSections::read_at_offset(std::uint64_t offset, std::span<char> bytes) const {
  if (!read_at(offset, bytes, file_.get(), name_)) reject_cut_short(name_, layout_.file_bytes);
}

void BinaryModelSections::read_checksums(std::uint32_t checksum_of_checksums) {
  checksums_.resize(static_cast<std::size_t>(layout_.checksums));
  const std::span<char> bytes(reinterpret_cast<char*>(checksums_.data()),
                              checksums_.size() * sizeof(std::uint32_t));
  read_at_offset(sizeof(BinaryModelHeader), bytes);
  if (checksum({bytes.data(), bytes.size()}) != checksum_of_checksums) {
    fail("its checksums do not match their own checksum");
  }
  std::uint64_t end = sizeof(BinaryModelHeader) + bytes.size();
  std::size_t before = 0;
  for (std::size_t s = 0; s < section::count; ++s) {
    const auto& [offset, size] = layout_.sections[s];
    std::array<char, 8> gap{};
    read_at_offset(end, std::span(gap).first(static_cast<std::size_t>(offset - end)));
    if (gap != std::array<char, 8>{})
      fail(fmt::format("bytes {} to {} are not 0", end, offset - 1));
    first_checksum_[s] = before;
    before += static_cast<std::size_t>(block_count(size));
    end = offset + size;
  }
}

void BinaryModelSections::read_bytes(std::size_t s, std::uint64_t begin,
                                     std::span<char> bytes) const {
  const auto& [offset, size] = layout_.sections[s];
  const auto blocks = static_cast<std::size_t>(block_count(size));
  read_checked({.descriptor = file_.get(),
                .file = name_,
                .offset = offset,
                .bytes = size,
                .checksums = std::span(checksums_).subspan(first_checksum_[s], blocks)},
               begin, bytes);
}

std::uint64_t BinaryModelSections::read_beginnings(std::size_t s, std::uint64_t begin,
                                                   std::vector<std::size_t>& entries) const {
  read(s, begin, std::span(entries));
  const bool of_states = s == section::state_begin;
  const std::uint64_t most = of_states ? facts_.rows : facts_.outcomes;
  const std::uint64_t last = of_states ? facts_.states : facts_.rows;
  const bool sound = std::ranges::is_sorted(entries) && entries.back() <= most &&
                     (begin > 0 || entries.front() == 0) &&
                     (begin + entries.size() - 1 < last || entries.back() == most);
  if (!sound) {
    fail(fmt::format("where {} begin does not increase from 0 to {}",
                     of_states ? "the rows of states" : "the outcomes of rows", most));
  }
  const std::size_t first = entries.front();
  if (first > 0) {
    for (std::size_t& entry : entries) entry -= first;
  }
  return first;
}

std::uint64_t BinaryModelSections::beginning(std::size_t s, std::uint64_t k,
                                             std::uint64_t most) const {
  std::uint64_t entry = 0;
  read_at_offset(layout_.sections[s].offset + k * sizeof entry,
                 {reinterpret_cast<char*>(&entry), sizeof entry});
  return std::min(entry, most);
}

std::uint64_t BinaryModelSections::outcomes_before(std::uint64_t x) const {
  const std::uint64_t row = beginning(section::state_begin, x, facts_.rows);
  return beginning(section::row_begin, row, facts_.outcomes);
}

}  // namespace shortfall::io
