#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace oracle {

/// The results of a run of the command.
struct Run {
  int exit_code = 0;  ///< -1: killed, by a signal or because it took too long
  std::string out;
  std::string err;
};

/// Runs `binary` with these arguments in a folder, and kills it after `seconds`.
Run run_command(const std::filesystem::path& binary, const std::vector<std::string>& arguments,
                const std::filesystem::path& folder, int seconds);

}  // namespace oracle
