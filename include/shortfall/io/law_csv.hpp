#pragma once

#include <string>
#include <vector>

#include "shortfall/io/csv.hpp"
#include "shortfall/risk/law.hpp"

namespace shortfall::io {

/// A law that owns its numbers.
struct LoadedLaw {
  std::vector<double> atoms;
  std::vector<double> probabilities;

  Law law() const { return {atoms, probabilities}; }
};

/// Reads a discrete law: a column of numbers, each with weight 1/n, or values with probabilities.
/// A header is `value` or, in either order, `value,probability`; without one the columns come in
/// that order. Probabilities are rescaled to sum to one if they do within `probability_tolerance`.
/// Throws InvalidInput that names the file, the first line at fault, the text found and what is
/// accepted.
LoadedLaw read_law_csv(const std::string& path, const ReadOptions& options = {});

}  // namespace shortfall::io
