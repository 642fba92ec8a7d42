#include "inventory/acceleration.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <utility>

namespace shortfall::inventory {
namespace {

using Vector = Eigen::Map<const Eigen::VectorXd>;

Vector as_vector(const std::vector<double>& numbers) {
  return {numbers.data(), static_cast<Eigen::Index>(numbers.size())};
}

/// Weight of ‖a‖² beside the residual, relative to the differences: keeps a small where they are
/// nearly dependent.
constexpr double regularisation = 1e-10;

}  // namespace

void Acceleration::advance(std::span<double> values, std::span<const double> swept) {
  Step now{std::vector<double>(values.size()), std::vector<double>(swept.begin(), swept.end())};
  for (std::size_t i = 0; i < values.size(); ++i) now.f[i] = swept[i] - values[i];
  if (!steps_.empty()) {
    Step& last = steps_.back();
    for (std::size_t i = 0; i < values.size(); ++i) {
      last.f[i] = now.f[i] - last.f[i];
      last.g[i] = now.g[i] - last.g[i];
    }
  }
  const auto count = static_cast<Eigen::Index>(steps_.size());
  Eigen::MatrixXd products(count, count);
  Eigen::VectorXd right_side(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Vector f_i = as_vector(steps_[static_cast<std::size_t>(i)].f);
    right_side[i] = f_i.dot(as_vector(now.f));
    for (Eigen::Index j = 0; j <= i; ++j) {
      products(i, j) = products(j, i) = f_i.dot(as_vector(steps_[static_cast<std::size_t>(j)].f));
    }
  }
  products.diagonal() *= 1.0 + regularisation;
  const Eigen::VectorXd a = products.ldlt().solve(right_side);

  std::copy(swept.begin(), swept.end(), values.begin());
  if (a.allFinite()) {
    for (Eigen::Index j = 0; j < count; ++j) {
      const std::vector<double>& g = steps_[static_cast<std::size_t>(j)].g;
      for (std::size_t i = 0; i < values.size(); ++i) values[i] -= a[j] * g[i];
    }
  }
  steps_.push_back(std::move(now));
  if (steps_.size() > depth_) steps_.erase(steps_.begin());
}

}  // namespace shortfall::inventory
