#pragma once

#include <string>
#include <vector>

#include "shortfall/formats/read_options.hpp"
#include "shortfall/risk/law.hpp"

namespace shortfall::io {

/// A law that owns its numbers.
struct LoadedLaw {
  std::vector<double> atoms;
  std::vector<double> probabilities;

  Law law() const { return {atoms, probabilities}; }
};

/// Reads a discrete law: a column of numbers, each with weight 1/n, or values with probabilities.
/// The header is `value` or, in either order, `value,probability`; without a header the columns are
/// in that order. Probabilities that sum to one within `probability_tolerance` are rescaled. Throws
/// InvalidInput that names the file, the first bad line, the text found and what is accepted.
LoadedLaw read_law_csv(const std::string& path, const ReadOptions& options = {});

}  // namespace shortfall::io
