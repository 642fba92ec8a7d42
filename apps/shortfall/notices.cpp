#include "apps/shortfall/notices.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/shortfall/command.hpp"

namespace shortfall::app {

void Notices::say(std::string_view event, std::string_view message) const {
  say(event, message, nlohmann::json::object());
}

void Notices::say(std::string_view event, std::string_view message,
                  const nlohmann::json& details) const {
  if (!is_json()) {
    app::say(fmt::format("shortfall: {}\n", message));
  } else {
    nlohmann::ordered_json line = {{"event", event}, {"message", message}};
    for (const auto& [key, value] : details.items()) line[key] = value;
    // File names need not be UTF-8, but JSON must be.
    app::say(line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  }
}

}  // namespace shortfall::app
