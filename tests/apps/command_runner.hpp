#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

/// Runs the installed command as a user's shell would.
#include "tests/sanitized.hpp"

namespace shortfall::testing {

/// The command under test, chosen by the environment, and whether it is the sanitized one.
std::string command_path();
struct Outcome {
  int exit_code;  ///< -1 if a signal ended it
  std::string out;
  std::string err;

  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// A temporary directory in which commands run.
class Workplace {
 public:
  Workplace();
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  /// Runs `shortfall ARGUMENTS` with `input` on standard input. The shell splits the arguments.
  Outcome run(const std::string& arguments, std::string_view input = {}) const;

  /// The same with standard output redirected to a file or device; `out` of the outcome is empty.
  Outcome run_into(const std::string& output, const std::string& arguments) const;

  /// Runs a shell script in this directory, in which $shortfall is the command. Returns its exit
  /// code.
  int run_script(const std::string& script) const;

  std::string write(const std::string& name, std::string_view content) const;  ///< returns the path
  std::string read(const std::string& name) const;
  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  std::size_t file_count() const;

 private:
  Outcome execute(const std::string& arguments, std::string_view input,
                  const std::string& output) const;

  std::string directory_;
};

}  // namespace shortfall::testing
