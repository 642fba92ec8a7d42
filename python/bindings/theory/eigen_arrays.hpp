#pragma once

#include <Eigen/Core>
#include <span>
#include <string_view>

#include "bindings/arrays.hpp"

/// Converts between Eigen's vectors and matrices and NumPy arrays.
namespace shortfall::python {

inline std::span<const double> span_of(const Eigen::VectorXd& numbers) {
  return {numbers.data(), static_cast<std::size_t>(numbers.size())};
}

/// A view of the caller's memory. Throws InvalidInput unless `array` has one dimension.
inline Eigen::Map<const Eigen::VectorXd> vector_of(const Doubles& array, std::string_view name) {
  check_dimensions(array, 1, name);
  return {array.data(), array.size()};
}

/// A copy, because rows are contiguous in NumPy and columns in Eigen. Throws InvalidInput unless
/// `array` has two dimensions.
inline Eigen::MatrixXd matrix_of(const Doubles& array, std::string_view name) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  check_dimensions(array, 2, name);
  return Eigen::Map<const RowMajor>(array.data(), array.shape(0), array.shape(1));
}

inline py::array_t<double> array_of(const Eigen::VectorXd& numbers) {
  return py::array_t<double>(numbers.size(), numbers.data());
}

inline py::array_t<double> array_of(const Eigen::MatrixXd& numbers) {
  constexpr py::ssize_t width = sizeof(double);
  return py::array_t<double>({numbers.rows(), numbers.cols()}, {width, width * numbers.rows()},
                             numbers.data());
}

/// A read-only view of memory of `owner`, which it keeps alive.
inline py::array_t<double> view(const Eigen::MatrixXd& numbers, py::handle owner) {
  constexpr py::ssize_t width = sizeof(double);
  py::array_t<double> array({numbers.rows(), numbers.cols()}, {width, width * numbers.rows()},
                            numbers.data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

}  // namespace shortfall::python
