#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "shortfall/names.hpp"

namespace shortfall::app {

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

}  // namespace shortfall::app
