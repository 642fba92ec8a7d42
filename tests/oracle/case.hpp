#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <iterator>
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

/// SplitMix64: the same numbers from the same seed with every compiler, and a separate generator
/// for each case, so that a case can be reproduced alone.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) : state_(seed * 0x9E3779B97F4A7C15U) {
    state_ ^= next() + stream * 0xD1B54A32D192ED03U;
  }

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  double uniform() { return static_cast<double>(next() >> 11U) * 0x1p-53; }  ///< in [0, 1)
  double uniform(double from, double to) { return from + (to - from) * uniform(); }
  bool chance(double probability) { return uniform() < probability; }
  double sign() { return chance(0.5) ? 1.0 : -1.0; }

  /// 10 to a power that is uniform between the given bounds.
  double decades(double from, double to) { return std::pow(10.0, uniform(from, to)); }

  /// An integer from `from` to `to`, both included.
  int between(int from, int to) {
    return from + static_cast<int>(next() % static_cast<std::uint64_t>(to - from + 1));
  }

  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return *std::next(choices.begin(), between(0, static_cast<int>(choices.size()) - 1));
  }

 private:
  std::uint64_t state_;
};

}  // namespace oracle
