#include "files/file_uses.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/files_for_tests.hpp"

namespace shortfall::io {
namespace file_uses_tests {

namespace fs = std::filesystem;
using Kind = FileUse::Kind;

class FileUses : public FileTest {
 protected:
  FileUses() {
    file("text", "in");
    fs::create_directory(path("folder"));
    fs::create_symlink("../in", path("folder/link"));
    fs::create_symlink("folder", path("other"));
    fs::create_hard_link(path("in"), path("hard"));
    fs::create_symlink("new", path("dangling"));
  }

  std::string problem(const std::string& read, const std::string& written) const {
    return failure_of<InvalidInput>([&] {
      check_no_overwriting(
          {{"the input", path(read), Kind::read}, {"--out", path(written), Kind::written}});
    });
  }
};

TEST_F(FileUses, OfAnInputCannotBeWrittenUnderAnyName) {
  for (const char* out : {"in", "./in", "folder/../in", "folder/link", "other/link", "other/../in",
                          "hard", "folder/../hard"}) {
    EXPECT_EQ(problem("in", out),
              "--out and the input are the same file, which would be overwritten; accepted: two "
              "files")
        << out;
  }
  EXPECT_EQ(problem("folder/link", "hard"), problem("in", "in"));
  for (const char* out : {"new", "folder", "folder/in", "in2"}) {
    EXPECT_EQ(problem("in", out), "nothing was thrown") << out;
  }
  EXPECT_EQ(problem("missing", "missing"), "nothing was thrown") << "nothing would be lost";
}

TEST_F(FileUses, OfAnOutputAreOneEvenBeforeItIsThere) {
  const auto both = [&](const std::string& first, const std::string& second) {
    return failure_of<InvalidInput>([&] {
      check_no_overwriting(
          {{"--save", path(first), Kind::written}, {"--out", path(second), Kind::written}});
    });
  };
  const std::string same = "--out and --save are the same file; accepted: two files";
  EXPECT_EQ(both("new", "new"), same);
  EXPECT_EQ(both("new", "folder/../new"), same);
  EXPECT_EQ(both("folder/new", "other/new"), same);
  EXPECT_EQ(both("new", "dangling"), same) << "a link makes the file to which it points";
  EXPECT_EQ(both("in", "hard"), same);
  EXPECT_EQ(both("new", "folder/new"), "nothing was thrown");
  EXPECT_EQ(both("nowhere/new", "nowhere/new"), "nothing was thrown") << "neither can be written";
}

TEST_F(FileUses, OfPipesAndDevicesOverwriteNothing) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(problem("pipe", "pipe"), "nothing was thrown");
  EXPECT_EQ(problem("../../dev/null", "../../dev/null"), "nothing was thrown");
  EXPECT_NO_THROW(check_no_overwriting({{"--out", "", Kind::written}, {"--at", "", Kind::read}}));
}

TEST_F(FileUses, MayReadAFileTwice) {
  EXPECT_NO_THROW(check_no_overwriting(
      {{"the input", path("in"), Kind::read}, {"--policy", path("hard"), Kind::read}}));
}

}  // namespace file_uses_tests
}  // namespace shortfall::io
