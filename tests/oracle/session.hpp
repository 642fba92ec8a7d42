#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "answers.hpp"
#include "case.hpp"
#include "draw_inventory.hpp"
#include "judge.hpp"
#include "summary.hpp"

namespace oracle {

struct SessionOptions {
  std::filesystem::path binary;
  std::size_t count = 5000;  ///< documents to judge; some runs print several
  std::uint64_t seed = 1;
  std::optional<std::size_t> only;  ///< this case alone, whose files are then kept
  std::filesystem::path violations = "oracle-violations";
};

/// A folder for the files of one case after the other, gone at the end.
class Workplace {
 public:
  Workplace();
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

/// Draws cases, runs the command on them and judges what it prints.
class Session {
 public:
  explicit Session(SessionOptions options);

  /// Prints what it finds, and a summary. True where no bound was broken.
  bool run();

 private:
  using Clock = std::chrono::steady_clock;

  void run_case(std::size_t index);
  void judge_document(std::size_t index, const Case& drawn, const Document& document,
                      const Case::ProblemSource& problem);
  void report(std::size_t index, const Case& drawn, const std::string& finding);
  void keep(const std::string& name, const Case& drawn, const std::string& finding) const;

  SessionOptions options_;
  Workplace workplace_;
  KnownKeys known_;
  Summary summary_;
  std::map<std::string, std::size_t> kept_;  // violations by kind
  std::chrono::duration<double> in_command_{0};
  std::chrono::duration<double> in_truth_{0};
};

}  // namespace oracle
