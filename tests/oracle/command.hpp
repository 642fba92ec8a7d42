#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "case.hpp"
#include "judge.hpp"

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

/// A document that the command printed: a claim, or the reason why there is none.
struct Document {
  Claim claim;
  std::string refusal;  ///< empty if there is a claim
  std::string status;
  std::string name;                                         ///< which one, if there are several
  std::vector<std::pair<std::size_t, std::size_t>> levels;  ///< see Evidence
};

/// The documents of a run, one for each problem of the case.
std::vector<Document> documents_of(const Case& drawn, const Run& run);

}  // namespace oracle
