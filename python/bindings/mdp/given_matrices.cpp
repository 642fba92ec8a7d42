#include "bindings/mdp/given_matrices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/mdp/csr.hpp"
#include "errors/require.hpp"

namespace shortfall::python {
namespace {

using Shape = std::pair<std::size_t, std::size_t>;

Shape shape_of(py::handle matrix) {
  const auto shape = matrix.attr("shape").cast<py::tuple>();
  if (shape.size() == 2) return shape.cast<Shape>();
  throw InvalidInput(fmt::format("a matrix has {} dimensions; accepted: 2", shape.size()));
}

void check_square(py::handle matrix, std::size_t states, std::string_view name) {
  const auto [rows, columns] = shape_of(matrix);
  require(rows == states && columns == states, "{} has a matrix of {} by {}; accepted: {} by {}",
          name, rows, columns, states, states);
}

/// Any iterable of matrices. Sparse ones are converted to CSR, the others to arrays.
std::vector<py::object> matrices_of(py::handle iterable) {
  std::vector<py::object> matrices;
  for (const py::handle matrix : iterable) {
    matrices.push_back(is_sparse(matrix) ? py::object(matrix.attr("tocsr")())
                                         : py::object(py::cast<Doubles>(matrix)));
  }
  return matrices;
}

/// Whether it is a list with sparse matrices, which cannot be one array.
bool lists_sparse(py::handle amounts) {
  if (py::isinstance<py::array>(amounts) || !py::isinstance<py::sequence>(amounts)) return false;
  for (const py::handle matrix : amounts) {
    if (is_sparse(matrix)) return true;
  }
  return false;
}

/// c(x) or c(x, a) as N × A; nothing if `amounts` are matrices.
std::optional<Doubles> amounts_by_row(py::handle amounts, std::size_t states, std::size_t actions) {
  if (is_sparse(amounts) || lists_sparse(amounts)) return {};
  const auto given = py::cast<Doubles>(amounts);
  if (given.ndim() == 3) return {};
  if (given.ndim() == 2 && static_cast<std::size_t>(given.shape(0)) == states &&
      static_cast<std::size_t>(given.shape(1)) == actions) {
    return given;
  }
  if (given.ndim() == 1 && static_cast<std::size_t>(given.size()) == states) {
    Doubles repeated(std::vector<std::size_t>{states, actions});
    for (std::size_t x = 0; x < states; ++x) {
      std::fill_n(repeated.mutable_data() + x * actions, actions, given.data()[x]);
    }
    return repeated;
  }
  throw InvalidInput(
      fmt::format("amounts of shape {}; accepted: ({},), ({}, {}), ({}, {}, {}) or {} matrices",
                  py::str(py::object(given.attr("shape"))).cast<std::string>(), states, states,
                  actions, actions, states, states, actions));
}

/// Sorted by successor and without duplicates, which SciPy does not guarantee.
py::object canonical(const py::object& matrix) {
  if (!is_sparse(matrix) || matrix.attr("has_canonical_format").cast<bool>()) return matrix;
  py::object other = matrix.attr("copy")();
  other.attr("sum_duplicates")();
  return other;
}

bool is_wide(const py::object& matrix) {
  if (is_sparse(matrix))
    return matrix.attr("indices").attr("dtype").attr("itemsize").cast<int>() > 4;
  return py::cast<py::array>(matrix).size() > std::numeric_limits<std::int32_t>::max();
}

}  // namespace

bool GivenMatrices::are_wide() const {
  return std::ranges::any_of(transitions, is_wide) || std::ranges::any_of(by_outcome, is_wide);
}

GivenMatrices given_matrices(py::handle transitions, py::handle amounts) {
  require(!is_sparse(transitions),
          "transitions is a single matrix; accepted: a list with one matrix per action");
  GivenMatrices given{.transitions = matrices_of(transitions)};
  require(!given.transitions.empty(), "transitions is empty; accepted: one matrix per action");
  given.states = shape_of(given.transitions.front()).first;
  const std::size_t actions = given.transitions.size();
  for (const py::object& matrix : given.transitions)
    check_square(matrix, given.states, "transitions");
  given.by_row = amounts_by_row(amounts, given.states, actions);
  if (given.by_row) return given;
  given.by_outcome = matrices_of(amounts);
  require(given.by_outcome.size() == actions,
          "{} matrices of amounts; accepted: one for each of {} actions", given.by_outcome.size(),
          actions);
  for (py::object& matrix : given.by_outcome) {
    check_square(matrix, given.states, "amounts");
    matrix = canonical(matrix);
  }
  return given;
}

}  // namespace shortfall::python
