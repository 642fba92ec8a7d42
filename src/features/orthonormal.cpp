#include "shortfall/features/orthonormal.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "errors/require.hpp"

namespace shortfall::features {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// (1/n) Σ φ φᵀ.
MatrixXd mean_square(const Dense& sample) {
  const auto d = static_cast<Index>(sample.dimension());
  MatrixXd sum = MatrixXd::Zero(d, d);
  for (std::size_t x = 0; x < sample.states(); ++x) {
    const Eigen::Map<const VectorXd> phi(sample.row(x).data(), d);
    sum.selfadjointView<Eigen::Lower>().rankUpdate(phi);
  }
  sum.triangularView<Eigen::StrictlyUpper>() = sum.transpose();
  return sum / static_cast<double>(sample.states());
}

/// The Cholesky factor without features that depend on earlier ones: row j holds the coefficients
/// of φ_j in the orthonormal features, one for each feature kept.
MatrixXd factor(const MatrixXd& square, std::vector<std::size_t>& kept) {
  MatrixXd rows = MatrixXd::Zero(square.rows(), square.rows());
  for (Index j = 0; j < square.rows(); ++j) {
    const auto r = static_cast<Index>(kept.size());
    for (Index k = 0; k < r; ++k) {
      const auto other = static_cast<Index>(kept[static_cast<std::size_t>(k)]);
      rows(j, k) =
          (square(j, other) - rows.row(j).head(k).dot(rows.row(other).head(k))) / rows(other, k);
    }
    const double rest = square(j, j) - rows.row(j).head(r).squaredNorm();
    if (!(rest > Orthonormalisation::dependence_tolerance * square(j, j))) continue;
    rows(j, r) = std::sqrt(rest);
    kept.push_back(static_cast<std::size_t>(j));
  }
  return rows.leftCols(static_cast<Index>(kept.size()));
}

}  // namespace

Orthonormalisation::Orthonormalisation(const Dense& sample, double ridge)
    : dimension_(sample.dimension()) {
  require(sample.states() != 0, "a sample of 0 rows; accepted: one or more");
  require(ridge >= 0.0 && std::isfinite(ridge), "ridge = {}; accepted: a finite number, at least 0",
          ridge);
  const MatrixXd square = mean_square(sample);
  require(square.allFinite(), "features too large to be squared; accepted: magnitudes below 1e150");
  const MatrixXd rows = factor(square, kept_);
  const auto r = static_cast<Index>(kept_.size());
  require(r != 0, "all features of the sample are zero; accepted: at least one nonzero feature");

  MatrixXd ridged = square(kept_, kept_);
  ridged.diagonal() *= 1.0 + ridge;
  const MatrixXd root = ridged.llt().matrixL();
  const MatrixXd t = root.triangularView<Eigen::Lower>().solve(MatrixXd::Identity(r, r));
  for (Index k = 0; k < r; ++k) {
    for (Index i = k; i < r; ++i) columns_.push_back(t(i, k));
  }
  const MatrixXd plain_root = rows(kept_, Eigen::all);
  const MatrixXd in_kept =
      plain_root.transpose().triangularView<Eigen::Upper>().solve(rows.transpose()).transpose();
  b_ = in_kept * root;
}

void Orthonormalisation::apply(std::span<const double> phi, std::span<double> out) const {
  const std::size_t r = rank();
  std::fill_n(out.begin(), r, 0.0);
  const double* column = columns_.data();
  for (std::size_t k = 0; k < r; column += r - k, ++k) {
    const double value = phi[kept_[k]];
    if (value == 0.0) continue;
    double* const to = out.data() + k;
    for (std::size_t i = 0; i < r - k; ++i) to[i] += column[i] * value;
  }
}

std::vector<double> Orthonormalisation::to_orthonormal(std::span<const double> theta) const {
  const Eigen::Map<const VectorXd> weights(theta.data(), static_cast<Index>(theta.size()));
  std::vector<double> result(rank());
  Eigen::Map<VectorXd>(result.data(), static_cast<Index>(rank())) = b_.transpose() * weights;
  return result;
}

std::vector<double> Orthonormalisation::from_orthonormal(std::span<const double> theta) const {
  std::vector<double> result(dimension_, 0.0);
  const double* column = columns_.data();
  for (std::size_t k = 0; k < rank(); column += rank() - k, ++k) {
    for (std::size_t i = k; i < rank(); ++i) result[kept_[k]] += column[i - k] * theta[i];
  }
  return result;
}

void detail::check_dimensions(std::size_t map, std::size_t change, std::size_t most) {
  require(map == change && map <= most,
          "{} features, but the coordinates are for {}; accepted: the same number, at most {}", map,
          change, most);
}

}  // namespace shortfall::features
