#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/names/names.hpp"

namespace shortfall::app {

/// A text table whose columns are as wide as their widest cells.
class TextTable {
 public:
  enum class Align { right, first_left, left };  ///< first_left: the first column only
  explicit TextTable(Align align = Align::right) : align_(align) {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  Align align_;
  std::vector<std::vector<std::string>> rows_;
};

enum class LogFormat { text, json };
inline constexpr Names<LogFormat, 2> log_format_names{
    {{"text", LogFormat::text}, {"json", LogFormat::json}}};

/// What a long run says on standard error: as text for people, "shortfall: MESSAGE", or as one JSON
/// object per line for programs, {"event": .., "message": ..} and further keys.
class Notices {
 public:
  explicit Notices(LogFormat format) : format_(format) {}

  bool is_json() const { return format_ == LogFormat::json; }

  void say(std::string_view event, std::string_view message) const;
  /// `details` is an object, whose keys only the JSON has.
  void say(std::string_view event, std::string_view message, const nlohmann::json& details) const;

 private:
  LogFormat format_;
};

/// Call this before opening any file. It fills closed descriptors among 0, 1 and 2; otherwise the
/// next file opened would take their number and be used as a standard stream.
///
/// Reading from a closed standard input then fails, and writes to a closed standard error are
/// discarded. Throws OutputError if standard output is not writable. SIGPIPE is ignored: writing to
/// a closed pipe is an ordinary failed write from here on. SIGCHLD is not ignored, even if who
/// started this process ignores it: the end of a program that it runs could not be observed.
void prepare_standard_streams();

}  // namespace shortfall::app
