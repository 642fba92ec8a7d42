#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "exact_loss.hpp"
#include "laws.hpp"

namespace oracle {

/// What the truth is the solution of.
struct Problem {
  Loss loss;
  double gamma = 0.0;
  int horizon = 0;                       ///< 0: infinite
  std::optional<RationalLaws> rational;  ///< where all numbers are
  std::function<RealLaws()> real;        ///< the same at the precision in force
};

/// A run of the command, and what its answers have to be near to.
struct Case {
  std::string kind;  ///< command and loss, for the summary
  std::vector<std::string> arguments;
  std::map<std::string, std::string> files;  ///< contents by name; arguments name them
  std::vector<std::string> ingredients;      ///< of what it was made to hurt
  enum class Answer { values, risk, value_at_empty } answer = Answer::values;
  double sign = 1.0;  ///< -1 where the file has rewards
  double tolerance = 0.0;
  bool promises_tolerance = false;  ///< where converged means within the tolerance
  std::vector<std::string> before;  ///< arguments of a run before it, for the file it writes
  /// One for each document that the command prints. They are asked for after the run, for orders
  /// may have to be read from a file that the command has written to its folder.
  using ProblemSource = std::function<Problem(const std::filesystem::path& folder)>;
  std::vector<ProblemSource> problems;
};

}  // namespace oracle
