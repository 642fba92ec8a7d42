#pragma once

#include <cstdint>
#include <string>

#include "files/file_descriptor.hpp"
#include "files/file_lock.hpp"

namespace shortfall::io {

/// A CSV file `row,value,residual` that grows with a stream, in constant memory. `row` is the
/// number of the row in the stream, from 1 on. Numbers are written so that they read back to the
/// same bits.
///
/// The file may be longer than what a checkpoint covers: a run that resumes cuts it there and
/// continues, so that it ends with the bytes of one that was never stopped.
class PredictionsFile {
 public:
  /// How far a checkpoint covers the file.
  struct Extent {
    std::uint64_t bytes = 0;        ///< 0: there is no file yet
    std::uint32_t fingerprint = 0;  ///< of these bytes

    template <class Archive>
    void archive(Archive& state) {
      state(bytes);
      state(fingerprint);
    }
  };

  /// Replaces the file by one with only a header, or continues after `covered`. Throws OutputError
  /// if it cannot be written, and InvalidField "predictions" if it is not a regular file, or not
  /// the one that the checkpoint covers.
  PredictionsFile(std::string path, const Extent& covered);

  /// These throw OutputError, after which only is_intact() may be called: the file still has all
  /// that the last checkpoint covers.
  void add(std::uint64_t row, double value, double residual);
  void flush();   ///< so that readers see all that was added
  Extent sync();  ///< so that it survives a crash of the machine, too

  bool is_intact() const { return is_intact_; }

 private:
  void open(const Extent& covered);
  [[noreturn]] void fail(int error);

  std::string path_;
  FileLock lock_;
  FileDescriptor file_;
  std::string pending_;
  std::uint64_t bytes_ = 0;  // written
  bool is_intact_ = true;
};

}  // namespace shortfall::io
