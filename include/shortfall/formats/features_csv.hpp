#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace shortfall::io {

/// Features of states, one row per state.
struct FeatureRows {
  std::size_t dimension = 0;    ///< d
  std::vector<double> numbers;  ///< d for each state

  std::size_t size() const { return dimension == 0 ? 0 : numbers.size() / dimension; }
  std::span<const double> row(std::size_t i) const {
    return std::span(numbers).subspan(i * dimension, dimension);
  }
};

/// Reads a CSV file with the header x1,..,xd and one row of finite numbers per state. Throws
/// InvalidInput that names the line, the column and what is accepted.
FeatureRows read_features_csv(const std::string& path);

}  // namespace shortfall::io
