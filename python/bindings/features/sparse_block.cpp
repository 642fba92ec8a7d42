#include "bindings/features/dense_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bindings/arrays.hpp"
#include "errors/require.hpp"

namespace shortfall::python {
namespace {

/// A SciPy matrix, with its indices in order.
std::shared_ptr<SparseBlock> block_of_matrix(const py::object& matrix) {
  const py::object rows = matrix.attr("tocsr")().attr("sorted_indices")();
  const auto shape = rows.attr("shape").cast<std::pair<std::size_t, std::size_t>>();
  const auto data = rows.attr("data").cast<Doubles>();
  const auto indices = rows.attr("indices").cast<Integers>();
  const auto begin = rows.attr("indptr").cast<Integers>();
  require(static_cast<std::size_t>(begin.size()) == shape.first + 1 &&
              data.size() == indices.size() && begin.data()[0] == 0 &&
              begin.data()[shape.first] <= data.size() && std::ranges::is_sorted(span_of(begin)) &&
              shape.second < (std::size_t{1} << 32),
          "a sparse matrix whose indptr, indices and data do not fit together; accepted: the rows "
          "of scipy.sparse.csr_matrix");
  auto block = std::make_shared<SparseBlock>(shape.second);
  block->begin.assign(span_of(begin).begin(), span_of(begin).end());
  block->value.assign(span_of(data).begin(), span_of(data).end());
  for (const std::int64_t i : span_of(indices)) {
    block->index.push_back(static_cast<std::uint32_t>(i));
  }
  return block;
}

py::array_t<double> to_dense(const SparseBlock& self) {
  const auto rows = static_cast<py::ssize_t>(self.size());
  const auto columns = static_cast<py::ssize_t>(self.dimension);
  py::array_t<double> dense({rows, columns});
  for (std::size_t i = 0; i < self.size(); ++i) {
    features::write_dense(self.rows().row(i),
                          {dense.mutable_data() + i * self.dimension, self.dimension});
  }
  return dense;
}

std::shared_ptr<SparseBlock> part_of(const SparseBlock& self, const py::object& which) {
  std::size_t first = 0, stop = 0, step = 1, count = 0;
  if (py::isinstance<py::slice>(which)) {
    if (!which.cast<py::slice>().compute(self.size(), &first, &stop, &step, &count)) {
      throw py::error_already_set();
    }
  } else {
    const auto i = which.cast<py::ssize_t>();
    const auto size = static_cast<py::ssize_t>(self.size());
    if (i < -size || i >= size) throw py::index_error(fmt::format("row {} of {}", i, size));
    first = static_cast<std::size_t>(i < 0 ? i + size : i);
    count = 1;
  }
  auto part = std::make_shared<SparseBlock>(self.dimension);
  for (std::size_t k = 0; k < count; ++k) part->add(self.rows().row(first + k * step));
  return part;
}

}  // namespace

void SparseBlock::add(features::SparseFeatures phi) {
  index.insert(index.end(), phi.index.begin(), phi.index.end());
  value.insert(value.end(), phi.value.begin(), phi.value.end());
  begin.push_back(index.size());
}

std::shared_ptr<const SparseBlock> sparse_argument(py::handle object, std::size_t dimension,
                                                   const char* name) {
  std::shared_ptr<const SparseBlock> block;
  if (py::isinstance<SparseBlock>(object)) {
    block = object.cast<std::shared_ptr<SparseBlock>>();
  } else if (py::hasattr(object, "tocsr")) {
    block = block_of_matrix(py::reinterpret_borrow<py::object>(object));
  } else {
    return nullptr;
  }
  require(block->dimension == dimension, "{} has shape ({}, {}); accepted: {} columns", name,
          block->size(), block->dimension, dimension);
  return block;
}

void bind_sparse_block(py::module_& module) {
  py::class_<SparseBlock, std::shared_ptr<SparseBlock>>(module, "SparseFeatures", R"doc(
Rows of features of which only those are stored that are not zero, in the layout of
scipy.sparse.csr_matrix: row i has the entries indptr[i] to indptr[i + 1] of `indices` and `data`.

Learners take them wherever they take an array of features, and SciPy's matrices, too. With an
averager, an update then takes a time that depends on the active features alone. Slices have rows,
as those of an array.

Examples
--------
>>> hats = sf.features.Hats([[0.0, 1.0, 2.0]])
>>> rows = hats.sparse([[0.25], [2.0]])
>>> rows.indices, rows.data, rows.indptr
(array([0, 1, 2], dtype=int32), array([0.75, 0.25, 1.  ]), array([0, 2, 3]))
>>> rows.toarray()
array([[0.75, 0.25, 0.  ],
       [0.  , 0.  , 1.  ]])
>>> len(rows[1:])
1
)doc")
      .def_property_readonly(
          "shape", [](const SparseBlock& self) { return std::pair(self.size(), self.dimension); })
      .def_property_readonly(
          "indptr",
          [](const py::object& self) {
            const auto& block = self.cast<const SparseBlock&>();
            return view(std::span(reinterpret_cast<const std::int64_t*>(block.begin.data()),
                                  block.begin.size()),
                        self);
          })
      .def_property_readonly(
          "indices",
          [](const py::object& self) {
            const auto& block = self.cast<const SparseBlock&>();
            return view(std::span(reinterpret_cast<const std::int32_t*>(block.index.data()),
                                  block.index.size()),
                        self);
          })
      .def_property_readonly(
          "data",
          [](const py::object& self) { return view(self.cast<const SparseBlock&>().value, self); })
      .def("toarray", &to_dense, "The same rows as an array.")
      .def("__len__", &SparseBlock::size)
      .def("__getitem__", &part_of, py::arg("rows"))
      .def("__repr__", [](const SparseBlock& self) {
        return fmt::format("SparseFeatures({} rows of {} features, {} active)", self.size(),
                           self.dimension, self.value.size());
      });
}

}  // namespace shortfall::python
