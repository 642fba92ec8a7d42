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

/// What the truth is the solution of.
struct Problem {
  Loss loss;
  double gamma = 0.0;
  int horizon = 0;                       ///< 0: infinite
  std::size_t first_state = 0;           ///< the one that the first value printed belongs to
  std::optional<RationalLaws> rational;  ///< where all numbers are
  std::function<RealLaws()> real;        ///< the same at the precision in force
};

/// What a run leaves besides its values.
struct Evidence {
  std::filesystem::path folder;  ///< with the files it has written
  /// The (s, S) of the orders it took, by day; empty where it tells none.
  std::vector<std::pair<std::size_t, std::size_t>> levels;
};

/// A run of the command, and what its answers have to be near to.
struct Case {
  std::string kind;  ///< command and loss, for the summary
  std::vector<std::string> arguments;
  std::map<std::string, std::string> files;  ///< contents by name; arguments name them
  std::vector<std::string> ingredients;      ///< of what it was made to hurt
  enum class Answer { values, risk, value_at_empty, value } answer = Answer::values;
  double sign = 1.0;  ///< -1 where the file has rewards
  double tolerance = 0.0;
  bool promises_tolerance = false;  ///< where converged means within the tolerance
  std::vector<std::string> before;  ///< arguments of a run before it, for the file it writes
  /// One for each document that the command prints. They are asked for after the run, for orders
  /// may have to be found in what the command has left; none where they are not to be found.
  using ProblemSource = std::function<std::optional<Problem>(const Evidence&)>;
  std::vector<ProblemSource> problems;
};

}  // namespace oracle
