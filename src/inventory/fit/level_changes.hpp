#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "shortfall/inventory/fit/fit.hpp"

namespace shortfall::inventory::detail {

/// A day with what a fitted law expects of it.
struct ExpectedDay {
  std::chrono::sys_days date;
  std::size_t demand;
  bool stockout;
  double mean;  ///< positive
};

/// Whether days of a negative binomial law with dispersion α (0: Poisson) keep their level.
class LevelChanges {
 public:
  LevelChanges(std::vector<ExpectedDay> days, double dispersion);

  Trend trend() const;
  /// None if no date is likelier than none at all.
  std::optional<LevelShift> shift() const;
  /// The correlation of residuals of successive dates, and the number of standard errors that it is
  /// from zero.
  struct Autocorrelation {
    double value = 0.0;
    double errors = 0.0;
  };
  Autocorrelation autocorrelation() const;

 private:
  struct Level {
    double log_factor;
    double log_likelihood;
  };
  /// The most likely factor of the means of the days first..last-1.
  Level level(std::size_t first, std::size_t last) const;
  /// A date on which the level may have changed, with the score statistic. The likelihood ratio is
  /// nearly that, which is cheap for every date: it selects the dates for which it is computed.
  struct Candidate {
    double statistic;
    std::size_t day;
    bool in_the_middle;
  };
  std::vector<Candidate> shift_dates() const;
  struct Shift {
    std::size_t day;
    double ratio;  ///< with the dispersion fixed
  };
  /// The one with the largest likelihood ratio, if any is positive.
  std::optional<Shift> likeliest(std::vector<Candidate> candidates) const;
  /// The mean of a day times exp(level + change · x), with x for each day.
  struct Change {
    double log_factor;
    double ratio;  ///< twice the logarithm of the likelihood ratio against no change
  };
  /// The most likely change, with the most likely dispersion.
  Change change(const std::vector<double>& x, double most) const;
  Change change_from(std::size_t day) const;  ///< another level from that day on

  std::vector<ExpectedDay> days_;
  double dispersion_;
  std::size_t largest_ = 0;
  std::vector<double> score_;        // ∂ℓ_t / ∂log mean
  std::vector<double> information_;  // its variance
};

/// P(sup > c) of LevelShift, without a part of the days at either end.
double largest_bridge_tail(double c, double trimmed);

}  // namespace shortfall::inventory::detail
