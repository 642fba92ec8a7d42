#pragma once

#include <cstddef>
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

}  // namespace oracle
