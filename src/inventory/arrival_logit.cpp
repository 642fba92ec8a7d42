#include "inventory/arrival_logit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>

#include "inventory/chi_square.hpp"
#include "inventory/maximise.hpp"
#include "shortfall/infinity.hpp"
#include "shortfall/portable_math.hpp"

namespace shortfall::inventory::detail {
namespace {

constexpr double absent = -40.0;

/// Units by age of all deliveries of one size, and the size in standard units.
struct OrderSize {
  double order;
  double standard;
  double units = 0.0;
  std::vector<double> by_age;
};

class LogitProblem {
 public:
  LogitProblem(std::span<const Delivery> deliveries, std::size_t shelf_life) {
    std::vector<double> totals(shelf_life);
    double squares = 0.0;
    double units = 0.0;
    std::map<double, std::vector<double>> by_order;
    for (const Delivery& delivery : deliveries) {
      std::vector<double>& ages = by_order[delivery.order];
      ages.resize(shelf_life);
      for (std::size_t i = 0; i < shelf_life; ++i) {
        ages[i] += delivery.by_age[i];
        totals[i] += delivery.by_age[i];
      }
      units += delivery.units;
      centre += delivery.units * delivery.order;
      squares += delivery.units * delivery.order * delivery.order;
    }
    centre /= units;
    scale = std::sqrt(std::max(squares / units - centre * centre, 1e-12));
    for (auto& [order, ages] : by_order) {
      OrderSize& size = sizes.emplace_back(OrderSize{order, (order - centre) / scale, 0.0, ages});
      for (const double n : ages) size.units += n;
    }
    reference = static_cast<std::size_t>(std::ranges::max_element(totals) - totals.begin());
    for (std::size_t i = 0; i < shelf_life; ++i) {
      if (i != reference && totals[i] > 0.0) present.push_back(i);
    }
    for (const std::size_t i : present)
      start.push_back(portable::log(totals[i] / totals[reference]));
    start.resize(2 * present.size());
  }

  /// The shares of the present ages at a size; θ has their constants, then their slopes.
  std::vector<double> shares(const OrderSize& size, std::span<const double> theta) const {
    std::vector<double> p;
    double largest = 0.0;
    for (std::size_t j = 0; j < present.size(); ++j) {
      p.push_back(theta[j] + theta[present.size() + j] * size.standard);
      largest = std::max(largest, p.back());
    }
    double sum = portable::exp(-largest);
    for (double& logit : p) sum += logit = portable::exp(logit - largest);
    for (double& share : p) share /= sum;
    return p;
  }

  double log_likelihood(std::span<const double> theta, std::span<double> gradient) const {
    std::ranges::fill(gradient, 0.0);
    double sum = 0.0;
    for (const OrderSize& size : sizes) {
      const std::vector<double> p = shares(size, theta);
      double rest = 1.0;
      for (std::size_t j = 0; j < present.size(); ++j) {
        const double n = size.by_age[present[j]];
        rest -= p[j];
        sum += n > 0.0 ? n * portable::log(p[j]) : 0.0;
        gradient[j] += n - size.units * p[j];
        gradient[present.size() + j] += (n - size.units * p[j]) * size.standard;
      }
      const double n = size.by_age[reference];
      if (n > 0.0) sum += n * portable::log(std::max(rest, 1e-300));
    }
    return sum;
  }

  /// Fisher's information of θ.
  Eigen::MatrixXd information(std::span<const double> theta) const {
    const auto ages = static_cast<Eigen::Index>(present.size());
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(2 * ages, 2 * ages);
    for (const OrderSize& size : sizes) {
      const std::vector<double> p = shares(size, theta);
      const Eigen::Map<const Eigen::VectorXd> share(p.data(), ages);
      const Eigen::MatrixXd of_size =
          size.units * (Eigen::MatrixXd(share.asDiagonal()) - share * share.transpose());
      const double z = size.standard;
      result.topLeftCorner(ages, ages) += of_size;
      result.topRightCorner(ages, ages) += z * of_size;
      result.bottomLeftCorner(ages, ages) += z * of_size;
      result.bottomRightCorner(ages, ages) += z * z * of_size;
    }
    return result;
  }

  std::vector<OrderSize> sizes;
  std::vector<std::size_t> present;  // ages other than the reference
  std::size_t reference = 0;         // the most frequent age
  std::vector<double> start;
  double centre = 0.0;
  double scale = 1.0;
};

}  // namespace

std::vector<double> ArrivalLogit::shares(double order) const {
  std::vector<double> p = {0.0};
  for (std::size_t i = 0; i < c0.size(); ++i) p.push_back(c0[i].value + c1[i].value * order);
  const double largest = *std::ranges::max_element(p);
  double sum = 0.0;
  for (double& logit : p) sum += logit = portable::exp(logit - largest);
  for (double& share : p) share /= sum;
  return p;
}

ArrivalLogit fit_arrival_logit(std::span<const Delivery> deliveries, std::size_t shelf_life) {
  const LogitProblem problem(deliveries, shelf_life);
  const std::size_t ages = problem.present.size();
  const Maximum best = maximise(
      [&](std::span<const double> theta, std::span<double> gradient) {
        return problem.log_likelihood(theta, gradient);
      },
      problem.start, {std::vector<double>(2 * ages, -30.0), std::vector<double>(2 * ages, 30.0)});
  // Rows of the linear map from θ to (constant, slope) of every age, relative to the reference.
  const auto length = static_cast<Eigen::Index>(2 * ages);
  Eigen::MatrixXd constant = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(shelf_life), length);
  Eigen::MatrixXd slope = constant;
  Eigen::VectorXd shift = Eigen::VectorXd::Constant(static_cast<Eigen::Index>(shelf_life), absent);
  shift[static_cast<Eigen::Index>(problem.reference)] = 0.0;
  for (std::size_t j = 0; j < ages; ++j) {
    const auto age = static_cast<Eigen::Index>(problem.present[j]);
    const auto column = static_cast<Eigen::Index>(j);
    constant(age, column) = 1.0;
    constant(age, static_cast<Eigen::Index>(ages) + column) = -problem.centre / problem.scale;
    slope(age, static_cast<Eigen::Index>(ages) + column) = 1.0 / problem.scale;
    shift[age] = 0.0;
  }
  const Eigen::Map<const Eigen::VectorXd> theta(best.theta.data(), length);
  const Eigen::MatrixXd covariance =
      problem.information(best.theta).completeOrthogonalDecomposition().pseudoInverse();
  ArrivalLogit result{{}, {}, best.value, 2 * ages};
  for (Eigen::Index i = 1; i < static_cast<Eigen::Index>(shelf_life); ++i) {
    // Without units of the first or of this age there is nothing to estimate.
    const bool estimated = shift[0] == 0.0 && shift[i] == 0.0;
    const auto coefficient = [&](const Eigen::MatrixXd& rows, double offset) {
      const Eigen::RowVectorXd row = rows.row(i) - rows.row(0);
      const double value = row.dot(theta) + offset;
      const double error =
          estimated
              ? normal_975 * std::sqrt(std::max(0.0, (row * covariance * row.transpose()).value()))
              : infinity;
      return Coefficient{value, {value - error, value + error}};
    };
    result.c0.push_back(coefficient(constant, shift[i] - shift[0]));
    result.c1.push_back(coefficient(slope, 0.0));
  }
  return result;
}

}  // namespace shortfall::inventory::detail
