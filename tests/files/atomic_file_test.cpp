#include "files/atomic_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "tests/files/system_calls_for_tests.hpp"
#include "tests/files_for_tests.hpp"

namespace shortfall::io {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

/// Every case with a named and with a nameless temporary file.
class AtomicFileTest : public FileTest, public ::testing::WithParamInterface<Temporary> {
 protected:
  void write(const std::string& name, std::string_view text) {
    AtomicFile out(name, GetParam());
    out.write(text);
    out.commit();
  }
  std::string failure_to_write(const std::string& name, std::string_view text = "x") {
    return failure_of<OutputError>([&] { write(name, text); });
  }
};
INSTANTIATE_TEST_SUITE_P(Temporaries, AtomicFileTest,
                         ::testing::Values(Temporary::nameless, Temporary::named),
                         [](const auto& test) {
                           return test.param == Temporary::named ? "Named" : "Nameless";
                         });

/// Limits the size of files to `bytes` during its lifetime: simulates a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
};

TEST_P(AtomicFileTest, HasTheWholeContentAfterCommit) {
  const std::string large(1 << 20, 'x');
  AtomicFile out(path("out"), GetParam());
  out.write("head\n");
  out.write(large);
  EXPECT_FALSE(fs::exists(path("out")));
  out.commit();
  EXPECT_EQ(content(path("out")), "head\n" + large);
  EXPECT_EQ(file_count(), 1u);
}

TEST_P(AtomicFileTest, LeavesNothingWithoutCommit) {
  { AtomicFile(path("out"), GetParam()).write(std::string(1 << 20, 'x')); }
  EXPECT_EQ(file_count(), 0u);
}

TEST_P(AtomicFileTest, ReplacesAFileOnlyByCommit) {
  file("old", "out");
  { AtomicFile(path("out"), GetParam()).write("new"); }
  EXPECT_EQ(content(path("out")), "old");
  write(path("out"), "new");
  EXPECT_EQ(content(path("out")), "new");
  EXPECT_EQ(file_count(), 1u);
}

TEST_P(AtomicFileTest, KeepsThePermissionsOfAReplacedFile) {
  file("old", "out");
  fs::permissions(path("out"), fs::perms::owner_read | fs::perms::owner_write);
  write(path("out"), "new");
  EXPECT_EQ(fs::status(path("out")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_P(AtomicFileTest, GivesNewFilesThePermissionsThatTheUmaskLeaves) {
  const mode_t before = ::umask(027);
  write(path("out"), "new");
  ::umask(before);
  struct stat status {};
  ::stat(path("out").c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777u, 0640u);
}

TEST_P(AtomicFileTest, ReplacesWhatASymbolicLinkPointsTo) {
  fs::create_directory(path("below"));
  file("old", "below/target");
  fs::create_symlink("below/target", path("link"));
  write(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content(path("below/target")), "new");
}

TEST_P(AtomicFileTest, MakesTheFileThatASymbolicLinkLeadsToIfNothingIsThereYet) {
  fs::create_directory(path("below"));
  fs::create_symlink("below/next", path("link"));
  fs::create_symlink(path("below/target"), path("below/next"));
  write(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_TRUE(fs::is_symlink(path("below/next")));
  EXPECT_EQ(content(path("below/target")), "new");
  fs::create_symlink("nowhere/target", path("astray"));
  EXPECT_THAT(failure_to_write(path("astray")), HasSubstr("its directory does not exist"));
  fs::create_symlink("circle", path("circle"));
  EXPECT_THAT(failure_to_write(path("circle")), HasSubstr("circle"));
}

TEST_P(AtomicFileTest, WritesRelativePaths) {
  const fs::path before = fs::current_path();
  fs::current_path(directory);
  write("out", "new");
  fs::current_path(before);
  EXPECT_EQ(content(path("out")), "new");
}

TEST_P(AtomicFileTest, ReportsAMissingDirectory) {
  EXPECT_THAT(failure_to_write(path("none/out")),
              AllOf(HasSubstr(path("none/out")), HasSubstr("directory does not exist")));
}

TEST_P(AtomicFileTest, ReportsThatThePathIsADirectory) {
  EXPECT_THAT(failure_to_write(directory),
              AllOf(HasSubstr(directory.string()), HasSubstr("it is a directory")));
  EXPECT_THAT(failure_to_write(path("new/")), HasSubstr("it is a directory"));
}

TEST_P(AtomicFileTest, ReportsThatAFileIsNotWritable) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everything";
  file("old", "out");
  fs::permissions(path("out"), fs::perms::owner_read);
  EXPECT_THAT(failure_to_write(path("out")),
              AllOf(HasSubstr(path("out")), HasSubstr("Permission denied")));
  EXPECT_EQ(content(path("out")), "old");
}

TEST_P(AtomicFileTest, LeavesNothingWhenTheDiskIsFull) {
  file("old", "out");
  std::string message;
  {
    const FileSizeLimit limit(100000);
    message = failure_to_write(path("out"), std::string(1 << 20, 'x'));
  }
  EXPECT_THAT(message, AllOf(HasSubstr(path("out")), HasSubstr("File too large")));
  EXPECT_EQ(content(path("out")), "old");
  EXPECT_EQ(file_count(), 1u);
}

TEST_P(AtomicFileTest, HasNoTemporaryLeftOnceAWriteFailed) {
  AtomicFile out(path("out"), GetParam());
  {
    const FileSizeLimit limit(100000);
    EXPECT_THROW(out.write(std::string(1 << 20, 'x')), OutputError);
  }
  EXPECT_EQ(file_count(), 0u);
  EXPECT_THROW(out.commit(), OutputError);
  EXPECT_EQ(file_count(), 0u);
}

TEST_P(AtomicFileTest, WritesDevicesDirectly) {
  write("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THAT(failure_to_write("/dev/full"),
              AllOf(HasSubstr("/dev/full"), HasSubstr("No space left on device")));
}

TEST_P(AtomicFileTest, WritesPipesDirectly) {
  ::mkfifo(path("pipe").c_str(), 0600);
  std::string received;
  std::thread reader([&] { received = content(path("pipe")); });
  write(path("pipe"), "through");
  reader.join();
  EXPECT_EQ(received, "through");
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_P(AtomicFileTest, LooksAtAPipeWithoutOpeningItSoThatItsReaderSeesOneEnd) {
  ::mkfifo(path("pipe").c_str(), 0600);
  std::string received;
  std::thread reader([&] { received = content(path("pipe")); });
  { const AtomicFile probe(path("pipe"), GetParam()); }
  write(path("pipe"), "after the look");
  reader.join();
  EXPECT_EQ(received, "after the look");
}

TEST_P(AtomicFileTest, AppendsToAStandardOutputThatIsAFile) {
  const int before = ::dup(STDOUT_FILENO);
  const int redirected = ::open(path("log").c_str(), O_CREAT | O_WRONLY, 0600);
  ::dup2(redirected, STDOUT_FILENO);
  const bool printed = ::write(STDOUT_FILENO, "printed\n", 8) == 8;
  for (const auto name : {"/dev/stdout", "-", "/dev/fd/1", "/proc/self/fd/1"}) write(name, "x\n");
  ::dup2(before, STDOUT_FILENO);
  ::close(before);
  ::close(redirected);
  EXPECT_TRUE(printed);
  EXPECT_EQ(content(path("log")), "printed\nx\nx\nx\nx\n");
}

TEST_P(AtomicFileTest, IsAlwaysCompleteWhileManyWriteIt) {
  const std::string a(300000, 'a');
  const std::string b(200000, 'b');
  write(path("out"), a);
  const auto write_often = [&](const std::string& text) {
    for (int i = 0; i < 20; ++i) write(path("out"), text);
  };
  std::thread first(write_often, a);
  std::thread second(write_often, b);
  for (int i = 0; i < 20; ++i) EXPECT_THAT(content(path("out")), AnyOf(a, b));
  first.join();
  second.join();
  EXPECT_THAT(content(path("out")), AnyOf(a, b));
  EXPECT_EQ(file_count(), 1u);
}

TEST_P(AtomicFileTest, RemovesLeftoversOfAKillBeforeTheRename) {
  file("old", "out");
  for (int kills = 0; kills < 3; ++kills) {
    const int status = testing::run_with_calls(testing::rename_calls, testing::killed(),
                                               [&] { write(path("out"), "new"); });
    if (WIFEXITED(status)) GTEST_SKIP() << "no filter for system calls";
    ASSERT_EQ(WTERMSIG(status), SIGSYS);
    EXPECT_EQ(content(path("out")), "old");
    EXPECT_EQ(file_count(), 2u) << "what the last kill left, but nothing of those before";
  }
  { const AtomicFile probe(path("out"), GetParam()); }
  EXPECT_EQ(file_count(), 1u);
  write(path("out"), "new");
  EXPECT_EQ(content(path("out")), "new");
  EXPECT_EQ(file_count(), 1u);
}

TEST_P(AtomicFileTest, LeavesTemporariesOfOtherProcessesAlone) {
  file("old", "out");
  AtomicFile first(path("out"), GetParam());
  AtomicFile second(path("out"), GetParam());
  first.write("first");
  second.write("second");
  write(path("other"), "other");
  write(path("out"), "third");
  first.commit();
  EXPECT_EQ(content(path("out")), "first");
  second.commit();
  EXPECT_EQ(content(path("out")), "second");
  EXPECT_EQ(file_count(), 2u);
}

TEST_P(AtomicFileTest, WritesOnFileSystemsWithoutLocks) {
  file("old", "out");
  const int status = testing::run_with_calls({SYS_flock}, testing::failing(ENOLCK), [&] {
    AtomicFile live(path("out"), GetParam());
    write(path("out"), "new");
    live.write("last");
    live.commit();
  });
  if (status != 0) GTEST_SKIP() << "no filter for system calls";
  EXPECT_EQ(content(path("out")), "last");
  EXPECT_EQ(file_count(), 1u);
}

TEST_P(AtomicFileTest, AcceptsTheLongestPossibleNames) {
  const std::string longest(255, 'x');
  write(path(longest), "1");
  write(path(longest), "2");
  EXPECT_EQ(content(path(longest)), "2");
}

using NamelessTemporary = FileTest;

TEST_F(NamelessTemporary, GetsItsFinalNameDirectlyIfThatIsFree) {
  const int probe = ::open(directory.c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (probe < 0) GTEST_SKIP() << "this file system has no nameless files";
  ::close(probe);
  const int status = testing::run_with_calls(testing::rename_calls, testing::killed(),
                                             [&] { write_file(path("out"), "new"); });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(content(path("out")), "new");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(NamelessTemporary, LeavesNothingBehindAKilledProcess) {
  const int probe = ::open(directory.c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (probe < 0) GTEST_SKIP() << "this file system has no nameless files";
  ::close(probe);
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile out(path("out"));
    out.write(std::string(1 << 20, 'x'));
    ::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(file_count(), 0u);
}

TEST_F(NamelessTemporary, IsWhatWriteFileUses) {
  write_file(path("out"), "content");
  EXPECT_EQ(content(path("out")), "content");
  EXPECT_EQ(failure_of<OutputError>([] { write_file("", "x"); }),
            "cannot write '': Invalid argument");
}

using Directory = FileTest;

TEST_F(Directory, IsCreatedWithItsParents) {
  make_directory(path("a/b"));
  make_directory(path("a/b"));
  EXPECT_TRUE(std::filesystem::is_directory(path("a/b")));
}

TEST_F(Directory, CannotBeCreatedBelowAFile) {
  const std::string below = file("text", "taken") + "/b";
  EXPECT_THAT(failure_of<OutputError>([&] { make_directory(below); }),
              ::testing::AllOf(::testing::HasSubstr(below), ::testing::HasSubstr("accepted")));
}

TEST_F(Directory, IsRemovedWithWhatIsInIt) {
  make_directory(path("a/b"));
  write_file(path("a/b/text"), "content");
  remove_directory(path("a"));
  EXPECT_FALSE(std::filesystem::exists(path("a")));
  remove_directory(path("a"));  // not there
}

}  // namespace
}  // namespace shortfall::io
