#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exact_loss.hpp"
#include "laws.hpp"

namespace oracle {

/// The problem that the true values solve.
struct Problem {
  Loss loss;
  double gamma = 0.0;
  int horizon = 0;                       ///< 0: infinite
  std::size_t first_state = 0;           ///< the state of the first printed value
  std::optional<RationalLaws> rational;  ///< if all numbers are rational
  std::function<RealLaws()> real;        ///< the same at the current precision
};

/// What a run leaves in addition to its values.
struct Evidence {
  std::filesystem::path folder;  ///< with the files it has written
  /// The (s, S) of the orders used, by day; empty if not reported.
  std::vector<std::pair<std::size_t, std::size_t>> levels;
};

/// A run of the command, and the problems that its results are checked against.
struct Case {
  std::string kind;  ///< command and loss, for the summary
  std::vector<std::string> arguments;
  std::map<std::string, std::string> files;  ///< contents by name, as used in the arguments
  std::vector<std::string> ingredients;      ///< of the difficulties built into it
  enum class Answer { values, risk, value_at_empty, value } answer = Answer::values;
  double sign = 1.0;  ///< -1 if the file has rewards
  double tolerance = 0.0;
  bool certifies_tolerance = false;  ///< whether converged means within the tolerance
  std::vector<std::string> before;   ///< arguments of a preceding run, for the file it writes
  /// One for each document that the command prints. They are requested after the run, because
  /// orders may have to be read from its output; nullopt if they cannot be found.
  using ProblemSource = std::function<std::optional<Problem>(const Evidence&)>;
  std::vector<ProblemSource> problems;
};

}  // namespace oracle
