#include "shortfall/features/dense.hpp"

#include <cmath>
#include <utility>

#include "errors/require.hpp"

namespace shortfall::features {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<double> row_by_row(const Eigen::Ref<const Eigen::MatrixXd>& phi) {
  std::vector<double> entries(static_cast<std::size_t>(phi.size()));
  Eigen::Map<RowMajor>(entries.data(), phi.rows(), phi.cols()) = phi;
  return entries;
}

}  // namespace

Dense::Dense(std::vector<double> entries, std::size_t dimension)
    : entries_(std::move(entries)), dimension_(dimension) {
  require(dimension_ != 0, "there are no features; accepted: one or more");
  require(entries_.size() % dimension_ == 0,
          "{} entries do not fill whole rows; accepted: a multiple of {}", entries_.size(),
          dimension_);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    require(std::isfinite(entries_[i]), "feature {} is {} in state {}; accepted: a finite number",
            i % dimension_ + 1, entries_[i], i / dimension_);
  }
}

Dense::Dense(const Eigen::Ref<const Eigen::MatrixXd>& phi)
    : Dense(row_by_row(phi), static_cast<std::size_t>(phi.cols())) {}

Eigen::MatrixXd Dense::matrix() const {
  return Eigen::Map<const RowMajor>(entries_.data(), static_cast<Eigen::Index>(states()),
                                    static_cast<Eigen::Index>(dimension_));
}

}  // namespace shortfall::features
