#include "files/transfer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "files/file_descriptor.hpp"
#include "tests/files_for_tests.hpp"

namespace shortfall::io {
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
