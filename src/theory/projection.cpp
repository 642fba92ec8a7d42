#include "shortfall/theory/projection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "errors/require.hpp"
#include "shortfall/risk/law.hpp"

namespace shortfall::theory {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A member of a relation whose coefficient is below this fraction of the largest counts
/// as rounding.
constexpr double relation_tolerance = 1e-6;

Eigen::Map<const VectorXd> as_vector(std::span<const double> q) {
  return {q.data(), static_cast<Index>(q.size())};
}

void check_weights(Index states, std::span<const double> q) {
  require(static_cast<Index>(q.size()) == states,
          "the law q has {} entries; accepted: one for each of {} states", q.size(), states);
  double sum = 0.0;
  for (std::size_t x = 0; x < q.size(); ++x) {
    require(q[x] >= 0.0 && std::isfinite(q[x]),
            "the law q has entry {} in state {}; accepted: a number >= 0", q[x], x);
    sum += q[x];
  }
  require(std::abs(sum - 1.0) <= probability_tolerance,
          "the law q sums to {}; accepted: 1 within {}", sum, probability_tolerance);
}

void check_finite(const Eigen::Ref<const MatrixXd>& phi) {
  for (Index j = 0; j < phi.cols(); ++j) {
    for (Index x = 0; x < phi.rows(); ++x) {
      require(std::isfinite(phi(x, j)), "feature {} is {} in state {}; accepted: a finite number",
              j + 1, phi(x, j), x);
    }
  }
}

/// diag(√q) Φ = weighted diag(scale), decomposed with column pivoting.
struct ScaledDecomposition {
  VectorXd scale;
  Eigen::ColPivHouseholderQR<MatrixXd> qr;
};

ScaledDecomposition decompose(const Eigen::Ref<const MatrixXd>& phi, std::span<const double> q) {
  check_weights(phi.rows(), q);
  check_finite(phi);
  require(phi.cols() != 0, "there are no features; accepted: one or more");
  MatrixXd weighted = as_vector(q).cwiseSqrt().asDiagonal() * phi;
  VectorXd scale = weighted.colwise().stableNorm();
  for (Index j = 0; j < scale.size(); ++j) {
    if (scale[j] > 0.0) weighted.col(j) /= scale[j];
  }
  ScaledDecomposition result{std::move(scale), Eigen::ColPivHouseholderQR<MatrixXd>(weighted)};
  return result;
}

/// The relation between pivoted column `position` ≥ rank and the leading columns, as features.
DependentFeature relation(const ScaledDecomposition& decomposition, Index rank, Index position) {
  const auto& r = decomposition.qr.matrixR();
  const auto& feature = decomposition.qr.colsPermutation().indices();
  if (decomposition.scale[feature[position]] == 0.0) return {feature[position], {}};
  const VectorXd coefficients = r.topLeftCorner(rank, rank)
                                    .template triangularView<Eigen::Upper>()
                                    .solve(r.col(position).head(rank));
  const double negligible = relation_tolerance * coefficients.cwiseAbs().maxCoeff();
  std::vector<Index> members{feature[position]};
  for (Index i = 0; i < rank; ++i) {
    if (std::abs(coefficients[i]) > negligible) members.push_back(feature[i]);
  }
  std::sort(members.begin(), members.end());
  const Index last = members.back();
  members.pop_back();
  return {last, std::move(members)};
}

std::vector<DependentFeature> dependent_features(const ScaledDecomposition& decomposition) {
  const auto& r = decomposition.qr.matrixR();
  const Index diagonal = std::min(r.rows(), r.cols());
  Index rank = 0;
  while (rank < diagonal && std::abs(r(rank, rank)) > rank_tolerance) ++rank;
  std::vector<DependentFeature> dependent;
  for (Index i = rank; i < r.cols(); ++i) dependent.push_back(relation(decomposition, rank, i));
  return dependent;
}

std::string describe(const std::vector<DependentFeature>& dependent) {
  std::vector<std::string> clauses;
  for (const auto& [feature, on] : dependent) {
    if (on.empty()) {
      clauses.push_back(fmt::format("feature {} is zero wherever q > 0", feature + 1));
      continue;
    }
    std::vector<Index> names;
    names.reserve(on.size());
    for (const Index j : on) names.push_back(j + 1);
    clauses.push_back(fmt::format("feature {} is a combination of feature{} {}", feature + 1,
                                  names.size() == 1 ? "" : "s", fmt::join(names, ", ")));
  }
  return fmt::format("{}", fmt::join(clauses, "; "));
}

}  // namespace

double q_inner(const Eigen::Ref<const VectorXd>& v, const Eigen::Ref<const VectorXd>& w,
               std::span<const double> q) {
  return (v.array() * w.array() * as_vector(q).array()).sum();
}

double q_norm(const Eigen::Ref<const VectorXd>& v, std::span<const double> q) {
  return (as_vector(q).cwiseSqrt().array() * v.array()).matrix().norm();
}

std::vector<DependentFeature> dependent_features(const Eigen::Ref<const MatrixXd>& phi,
                                                 std::span<const double> q) {
  return dependent_features(decompose(phi, q));
}

Assumption features_assumption(const Eigen::Ref<const MatrixXd>& phi, std::span<const double> q) {
  constexpr std::string_view name = "features";
  if (!phi.allFinite()) return {name, false, "a feature is not a finite number"};
  const auto dependent = dependent_features(phi, q);
  if (!dependent.empty()) return {name, false, describe(dependent)};
  return {name, true,
          fmt::format("{} linearly independent features, of Euclidean norm at most {:.6g}",
                      phi.cols(), phi.rowwise().norm().maxCoeff())};
}

Projection::Projection(MatrixXd phi, std::span<const double> q)
    : phi_(std::move(phi)), q_(as_vector(q)) {
  const ScaledDecomposition decomposition = decompose(phi_, q);
  const auto dependent = dependent_features(decomposition);
  require(dependent.empty(), "{}; accepted: linearly independent features", describe(dependent));
  const auto& qr = decomposition.qr;
  const Index d = dimension();
  const MatrixXd triangular = qr.matrixR().topLeftCorner(d, d).triangularView<Eigen::Upper>();
  condition_ = std::abs(triangular(0, 0) / triangular(d - 1, d - 1));
  from_theta_ = triangular * qr.colsPermutation().transpose() * decomposition.scale.asDiagonal();

  // Column by column: the blocked kernels would add more compile time than they save at run time.
  to_theta_ = MatrixXd::Identity(d, d);
  for (Index j = 0; j < d; ++j) {
    auto column = to_theta_.col(j);
    triangular.triangularView<Eigen::Upper>().solveInPlace(column);
  }
  to_theta_ = decomposition.scale.cwiseInverse().asDiagonal() * (qr.colsPermutation() * to_theta_);

  orthogonal_ = MatrixXd::Identity(states(), d);
  VectorXd workspace(d);
  for (Index k = d - 1; k >= 0; --k) {
    orthogonal_.bottomRightCorner(states() - k, d - k)
        .applyHouseholderOnTheLeft(qr.matrixQR().col(k).tail(states() - k - 1), qr.hCoeffs()[k],
                                   workspace.data());
  }
}

VectorXd Projection::coefficients(const Eigen::Ref<const VectorXd>& v) const {
  return to_theta_ * (orthogonal_.transpose() * q_.cwiseSqrt().cwiseProduct(v));
}

VectorXd Projection::operator()(const Eigen::Ref<const VectorXd>& v) const {
  return phi_ * coefficients(v);
}

MatrixXd Projection::orthonormal_features() const {
  return phi_ * to_theta_;
}

VectorXd Projection::from_orthonormal(const Eigen::Ref<const VectorXd>& w) const {
  return to_theta_ * w;
}

VectorXd Projection::to_orthonormal(const Eigen::Ref<const VectorXd>& theta) const {
  return from_theta_ * theta;
}

SingularRange Projection::singular_range() const {
  const Eigen::JacobiSVD<MatrixXd, Eigen::NoQRPreconditioner> decomposition(from_theta_);
  const auto& values = decomposition.singularValues();
  return {values.minCoeff(), values.maxCoeff()};
}

}  // namespace shortfall::theory
