#include "command.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "shortfall/io/atomic_file.hpp"

namespace shortfall::app {

void print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    throw io::OutputError(std::string("standard output: ") + std::strerror(errno));
  }
}

void print_json(const nlohmann::json& document) {
  print(document.dump(2) + "\n");
}

}  // namespace shortfall::app
