#include "tests/apps/command_runner.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <stdexcept>

#include "installation.hpp"

namespace shortfall::testing {

namespace fs = std::filesystem;

std::string command_path() {
  return SHORTFALL_BINARY;
}

Workplace::Workplace() {
  std::string pattern = (fs::temp_directory_path() / "shortfall-test-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary directory");
  directory_ = pattern;
}

Workplace::~Workplace() {
  fs::remove_all(directory_);
}

Outcome Workplace::run(const std::string& arguments, std::string_view input) const {
  const Workplace streams;
  Outcome outcome = execute(arguments, input, streams.path("out"));
  outcome.out = streams.read("out");
  return outcome;
}

Outcome Workplace::run_into(const std::string& output, const std::string& arguments) const {
  return execute(arguments, {}, output);
}

Outcome Workplace::execute(const std::string& arguments, std::string_view input,
                           const std::string& output) const {
  const Workplace streams;
  streams.write("in", input);
  const int status =
      std::system(fmt::format("cd '{}' && '{}' {} <'{}' >'{}' 2>'{}'", directory_, command_path(),
                              arguments, streams.path("in"), output, streams.path("err"))
                      .c_str());
  // Whether a command takes long enough to report progress depends on the machine.
  const std::string err = std::regex_replace(streams.read("err"), std::regex("progress: .*\n"), "");
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, {}, err};
}

int Workplace::run_script(const std::string& script) const {
  const int status = std::system(
      fmt::format("cd '{}' && shortfall='{}' && {}", directory_, command_path(), script).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string Workplace::write(const std::string& name, std::string_view content) const {
  std::ofstream(path(name), std::ios::binary) << content;
  return path(name);
}

std::string Workplace::read(const std::string& name) const {
  std::ifstream file(path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t Workplace::file_count() const {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(directory_), fs::directory_iterator()));
}

}  // namespace shortfall::testing
