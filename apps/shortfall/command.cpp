#include "command.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "shortfall/io/atomic_file.hpp"

namespace shortfall::app {

void add_common_options(CLI::App& command, CommonOptions& options) {
  command.add_flag("--json", options.json, "Print one JSON document instead of text");
  command.add_option("--seed", options.seed, "Seed of all randomness")->capture_default_str();
  command.add_option("--threads", options.threads, "Number of threads; 0: all cores")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
}

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
