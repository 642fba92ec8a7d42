#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "case.hpp"

namespace oracle {

/// The command's results: values of the states from 0 on, possibly not all, as costs.
struct Claim {
  std::vector<double> values;
  double error_bound = 0.0;
};

enum class Finding { within, violated, undecided };

/// Comparison with the true values: for the worst state, the error and its ratio to the bound.
struct Verdict {
  Finding finding = Finding::undecided;
  bool exact = false;  ///< the true value is a rational number, not an enclosure
  std::size_t state = 0;
  double truth = 0.0;
  std::string truth_text;  ///< the same with more digits
  double error = 0.0;
  double ratio = 0.0;
};

/// Computes the true values and compares; the result is rigorous unless undecided.
Verdict judge(const Problem& problem, const Claim& claim);

/// Counts of the results, by kind of case and by ingredient.
class Summary {
 public:
  void add(const std::string& kind, const std::vector<std::string>& ingredients,
           const Verdict& verdict);
  void add_refusal(const std::string& kind, const std::vector<std::string>& ingredients,
                   const std::string& why);

  /// Counts a bound above the tolerance that was reported as met.
  void add_missed_tolerance() { ++violations_; }

  std::size_t cases() const { return cases_; }
  std::size_t violations() const { return violations_; }
  std::size_t undecided() const { return undecided_; }
  std::size_t refusals() const { return refusals_; }

  std::string text() const;

 private:
  struct Count {
    std::size_t cases = 0;
    std::size_t judged = 0;
    std::size_t exact = 0;
    std::size_t violations = 0;
    std::vector<double> ratios;  ///< of error to bound
  };

  std::size_t cases_ = 0;
  std::size_t violations_ = 0;
  std::size_t undecided_ = 0;
  std::size_t refusals_ = 0;
  std::map<std::string, Count> kinds_;
  std::map<std::string, Count> ingredients_;
  std::map<std::string, std::size_t> reasons_;
};

}  // namespace oracle
