#include "files/file_lock.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <string>

#include "files/atomic_file.hpp"
#include "files/path_names.hpp"
#include "tests/files/system_calls_for_tests.hpp"
#include "tests/files_for_tests.hpp"

namespace shortfall::io {

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using FileLockTest = FileTest;

TEST_F(FileLockTest, ExcludesOtherProcessesAndLeavesNoFile) {
  {
    const FileLock lock(path("state"));
    EXPECT_THAT(failure_of<OutputError>([&] { const FileLock other(path("state")); }),
                AllOf(HasSubstr(path("state")), HasSubstr("another run is using it")));
    EXPECT_EQ(file_count(), 1u) << "the refused process leaves the lock file to the other";
  }
  EXPECT_EQ(file_count(), 0u);
}

TEST_F(FileLockTest, ReusesTheEmptyFileThatAKillLeft) {
  file("", ".state.lock");
  { const FileLock lock(path("state")); }
  EXPECT_EQ(file_count(), 0u);
}

TEST_F(FileLockTest, RefusesAFileThatIsNotItsOwn) {
  file("precious", ".state.lock");
  EXPECT_THAT(failure_of<OutputError>([&] { const FileLock lock(path("state")); }),
              HasSubstr("not an empty file"));
  EXPECT_EQ(content(path(".state.lock")), "precious");
}

TEST_F(FileLockTest, LeavesNoFileIfItCannotLock) {
  const auto try_to_lock = [&] {
    const std::string message =
        failure_of<OutputError>([&] { const FileLock lock(path("state")); });
    ::_exit(message.find("No locks available") != std::string::npos ? 0 : 1);
  };
  const auto failing = testing::failing(ENOLCK);
  int status = testing::run_with_calls({SYS_flock}, failing, try_to_lock);
  if (WEXITSTATUS(status) == testing::no_filter) GTEST_SKIP() << "no filter for system calls";
  EXPECT_EQ(status, 0);
  EXPECT_EQ(file_count(), 0u);
  // A lock file that existed before is kept: it may belong to another process.
  file("", ".state.lock");
  status = testing::run_with_calls({SYS_flock}, failing, try_to_lock);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(FileLockTest, LeavesNoFileIfItCannotStatIt) {
  const int status = testing::run_with_calls(
#ifdef SYS_newfstatat
      {SYS_fstat, SYS_newfstatat},
#else
      {SYS_fstat},
#endif
      testing::failing(EOVERFLOW), [&] {
        const std::string message =
            failure_of<OutputError>([&] { const FileLock lock(path("state")); });
        ::_exit(message.find("cannot be locked") != std::string::npos ? 0 : 1);
      });
  if (WEXITSTATUS(status) == testing::no_filter) GTEST_SKIP() << "no filter for system calls";
  EXPECT_EQ(status, 0);
  EXPECT_EQ(file_count(), 0u);
}

}  // namespace

namespace path_names_tests {

TEST(PathNames, AreThoseOfTheShell) {
  for (const auto& [path, directory, name] :
       {std::tuple("file", ".", "file"), std::tuple("a/file", "a", "file"),
        std::tuple("/file", "/", "file"), std::tuple("/a/b/file", "/a/b", "file"),
        std::tuple("a/", "a", ""), std::tuple("", ".", "")}) {
    EXPECT_EQ(directory_of(path), directory) << path;
    EXPECT_EQ(name_of_file(path), name) << path;
  }
  EXPECT_EQ(sibling_of("file", "x"), "x");
  EXPECT_EQ(sibling_of("/file", "x"), "/x");
  EXPECT_EQ(sibling_of("/a/file", "x"), "/a/x");
}

class RealPath : public FileTest {};

TEST_F(RealPath, HasNoLinks) {
  const std::string whole = file("text", "whole");
  ASSERT_EQ(::symlink("whole", path("link").c_str()), 0);
  EXPECT_EQ(real_path(path("link")), real_path(whole));
  EXPECT_EQ(real_path(path("nowhere")), std::nullopt);
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace path_names_tests

}  // namespace shortfall::io
