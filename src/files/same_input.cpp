#include "files/same_input.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "errors/require.hpp"
#include "files/checksum.hpp"
#include "files/file_descriptor.hpp"
#include "files/fingerprint.hpp"
#include "files/input_file.hpp"
#include "parallel/communicator.hpp"

namespace shortfall::io {

void check_same(std::span<const std::byte> bytes, const std::string& name,
                detail::Communicator& ranks) {
  if (ranks.size() == 1) return;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto read = ranks.gather_one(std::array<std::uint64_t, 2>{text.size(), checksum(text)});
  for (std::size_t r = 1; r < read.size(); ++r) {
    require(read[r] == read[0],
            "{}: rank {} has read different contents from rank 0; accepted: the same unchanging "
            "file on all ranks",
            name, r);
  }
}

void check_same_file(const std::string& path, detail::Communicator& ranks) {
  std::error_code ignored;
  const bool is_file = path != "-" && std::filesystem::is_regular_file(path, ignored);
  if (ranks.size() == 1 || !ranks.any(ranks.rank() == 0 && is_file)) return;
  const auto identity = detail::together(ranks, [&] {
    const FileDescriptor file = open_input(path);
    const std::uint64_t size = std::filesystem::file_size(path);
    return std::array<std::uint64_t, 2>{size,
                                        fingerprint_before(size, file.get(), input_name(path))};
  });
  check_same(std::as_bytes(std::span(identity)), input_name(path), ranks);
}

}  // namespace shortfall::io
