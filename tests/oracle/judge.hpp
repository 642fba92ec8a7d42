#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "case.hpp"

namespace oracle {

/// What the command says: values of the states from 0 on, perhaps not of all, as costs.
struct Claim {
  std::vector<double> values;
  double error_bound = 0.0;
};

enum class Finding { within, violated, undecided };

/// Where the truth lies: of the worst state, the error and its ratio to the bound.
struct Verdict {
  Finding finding = Finding::undecided;
  bool exact = false;  ///< the truth is a rational number, not an enclosure
  std::size_t state = 0;
  double truth = 0.0;
  std::string truth_text;  ///< the same with more digits
  double error = 0.0;
  double ratio = 0.0;
};

/// Finds the truth and compares; beyond doubt unless undecided.
Verdict judge(const Problem& problem, const Claim& claim);

}  // namespace oracle
