#include "dp/incomplete_lu.hpp"

namespace shortfall::detail {
namespace {

constexpr int not_in_row = -1;

}  // namespace

IncompleteLu& IncompleteLu::compute(const Matrix& matrix) {
  factors_ = matrix;
  const auto size = static_cast<int>(factors_.rows());
  const int* const begin = factors_.outerIndexPtr();
  const int* const column = factors_.innerIndexPtr();
  diagonal_.resize(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) {
    int at = begin[i];
    while (column[at] < i) ++at;
    diagonal_[static_cast<std::size_t>(i)] = at;
  }
  std::vector<int> position_of_column(static_cast<std::size_t>(size), not_in_row);
  for (int i = 0; i < size; ++i) eliminate(i, position_of_column);
  return *this;
}

void IncompleteLu::eliminate(int row, std::vector<int>& position_of_column) {
  const int* const begin = factors_.outerIndexPtr();
  const int* const column = factors_.innerIndexPtr();
  double* const value = factors_.valuePtr();
  const auto position = [&](int j) -> int& {
    return position_of_column[static_cast<std::size_t>(j)];
  };
  for (int at = begin[row]; at < begin[row + 1]; ++at) position(column[at]) = at;
  const int own_diagonal = diagonal_[static_cast<std::size_t>(row)];
  for (int at = begin[row]; at < own_diagonal; ++at) {
    const int pivot = column[at];
    const int pivot_diagonal = diagonal_[static_cast<std::size_t>(pivot)];
    value[at] /= value[pivot_diagonal];
    const int end = begin[pivot + 1];
    if (end - pivot_diagonal > longest_pivot_row) continue;
    for (int other = pivot_diagonal + 1; other < end; ++other) {
      const int target = position(column[other]);
      if (target != not_in_row) value[target] -= value[at] * value[other];
    }
  }
  for (int at = begin[row]; at < begin[row + 1]; ++at) position(column[at]) = not_in_row;
}

Eigen::VectorXd IncompleteLu::solve(const Eigen::VectorXd& b) const {
  const auto size = static_cast<int>(factors_.rows());
  const int* const begin = factors_.outerIndexPtr();
  const int* const column = factors_.innerIndexPtr();
  const double* const value = factors_.valuePtr();
  Eigen::VectorXd x = b;
  for (int i = 0; i < size; ++i) {
    double rest = x[i];
    const int end = diagonal_[static_cast<std::size_t>(i)];
    for (int at = begin[i]; at < end; ++at) rest -= value[at] * x[column[at]];
    x[i] = rest;
  }
  for (int i = size; i-- > 0;) {
    double rest = x[i];
    const int diagonal = diagonal_[static_cast<std::size_t>(i)];
    for (int at = diagonal + 1; at < begin[i + 1]; ++at) rest -= value[at] * x[column[at]];
    x[i] = rest / value[diagonal];
  }
  return x;
}

}  // namespace shortfall::detail
