#include "inventory/fit/arrival_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "inventory/fit/likelihood.hpp"
#include "shortfall/mdp/random_bits.hpp"
#include "shortfall/mdp/random_streams.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/numbers/portable_math.hpp"

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
  Eigen::MatrixXd covariance(length, length);
  if (ages > 0) {  // Eigen has no decomposition of an empty matrix
    covariance = problem.information(best.theta).completeOrthogonalDecomposition().pseudoInverse();
  }
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

namespace {

constexpr double significant_order = 0.01;
constexpr double few_units = 20.0;

/// Units by age, of all weekdays or of one.
struct AgeCounts {
  double units = 0.0;
  std::vector<double> by_age;

  void add(const Delivery& delivery) {
    by_age.resize(delivery.by_age.size());
    units += delivery.units;
    for (std::size_t i = 0; i < by_age.size(); ++i) by_age[i] += delivery.by_age[i];
  }
  double log_likelihood() const {
    double sum = 0.0;
    for (const double n : by_age) sum += n > 0.0 ? n * portable::log(n / units) : 0.0;
    return sum;
  }
  std::vector<double> shares() const {
    std::vector<double> p;
    for (const double n : by_age) p.push_back(n / units);
    return p;
  }
};

/// Wilson's interval for a share of `units` independent units.
Share with_interval(double share, double units) {
  constexpr double z = normal_975;
  const double centre = (share + z * z / (2.0 * units)) / (1.0 + z * z / units);
  const double half = z / (1.0 + z * z / units) *
                      std::sqrt(share * (1.0 - share) / units + z * z / (4.0 * units * units));
  return {share,
          {share == 0.0 ? 0.0 : std::max(centre - half, 0.0),
           share == 1.0 ? 1.0 : std::min(centre + half, 1.0)}};
}

std::vector<Share> shares_of(const AgeCounts& counts, double dispersion) {
  std::vector<Share> result;
  for (const double p : counts.shares()) {
    result.push_back(with_interval(p, counts.units / dispersion));
  }
  return result;
}

using Week = std::array<AgeCounts, 7>;

Week counts_by_weekday(const std::vector<Delivery>& deliveries) {
  Week week = {};
  for (const Delivery& delivery : deliveries) week[delivery.weekday].add(delivery);
  return week;
}

double weekly_log_likelihood(const Week& week) {
  double sum = 0.0;
  for (const AgeCounts& day : week) sum += day.units > 0.0 ? day.log_likelihood() : 0.0;
  return sum;
}

class ArrivalCandidates {
 public:
  ArrivalCandidates(const std::vector<Delivery>& deliveries, std::size_t shelf_life)
      : deliveries_(deliveries),
        logit_(fit_arrival_logit(deliveries, shelf_life)),
        week_(counts_by_weekday(deliveries)),
        weekly_(weekly_log_likelihood(week_)) {
    for (const Delivery& delivery : deliveries) all_.add(delivery);
    for (const double n : all_.by_age) free_ages_ += n > 0.0 ? 1.0 : 0.0;
    free_ages_ -= 1.0;
    for (const AgeCounts& day : week_) open_days_ += day.units > 0.0 ? 1.0 : 0.0;
    set_dispersion();
  }

  ArrivalFit choose(std::vector<Warning>& warnings) const {
    ArrivalFit fit;
    fit.deliveries = deliveries_.size();
    fit.units = static_cast<std::size_t>(all_.units);
    fit.dispersion = dispersion_;
    const double together = all_.log_likelihood();
    fit.order_p = order_tail(std::max(2.0 * (logit_.log_likelihood - together), 0.0));
    fit.weekday_p = weekday_tail(std::max(2.0 * (weekly_ - together), 0.0), together);
    const bool by_order = fit.order_p < significant_order;
    const double plain =
        by_order ? bic(logit_.log_likelihood, 2.0 * free_ages_) : bic(together, free_ages_);
    if (open_days_ > 1.0 && bic(weekly_, free_ages_ * open_days_) < plain) {
      take_weekly_shares(fit, warnings);
    } else if (by_order) {
      take_logit(fit);
    } else {
      fit.law = ArrivalLaw::shares;
      fit.log_likelihood = together;
      fit.shares = {shares_of(all_, dispersion_)};
    }
    return fit;
  }

 private:
  double bic(double log_likelihood, double parameters) const {
    return -2.0 * log_likelihood / dispersion_ + parameters * portable::log(all_.units);
  }

  /// See ArrivalFit; under the likelier of the two rich laws, or one law for all if each weekday
  /// has one delivery.
  void set_dispersion() {
    const bool by_order = logit_.log_likelihood > weekly_;
    double squares = 0.0;
    std::array<double, 7> of_weekday{};
    for (const Delivery& delivery : deliveries_) {
      squares += delivery.units * delivery.units;
      of_weekday[delivery.weekday] += delivery.units * delivery.units;
    }
    double free_units = all_.units - (by_order ? 2.0 : 1.0) * squares / all_.units;
    double parameters = by_order ? 2.0 : open_days_;
    Rich rich = by_order ? Rich::by_order : Rich::by_weekday;
    if (!by_order) {
      free_units = 0.0;
      for (std::size_t day = 0; day < week_.size(); ++day) {
        if (week_[day].units > 0.0)
          free_units += week_[day].units - of_weekday[day] / week_[day].units;
      }
    }
    if (free_units <= 0.0) {
      rich = Rich::none;
      parameters = 1.0;
      free_units = all_.units - squares / all_.units;
    }
    const double deliveries = static_cast<double>(deliveries_.size());
    if (free_ages_ == 0.0 || free_units <= 0.0 || deliveries <= parameters) return;
    dispersion_ = std::max(1.0, weighted_squares(rich) / (free_ages_ * free_units));
    // As many deliveries of equal size as know the variance as well as these.
    const double equal = all_.units * all_.units / squares;
    degrees_ = free_ages_ * std::max(equal * (1.0 - parameters / deliveries), 1.0);
  }

  enum class Rich { by_order, by_weekday, none };

  /// Σ n_j χ²_j.
  double weighted_squares(Rich rich) const {
    double sum = 0.0;
    for (const Delivery& delivery : deliveries_) {
      const std::vector<double> p = rich == Rich::by_order     ? logit_.shares(delivery.order)
                                    : rich == Rich::by_weekday ? week_[delivery.weekday].shares()
                                                               : all_.shares();
      for (std::size_t i = 0; i < p.size(); ++i) {
        if (all_.by_age[i] == 0.0 || p[i] == 0.0) continue;
        const double distance = delivery.by_age[i] - delivery.units * p[i];
        sum += distance * distance / p[i];
      }
    }
    return sum;
  }

  /// The chance that the ratio of the logit, twice the difference of log likelihoods, is as large.
  double order_tail(double ratio) const {
    if (free_ages_ == 0.0) return 1.0;
    if (dispersion_ == 1.0) return chi_square_tail(ratio, free_ages_);
    return f_tail(ratio / (dispersion_ * free_ages_), free_ages_, degrees_);
  }

  /// The same of shares by weekday: see ArrivalFit. Where large deliveries come on other weekdays
  /// than small ones, permutations differ more than the weekdays do, and this is too large.
  double weekday_tail(double ratio, double together) const {
    if (free_ages_ == 0.0 || open_days_ < 2.0) return 1.0;
    constexpr double permutations = 200.0;
    pcg64 bits = stream_generator(1, 0);
    std::vector<Delivery> permuted = deliveries_;
    double sum = 0.0;
    double squares = 0.0;
    for (double k = 0.0; k < permutations; k += 1.0) {
      for (std::size_t i = permuted.size(); i > 1; --i) {
        const std::size_t other = draw_index(bits, static_cast<std::uint32_t>(i));
        std::swap(permuted[i - 1].weekday, permuted[other].weekday);
      }
      const double found = 2.0 * (weekly_log_likelihood(counts_by_weekday(permuted)) - together);
      sum += found;
      squares += found * found;
    }
    const double mean = sum / permutations;
    const double variance = squares / permutations - mean * mean;
    constexpr double rounding = 1e-6;  // where all permutations have the same ratio
    if (variance <= rounding * mean * mean) return 1.0;
    const double degrees = 2.0 * mean * mean / variance;
    return chi_square_tail(ratio * degrees / mean, degrees);
  }

  void take_weekly_shares(ArrivalFit& fit, std::vector<Warning>& warnings) const {
    fit.law = ArrivalLaw::shares;
    fit.log_likelihood = weekly_;
    for (std::size_t weekday = 0; weekday < week_.size(); ++weekday) {
      const AgeCounts& day = week_[weekday];
      fit.shares.push_back(shares_of(day.units > 0.0 ? day : all_, dispersion_));
      if (day.units == 0.0 || day.units >= few_units) continue;
      warnings.push_back({.code = WarningCode::few_units_on_weekday,
                          .count = static_cast<std::size_t>(day.units),
                          .weekdays = {weekday}});
    }
  }

  void take_logit(ArrivalFit& fit) const {
    fit.law = ArrivalLaw::logit;
    fit.log_likelihood = logit_.log_likelihood;
    fit.shares = {shares_of(all_, dispersion_)};
    const auto widened = [&](Coefficient c) {
      const double half = std::sqrt(dispersion_) * (c.interval.high - c.value);
      return Coefficient{c.value, {c.value - half, c.value + half}};
    };
    std::ranges::transform(logit_.c0, std::back_inserter(fit.c0), widened);
    std::ranges::transform(logit_.c1, std::back_inserter(fit.c1), widened);
  }

  const std::vector<Delivery>& deliveries_;
  ArrivalLogit logit_;
  Week week_;
  double weekly_;  // log likelihood of shares by weekday
  AgeCounts all_;
  double free_ages_ = 0.0;  // ages that occur, less one
  double open_days_ = 0.0;  // weekdays with deliveries
  double dispersion_ = 1.0;
  double degrees_ = 1.0;  // of freedom, with which it is known
};

}  // namespace

std::vector<Delivery> deliveries_of(const Records& records) {
  std::vector<Delivery> result;
  for (const DayRecord& day : records.days) {
    const std::uint32_t units = day.received_units();
    if (units == 0) continue;
    const std::uint32_t ordered = day.ordered.value_or(0) > 0 ? *day.ordered : units;
    result.push_back({weekday_of(day.date), static_cast<double>(ordered),
                      static_cast<double>(units),
                      std::vector<double>(day.received.begin(), day.received.end())});
  }
  return result;
}

ArrivalFit fit_arrival(const Records& records, std::size_t shelf_life,
                       std::vector<Warning>& warnings) {
  const std::vector<Delivery> deliveries = deliveries_of(records);
  if (deliveries.empty()) {
    if (shelf_life > 1) {
      warnings.push_back({.code = WarningCode::ages_unknown});
    }
    return {};
  }
  const bool fresh =
      std::ranges::all_of(deliveries, [](const Delivery& d) { return d.by_age.back() == d.units; });
  if (!fresh) return ArrivalCandidates(deliveries, shelf_life).choose(warnings);
  ArrivalFit fit;
  fit.law = ArrivalLaw::fresh;
  fit.deliveries = deliveries.size();
  double units = 0.0;
  for (const Delivery& delivery : deliveries) units += delivery.units;
  fit.units = static_cast<std::size_t>(units);
  fit.shares.resize(1);
  for (std::size_t age = 1; age <= shelf_life; ++age) {
    fit.shares[0].push_back(with_interval(age == shelf_life ? 1.0 : 0.0, units));
  }
  return fit;
}

}  // namespace shortfall::inventory::detail
