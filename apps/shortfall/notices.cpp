#include "apps/shortfall/notices.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

namespace shortfall::app {

void Notices::say(std::string_view event, std::string_view message) const {
  say(event, message, nlohmann::json::object());
}

void Notices::say(std::string_view event, std::string_view message,
                  const nlohmann::json& details) const {
  if (!is_json()) {
    fmt::print(stderr, "shortfall: {}\n", message);
  } else {
    nlohmann::ordered_json line = {{"event", event}, {"message", message}};
    for (const auto& [key, value] : details.items()) line[key] = value;
    // File names need not be UTF-8, but JSON must be.
    const std::string text =
        line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    fmt::print(stderr, "{}\n", text);
  }
  std::fflush(stderr);
}

}  // namespace shortfall::app
