#include "apps/shortfall/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "apps/shortfall/command.hpp"
#include "files/atomic_file.hpp"
#include "files/file_descriptor.hpp"

namespace shortfall::app {

std::string TextTable::text() const {
  std::vector<std::size_t> width;
  for (const auto& row : rows_) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t j = 0; j < row.size(); ++j) width[j] = std::max(width[j], row[j].size());
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const bool left = align_ == Align::left || (j == 0 && align_ == Align::first_left);
      line += fmt::format(fmt::runtime(left ? "  {:<{}}" : "  {:>{}}"), row[j], width[j]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

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

namespace {

bool is_open(int descriptor) {
  return ::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF;
}

bool is_writable(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0) return errno != EBADF;  // a write will show
  return (flags & O_ACCMODE) != O_RDONLY;
}

/// Opens /dev/null on a closed descriptor. Those below it are open, so open() returns this one.
void fill(int descriptor, int flags) {
  if (is_open(descriptor)) return;
  if (io::uninterrupted([&] { return ::open("/dev/null", flags); }) == descriptor) return;
  std::_Exit(2);  // there may be no stream to report it on
}

}  // namespace

void prepare_standard_streams() {
  const bool has_output = is_writable(STDOUT_FILENO);
  fill(STDIN_FILENO, O_WRONLY);  // so that reads fail: end of file would look like empty input
  fill(STDOUT_FILENO, O_WRONLY);
  fill(STDERR_FILENO, O_WRONLY);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);
  if (!has_output) {
    throw io::OutputError("standard output is closed; accepted: an open one, such as /dev/null");
  }
}

}  // namespace shortfall::app
