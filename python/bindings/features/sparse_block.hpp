#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "shortfall/features/sparse_features.hpp"
#include "shortfall/learn/any_learner.hpp"

namespace shortfall::python {

/// Rows of sparse features that own their memory: what maps return and learners take.
struct SparseBlock {
  explicit SparseBlock(std::size_t features) : dimension(features) {}

  std::size_t dimension;
  std::vector<std::size_t> begin{0};
  std::vector<std::uint32_t> index;
  std::vector<double> value;

  std::size_t size() const { return begin.size() - 1; }
  learn::SparseRows rows() const { return {begin, index, value}; }
  void add(features::SparseFeatures phi);
};

/// The rows of a SparseBlock, or of a SciPy matrix; null for other objects, which are dense. Throws
/// InvalidInput that calls them `name`, unless they have `dimension` columns.
std::shared_ptr<const SparseBlock> sparse_argument(pybind11::handle object, std::size_t dimension,
                                                   const char* name);

void bind_sparse_block(pybind11::module_& module);

}  // namespace shortfall::python
