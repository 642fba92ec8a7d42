#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace shortfall::io {

/// An output could not be written; the message names the path and the reason. Not InvalidInput:
/// the disk may be full although everything the user said was right.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Whether a file has a name before it is complete.
enum class Temporary {
  nameless,  ///< none where the file system can do that, but for a moment where it replaces another
  named      ///< a name of its own in the same directory, what every file system can do
};

/// A file that appears under its name whole or not at all. Bytes go to a temporary file of the same
/// directory; commit() brings them to the disk and renames. Without commit() nothing is left
/// behind, and a file that had the name before keeps its content. Where a kill leaves a temporary
/// after all, because it has a name for a moment or a file system needs one, the next AtomicFile of
/// the same path removes it.
///
/// A device or pipe (`/dev/null`, `/dev/stdout`, or `-` for standard output) is written to
/// directly. A symbolic link to a file stays, and the file is replaced. A replaced file keeps its
/// permissions, and one that is not writable is not replaced.
class AtomicFile {
 public:
  /// Throws OutputError where the directory is missing or not writable, or `path` is a directory.
  explicit AtomicFile(std::string path, Temporary temporary = Temporary::nameless);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends. Throws OutputError, say of a full disk; the temporary is gone by then.
  void write(std::string_view bytes);

  /// Gives the file its name: once, and nothing is written after. Throws OutputError like write().
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

/// The same in one call.
void write_file(const std::string& path, std::string_view content);

/// Makes a directory, and those above it, where they are not there. Throws OutputError.
void make_directory(const std::string& path);

}  // namespace shortfall::io
