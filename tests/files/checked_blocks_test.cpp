
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "files/checksum.hpp"
#include "files/file_descriptor.hpp"
#include "tests/files_for_tests.hpp"

namespace shortfall::io::checked_blocks {
namespace {

constexpr std::size_t header_bytes = 40;

/// A file with a header and an array of three blocks and a half.
class CheckedBlocks : public FileTest {
 protected:
  CheckedBlocks() : bytes(3 * checked_block_bytes + checked_block_bytes / 2, '\0') {
    std::mt19937_64 random(1);
    for (char& byte : bytes) byte = static_cast<char>(random());
    checksums = block_checksums(bytes);
    write(bytes);
  }

  void write(const std::string& array) {
    name = file(std::string(header_bytes, '#') + array);
    descriptor = open_input(name);
  }

  std::string read(std::size_t begin, std::size_t size) const {
    std::string target(size, '?');
    read_checked({.descriptor = descriptor.get(),
                  .file = name,
                  .offset = header_bytes,
                  .bytes = bytes.size(),
                  .checksums = checksums},
                 begin, target);
    return target;
  }

  std::string bytes;
  std::vector<std::uint32_t> checksums;
  std::string name;
  FileDescriptor descriptor;
};

TEST_F(CheckedBlocks, HaveTheCrcOfEachBlock) {
  ASSERT_EQ(checksums.size(), 4u);
  EXPECT_EQ(checksums[1],
            checksum(std::string_view(bytes).substr(checked_block_bytes, checked_block_bytes)));
  EXPECT_EQ(checksums[3], checksum(std::string_view(bytes).substr(3 * checked_block_bytes)));
  EXPECT_TRUE(block_checksums({}).empty());
}

TEST_F(CheckedBlocks, AreReadFromAnyPositionOn) {
  const std::size_t block = checked_block_bytes;
  for (const std::size_t begin : {std::size_t{0}, std::size_t{1}, block - 1, block, 2 * block + 7,
                                  bytes.size() - 1, bytes.size()}) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, block, block + 1, 2 * block}) {
      const std::size_t fits = std::min(size, bytes.size() - begin);
      EXPECT_TRUE(read(begin, fits) == bytes.substr(begin, fits)) << begin << ' ' << fits;
    }
  }
  EXPECT_TRUE(read(0, bytes.size()) == bytes);
}

TEST_F(CheckedBlocks, AreRejectedIfAByteOfTheirsHasChangedEvenWhereItIsNotAskedFor) {
  const std::size_t block = checked_block_bytes;
  std::string damaged = bytes;
  damaged[2 * block + 5] ^= 1;
  write(damaged);
  EXPECT_TRUE(read(0, 2 * block) == bytes.substr(0, 2 * block));
  EXPECT_TRUE(read(3 * block, 10) == bytes.substr(3 * block, 10));
  for (const std::size_t begin : {std::size_t{0}, 2 * block, 3 * block - 1}) {
    expect_rejected([&] { read(begin, 3 * block - begin); },
                    {name, "bytes 524328 to 786471 do not match their checksum"});
  }
}

TEST_F(CheckedBlocks, NameTheFirstOfSeveralDamagedBlocks) {
  std::string damaged = bytes;
  for (char& byte : damaged) byte ^= 1;
  write(damaged);
  for (int k = 0; k < 20; ++k) {
    expect_rejected([&] { read(0, bytes.size()); }, {"bytes 40 to 262183 do not match"});
  }
}

TEST_F(CheckedBlocks, AreRejectedIfTheFileWasTruncated) {
  std::filesystem::resize_file(name, header_bytes + bytes.size() - 1);
  EXPECT_TRUE(read(0, checked_block_bytes) == bytes.substr(0, checked_block_bytes));
  expect_rejected([&] { read(0, bytes.size()); }, {name, "do not match", "does not change"});
}

}  // namespace
}  // namespace shortfall::io::checked_blocks
