#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "bindings/arrays.hpp"
#include "errors/require.hpp"

/// Matrices in compressed rows, as in SciPy.
namespace shortfall::python {

/// The index type of a SciPy matrix has 32 bits, or 64 if 32 are not enough.
template <class Index>
using Indices = py::array_t<Index, py::array::c_style>;

/// Rows of a sparse matrix, in memory owned by NumPy.
template <class Index>
struct Csr {
  Doubles data;
  Indices<Index> indices;
  Indices<Index> begin;
};

/// The nonzero entries of a row: columns and values.
template <class Index>
struct Row {
  std::span<const Index> next;
  std::span<const double> value;
};

template <class Index>
Row<Index> row_of(const Csr<Index>& matrix, std::size_t x) {
  const auto begin = static_cast<std::size_t>(matrix.begin.data()[x]);
  const auto count = static_cast<std::size_t>(matrix.begin.data()[x + 1]) - begin;
  return {span_of(matrix.indices).subspan(begin, count),
          span_of(matrix.data).subspan(begin, count)};
}

inline bool is_sparse(py::handle matrix) {
  return py::hasattr(matrix, "tocsr");
}

template <class Index>
Csr<Index> csr_of_dense(const Doubles& matrix) {
  std::vector<double> data;
  std::vector<Index> indices;
  std::vector<Index> begin = {0};
  for (py::ssize_t x = 0; x < matrix.shape(0); ++x) {
    for (py::ssize_t x_next = 0; x_next < matrix.shape(1); ++x_next) {
      if (matrix.at(x, x_next) == 0.0) continue;
      data.push_back(matrix.at(x, x_next));
      indices.push_back(static_cast<Index>(x_next));
    }
    begin.push_back(static_cast<Index>(data.size()));
  }
  return {copy(data), copy(indices), copy(begin)};
}

/// From a SciPy CSR matrix or a dense one.
template <class Index>
Csr<Index> csr_of(const py::object& matrix, std::size_t states) {
  if (!is_sparse(matrix)) return csr_of_dense<Index>(matrix.cast<Doubles>());
  Csr<Index> csr{matrix.attr("data").cast<Doubles>(), matrix.attr("indices").cast<Indices<Index>>(),
                 matrix.attr("indptr").cast<Indices<Index>>()};
  const auto begin = span_of(csr.begin);
  const bool sound = begin.size() == states + 1 && begin.front() == 0 &&
                     std::ranges::is_sorted(begin) &&
                     begin.back() <= static_cast<Index>(csr.data.size()) &&
                     begin.back() <= static_cast<Index>(csr.indices.size());
  require(sound,
          "a sparse matrix whose indptr, indices and data do not fit together; accepted: as "
          "scipy.sparse makes them");
  return csr;
}

}  // namespace shortfall::python
