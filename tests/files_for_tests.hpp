#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>

#include "shortfall/errors/error.hpp"

namespace shortfall::io {

/// A test with a temporary directory.
class FileTest : public ::testing::Test {
 protected:
  FileTest() {
    std::string pattern = ::testing::TempDir() + "shortfall-io-XXXXXX";
    directory = ::mkdtemp(pattern.data());
  }
  ~FileTest() override { std::filesystem::remove_all(directory); }

  std::string path(const std::string& name) const { return directory / name; }

  /// The path of a new file with this text. An existing one is removed rather than truncated,
  /// because ext4 would then wait until the new text is on disk.
  std::string file(std::string_view text, const std::string& name = "in.csv") const {
    std::filesystem::remove(path(name));
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  static std::string content(const std::string& file_path) {
    std::ifstream in(file_path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::size_t file_count() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(directory), {}));
  }

  std::filesystem::path directory;
};

/// The message of the exception that `action` throws.
template <class Error, class Action>
std::string failure_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

/// Checks that `action` throws InvalidInput whose message has all the parts.
template <class Action>
void expect_rejected(const Action& action, std::initializer_list<std::string_view> parts) {
  const std::string message = failure_of<InvalidInput>(action);
  for (const std::string_view part : parts) {
    EXPECT_THAT(message, ::testing::HasSubstr(std::string(part)));
  }
}

}  // namespace shortfall::io
