#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "files/file_descriptor.hpp"
#include "files/file_lock.hpp"

namespace shortfall::io {

/// A CSV file that grows with a stream, in constant memory: predictions, or bad rows. Numbers are
/// written so that they read back to the same bits.
///
/// The file may be longer than what a checkpoint covers: a run that resumes cuts it there and
/// continues, so that it ends with the bytes of one that was never stopped. It may also have been
/// moved or emptied by whoever rotates it, while the run goes on or between two runs. Then the run
/// continues with a new file, or at the end of the one that is there.
///
/// A pipe, a device, or standard output (`-`) gets the same lines, the header first, and has
/// nothing to resume.
class GrowingCsv {
 public:
  /// How far a checkpoint covers the file.
  struct Extent {
    std::uint64_t bytes = 0;        ///< 0: there is no file yet
    std::uint32_t fingerprint = 0;  ///< of these bytes

    bool operator==(const Extent&) const = default;
    template <class Archive>
    void archive(Archive& state) {
      state(bytes);
      state(fingerprint);
    }
  };
  struct Names {
    std::string path;
    const char* field;   ///< of the options, for InvalidField
    std::string header;  ///< with its line end
  };
  enum class Start { new_run, resumed };

  /// Opens a pipe or device, which may wait for its reader. Throws OutputError.
  explicit GrowingCsv(Names names);

  /// Replaces a file by one with only a header; or, if the run is resumed, continues after
  /// `covered`, or at the end of another file with that header. Throws OutputError if it cannot be
  /// written, and InvalidField if it is a file with something else in it.
  void begin(Start start, const Extent& covered);

  /// All but the last throw OutputError, after which only is_intact() may be called: the file still
  /// has all that the last checkpoint covers.
  template <class... Values>
  void add(fmt::format_string<Values...> line, Values&&... values) {
    fmt::format_to(std::back_inserter(pending_), line, std::forward<Values>(values)...);
    if (pending_.size() >= most_pending) flush();
  }
  void flush();   ///< so that readers see all that was added
  Extent sync();  ///< so that it survives a crash of the machine, too
  void reopen();  ///< after it was moved: continues with what is at its path now, or a new file
  bool is_intact() const { return is_intact_; }

  /// Why this is not the file that the checkpoint covers; empty if it is, or if there is none.
  const std::string& notice() const { return notice_; }

 private:
  static constexpr std::size_t most_pending = std::size_t{64} << 10;
  bool is_open() const { return file_.is_open(); }
  void open_file_at_path();
  std::uint64_t size();
  void continue_after(const Extent& covered);
  void continue_at_end();
  bool begins_with_header() const;
  void cut(std::uint64_t bytes);
  [[noreturn]] void fail(int error);

  Names names_;
  std::optional<FileLock> lock_;  // of a file
  FileDescriptor file_;
  std::string pending_;
  std::uint64_t bytes_ = 0;  // written to the file; 0 for a pipe
  std::string notice_;
  bool is_intact_ = true;
};

}  // namespace shortfall::io
