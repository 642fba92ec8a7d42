#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace shortfall::io {

/// An output could not be written; the message names the path and the reason. Not InvalidInput: the
/// disk may be full although all input was valid.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The descriptor that a path like `-`, /dev/stdout or /dev/fd/3 stands for. Opening such a path
/// again would overwrite what a shell redirection has received so far.
std::optional<int> open_stream(std::string_view path);

/// Whether a file has a temporary name before it is complete.
enum class Temporary {
  nameless,  ///< none if the file system supports that, except briefly to replace another file
  named      ///< a name in the same directory, which every file system supports
};

/// A file that appears under its name complete or not at all. Bytes go to a temporary file in the
/// same directory; commit() flushes them to the disk and renames the file. Without commit() nothing
/// is left behind, and an existing file of that name keeps its content. If a kill leaves a
/// temporary name behind, the next AtomicFile of the same path removes it.
///
/// A device or pipe (`/dev/null`, `/dev/stdout`, or `-` for standard output) is written to
/// directly. A named pipe is not opened before there is something to write, so that its reader sees
/// one end of file. Through a symbolic link, the file it points to is replaced or made. A replaced
/// file keeps its permissions; a read-only file is not replaced.
class AtomicFile {
 public:
  /// Throws OutputError if the directory is missing or not writable, or if `path` is a directory.
  explicit AtomicFile(std::string path, Temporary temporary = Temporary::nameless);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends. Throws OutputError, for example if the disk is full, after removing the temporary
  /// file.
  void write(std::string_view bytes);

  /// Gives the file its name. Call it once, after the last write(). Throws OutputError like
  /// write().
  void commit();

 private:
  struct Target;
  void flush();
  void write_through(std::string_view bytes);
  [[noreturn]] void fail(int error);

  std::string path_;
  std::string pending_;
  std::unique_ptr<Target> target_;  // none after a commit or a failure
};

/// Throws OutputError if AtomicFile would: before the work, not after it. Leaves the file and its
/// directory as they are.
void check_writable(const std::string& path);

/// Writes a file in one call.
void write_file(const std::string& path, std::string_view content);

/// Creates a directory and its parents if missing. Throws OutputError.
void make_directory(const std::string& path);

/// Removes a directory with what is in it, if it is there. Throws OutputError.
void remove_directory(const std::string& path);

}  // namespace shortfall::io
