#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "case.hpp"
#include "command.hpp"
#include "draw_stock.hpp"
#include "judge.hpp"

namespace oracle {

struct SessionOptions {
  std::filesystem::path binary;
  std::size_t count = 5000;  ///< documents to judge; some runs print several
  std::uint64_t seed = 1;
  std::optional<std::size_t> only;  ///< only this case; its files are kept
  std::filesystem::path violations = "oracle-violations";
};

/// A directory for the files of the current case, removed at the end.
class WorkDirectory {
 public:
  WorkDirectory();
  ~WorkDirectory();
  WorkDirectory(const WorkDirectory&) = delete;
  WorkDirectory& operator=(const WorkDirectory&) = delete;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

/// Draws cases, runs the command on them and checks its results.
class Session {
 public:
  explicit Session(SessionOptions options);

  /// Prints violations and a summary. True if no bound was violated.
  bool run();

 private:
  using Clock = std::chrono::steady_clock;

  void run_case(std::size_t index);
  void judge_document(std::size_t index, const Case& drawn, const Document& document,
                      const Case::ProblemSource& problem);
  void report(std::size_t index, const Case& drawn, const std::string& finding);
  void keep(const std::string& name, const Case& drawn, const std::string& finding) const;

  SessionOptions options_;
  WorkDirectory directory_;
  KnownKeys known_;
  Summary summary_;
  std::map<std::string, std::size_t> kept_;  // violations by kind
  std::chrono::duration<double> in_command_{0};
  std::chrono::duration<double> in_solution_{0};
};

/// Checks the oracle itself against known solutions, and against a second method. Prints failures;
/// true if there are none.
bool self_test();

}  // namespace oracle
