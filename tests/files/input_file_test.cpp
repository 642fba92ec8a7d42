#include "files/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <future>
#include <string>
#include <thread>

#include "files/file_descriptor.hpp"
#include "shortfall/errors/error.hpp"
#include "tests/files_for_tests.hpp"
#include "text/csv.hpp"

namespace shortfall::io {

namespace {

using namespace std::string_view_literals;

class InputFileTest : public FileTest {
 protected:
  /// A named pipe into which `text` is written, and which stays open until `done`.
  template <class Done>
  std::thread pipe_with(std::string text, Done done) {
    ::signal(SIGPIPE, SIG_IGN);
    ::mkfifo(path("pipe").c_str(), 0600);
    return std::thread([name = path("pipe"), text = std::move(text), done] {
      const int out = ::open(name.c_str(), O_WRONLY);
      std::string_view rest = text;
      while (!rest.empty()) {
        const ssize_t count = ::write(out, rest.data(), rest.size());
        if (count < 0) break;
        rest.remove_prefix(static_cast<std::size_t>(count));
      }
      done();
      ::close(out);
    });
  }
};

TEST_F(InputFileTest, ShowsTheBytesOfAFile) {
  const InputFile in(file("a,b\r\n1,2"));
  EXPECT_EQ(in.text(), "a,b\r\n1,2");
  EXPECT_EQ(in.name(), path("in.csv"));
}

TEST_F(InputFileTest, DropsAByteOrderMark) {
  EXPECT_EQ(InputFile(file("\xEF\xBB\xBFvalue\n1\n")).text(), "value\n1\n");
}

TEST_F(InputFileTest, ReadsAPipeToItsEnd) {
  std::string text;
  while (text.size() < 5 * longest_line) text += "0.123456789\n";
  std::thread writer = pipe_with(text, [] {});
  EXPECT_EQ(InputFile(path("pipe")).text(), text);
  writer.join();
}

TEST_F(InputFileTest, ReadsStandardInputFromItsPosition) {
  const int before = ::dup(STDIN_FILENO);
  for (const auto name : {"-", "/dev/stdin"}) {
    const int in = ::open(file("skip\n1\n2\n").c_str(), O_RDONLY);
    ::lseek(in, 5, SEEK_SET);
    ::dup2(in, STDIN_FILENO);
    const InputFile input(name);
    EXPECT_EQ(input.text(), "1\n2\n");
    EXPECT_EQ(input.name(), "standard input");
    ::close(in);
  }
  ::dup2(before, STDIN_FILENO);
  ::close(before);
}

TEST_F(InputFileTest, ReadsFilesThatHideTheirSize) {
  EXPECT_THAT(std::string(InputFile("/proc/self/status").text()), ::testing::HasSubstr("Pid:"));
}

TEST_F(InputFileTest, ReadsALargeFileWhole) {
  std::string text;
  while (text.size() < (std::size_t{9} << 20)) text += fmt::format("{}\n", text.size());
  EXPECT_TRUE(InputFile(file(text)).text() == text);
}

TEST_F(InputFileTest, KeepsTheBytesOfAFileThatIsTruncatedAfterwards) {
  std::string text;
  while (text.size() < (std::size_t{1} << 20)) text += fmt::format("{}\n", text.size());
  const InputFile in(file(text));
  std::filesystem::resize_file(path("in.csv"), 0);
  EXPECT_TRUE(in.text() == text);
}

TEST_F(InputFileTest, ReportsThatAFileWasTruncatedWhileRead) {
  // A file that the kernel generates on reading: it has fewer bytes than its size says.
  const std::string shorter = "/sys/kernel/mm/transparent_hugepage/enabled";
  if (!std::filesystem::exists(shorter)) GTEST_SKIP() << "there is no " << shorter;
  expect_rejected([&] { InputFile in(shorter); },
                  {shorter, "had 4096 bytes", "truncated while it was read", "accepted: a file"});
}

TEST_F(InputFileTest, ReportsAMissingFile) {
  expect_rejected([&] { InputFile in(path("none.csv")); },
                  {path("none.csv"), "no such file", "a text file, or - for standard input"});
}

TEST_F(InputFileTest, ReportsThatAPathIsADirectory) {
  expect_rejected([&] { InputFile in(directory); }, {directory.string(), "directory"});
}

TEST_F(InputFileTest, ReportsWhySomethingElseCannotBeOpened) {
  const std::string below_a_file = file("1\n") + "/in.csv";
  expect_rejected([&] { InputFile in(below_a_file); }, {below_a_file, "Not a directory"});
}

TEST_F(InputFileTest, ReportsThatAFileIsNotReadable) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const std::string name = file("1\n");
  std::filesystem::permissions(name, std::filesystem::perms::none);
  expect_rejected([&] { InputFile in(name); }, {name, "Permission denied"});
}

TEST_F(InputFileTest, ReportsThatAFileIsEmpty) {
  const std::string accepted = "a text file, or - for standard input";
  expect_rejected([&] { InputFile in(file("")); }, {path("in.csv"), "the file is empty", accepted});
  expect_rejected([&] { InputFile in("/dev/null"); }, {"/dev/null", "the file is empty", accepted});
}

TEST_F(InputFileTest, RefusesBinaryFiles) {
  expect_rejected(
      [&] {
        InputFile in(
            file("\x7F"
                 "ELF\0\1"sv));
      },
      {path("in.csv"), "NUL byte", "UTF-8"});
  expect_rejected(
      [&] {
        InputFile in(
            file("\xFF\xFE"
                 "v\0\n\0"sv));
      },
      {"UTF-16"});
}

TEST_F(InputFileTest, RefusesDevicesWithoutEndAsSoonAsTheyAreNotText) {
  expect_rejected([] { InputFile in("/dev/zero"); }, {"/dev/zero", "NUL byte"});
}

TEST_F(InputFileTest, RefusesALineWithoutEndWhileItIsStillComing) {
  // The pipe stays open until the message arrives: waiting for its end would never return.
  std::promise<void> refused;
  std::thread writer = pipe_with("value\n1\n" + std::string(2 * longest_line, '7'),
                                 [&refused] { refused.get_future().wait(); });
  expect_rejected([&] { InputFile in(path("pipe")); },
                  {path("pipe"), "line 3", "too long", "65536 bytes"});
  refused.set_value();
  writer.join();
}

}  // namespace

namespace whole_file_tests {

using ::testing::AllOf;
using ::testing::HasSubstr;

class WholeFile : public FileTest {
 protected:
  static std::string refusal(const std::string& path) {
    return failure_of<InvalidInput>([&] { whole_file(path, "first\n", "a seal"); });
  }
};

TEST_F(WholeFile, IsReadOnlyIfItBeginsAsExpected) {
  const std::string rest(300'000, 'x');
  const std::string good = file("first\n" + rest, "good");
  const std::string other = file("other\n" + rest, "other");
  const std::string brief = file("fir", "brief");
  EXPECT_EQ(whole_file(good, "first\n", ""), "first\n" + rest);
  EXPECT_EQ(whole_file(other, "first\n", ""), "other\n");
  EXPECT_EQ(whole_file(brief, "first\n", ""), "fir");
  EXPECT_EQ(whole_file(brief, "", ""), "fir");
}

TEST_F(WholeFile, IsARegularFileThatExists) {
  EXPECT_THAT(refusal(path("nowhere")),
              AllOf(HasSubstr("nowhere: there is no such file"), HasSubstr("accepted: a seal")));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(refusal(path("pipe")), HasSubstr("pipe: this is not a regular file"));
}

TEST_F(WholeFile, HasABeginning) {
  const std::string letters = file("abcdef");
  EXPECT_EQ(beginning_of(letters, 4), "abcd");
  EXPECT_EQ(beginning_of(letters, 10), "abcdef");
  EXPECT_EQ(beginning_of(path("nowhere"), 10), "");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(beginning_of(path("pipe"), 10), "") << "which would wait for a writer";
}

/// The memory of the process, whose first page is not mapped, is a regular file of which no byte
/// can be read there: EIO.
TEST_F(WholeFile, ThatCannotBeReadIsNotOneOfAnotherFormat) {
  EXPECT_THAT(failure_of<InvalidInput>([] { beginning_of("/proc/self/mem", 4); }),
              AllOf(HasSubstr("/proc/self/mem: Input/output error"), HasSubstr("accepted:")));
}

}  // namespace whole_file_tests

namespace transfer_tests {

/// More than a pipe holds, which is 64 KiB.
const std::string much(std::size_t{1} << 20, 'x');

struct Pipe {
  explicit Pipe(int flags = 0) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), flags), 0);
    reader = FileDescriptor(ends[0]);
    writer = FileDescriptor(ends[1]);
  }
  /// All that comes until the writer closes.
  std::string read_to_end() const {
    std::string text;
    std::array<char, 5000> part{};
    for (;;) {
      const long count = read_some(reader.get(), part.data(), part.size());
      EXPECT_GE(count, 0);
      if (count <= 0) return text;
      text.append(part.data(), static_cast<std::size_t>(count));
    }
  }

  FileDescriptor reader;
  FileDescriptor writer;
};

TEST(Transfer, WaitsForRoomInAPipeThatDoesNotBlock) {
  Pipe pipe(O_NONBLOCK);
  std::string received;
  std::thread other([&] { received = pipe.read_to_end(); });
  EXPECT_TRUE(write_all(pipe.writer.get(), much));
  { const FileDescriptor closed = std::move(pipe.writer); }
  other.join();
  EXPECT_EQ(received, much);
}

TEST(Transfer, GoesOnAfterSignals) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) {};  // without SA_RESTART
  ASSERT_EQ(::sigaction(SIGUSR1, &action, &before), 0);
  Pipe pipe;
  const pthread_t self = ::pthread_self();
  std::string received;
  std::thread other([&] {
    for (int k = 0; k < 20; ++k) {
      ::pthread_kill(self, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    received = pipe.read_to_end();
  });
  EXPECT_TRUE(write_all(pipe.writer.get(), much));  // waits for the reader, and is interrupted
  { const FileDescriptor closed = std::move(pipe.writer); }
  other.join();
  ::sigaction(SIGUSR1, &before, nullptr);
  EXPECT_EQ(received, much);
}

TEST(Transfer, TellsWhyItFailed) {
  const FileDescriptor full = open_file("/dev/full", O_WRONLY);
  EXPECT_FALSE(write_all(full.get(), "x"));
  EXPECT_EQ(errno, ENOSPC);
  EXPECT_TRUE(write_all(full.get(), ""));
  char byte = 0;
  EXPECT_LT(read_some(full.get(), &byte, 1), 0);
  EXPECT_EQ(errno, EBADF);
}

}  // namespace transfer_tests

}  // namespace shortfall::io
