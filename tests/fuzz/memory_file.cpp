#include "tests/fuzz/memory_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "tests/fuzz/reader.hpp"

namespace shortfall::fuzz {
namespace {

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor, bytes.data(), bytes.size());
    expect(written > 0, "memory takes what is written to it");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string path_of(const io::FileDescriptor& file) {
  return fmt::format("/proc/self/fd/{}", file.get());
}

struct ScratchDirectory {
  ScratchDirectory() {
    std::string pattern = std::filesystem::temp_directory_path() / "shortfall-fuzz-XXXXXX";
    expect(::mkdtemp(pattern.data()) != nullptr, "there is room for a temporary directory");
    path = pattern;
  }
  /// Processes that are forked leave it to the first.
  ~ScratchDirectory() {
    if (::getpid() != owner) return;
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::filesystem::path path;
  pid_t owner = ::getpid();
};

}  // namespace

MemoryFile::MemoryFile(std::string_view bytes) : file_(::memfd_create("input", MFD_CLOEXEC)) {
  expect(file_.is_open(), "there is a file in memory");
  write_all(file_.get(), bytes);
}

std::string MemoryFile::path() const {
  return path_of(file_);
}

Pipe::Pipe() {
  std::array<int, 2> ends{};
  expect(::pipe2(ends.data(), O_CLOEXEC) == 0, "there is a pipe");
  end_ = io::FileDescriptor(ends[0]);
  beginning_ = io::FileDescriptor(ends[1]);
}

void Pipe::write(std::string_view bytes) const {
  write_all(beginning_.get(), bytes);
}

void Pipe::close() {
  const io::FileDescriptor closed = std::move(beginning_);
}

std::string Pipe::path() const {
  return path_of(end_);
}

FullPipe::FullPipe(std::string_view bytes) {
  write(bytes);
  close();
}

std::string scratch_path() {
  static const ScratchDirectory directory;
  return directory.path / "out";
}

std::optional<std::string> with_blanks(std::string_view rows) {
  std::string result;
  for (const char c : rows) {
    if (c != '\n' && c != '\r' && c != '\t' && (c < ' ' || c > '~')) return std::nullopt;
    result += c;
    if (c == '\n') result += ' ';
  }
  return result;
}

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace shortfall::fuzz
