#include "shortfall/learn/drift_alarm.hpp"

#include <cmath>
#include <vector>

#include "require.hpp"
#include "shortfall/infinity.hpp"
#include "shortfall/learn/interval.hpp"

namespace shortfall::learn {
namespace {

/// P(sup_{s≤1} |W(s)| > q); the terms fall so fast that a few suffice for q ≥ 0.5.
double brownian_tail(double q) {
  double sum = 0.0;
  for (int k = 0; k < 20; ++k) {
    const double term = 2.0 * std::erfc((2 * k + 1) * q / std::sqrt(2.0));
    sum += k % 2 == 0 ? term : -term;
  }
  return sum;
}

}  // namespace

double brownian_bound(double alpha) {
  double low = 0.5;
  double high = 40.0;
  while (high - low > 1e-12) {
    const double middle = 0.5 * (low + high);
    (brownian_tail(middle) > alpha ? low : high) = middle;
  }
  return high;
}

DriftAlarm::DriftAlarm(double false_alarm_rate) : rate_(false_alarm_rate) {
  require(rate_ > 0.0 && rate_ < 1.0, "a false-alarm rate of {}; accepted: between 0 and 1", rate_);
}

bool DriftAlarm::add(double loss) {
  if (!std::isfinite(loss) || ++losses_ <= first_reference) return false;
  batches_.row()[0] += loss;
  if (batches_.count_sample(1.0)) batches_.next();
  sum_ += loss - mean_;
  ++seen_;
  if (is_watching_ == 0) {
    if (seen_ == reference_) begin_round();
    return false;
  }
  if (is_outside()) {
    ++alarms_;
    last_alarm_ = losses_;
    begin_reference();
    return true;
  }
  if (seen_ == 2 * reference_) begin_round();
  return false;
}

bool DriftAlarm::is_outside() const {
  const auto j = static_cast<double>(seen_);
  const bool is_far = std::abs(sum_) > bound_ * (1.0 + j / static_cast<double>(reference_));
  return is_far && std::abs(mean_ + sum_ / j) > std::abs(mean_);
}

/// The losses seen become the reference.
void DriftAlarm::begin_round() {
  ++round_;
  reference_ = seen_;
  const auto m = static_cast<double>(reference_);
  mean_ += sum_ / m;
  std::vector<double> y(batches_.count());
  for (std::size_t k = 0; k < y.size(); ++k) y[k] = batches_.row(k)[0];
  const Interval spread =
      detail::interval_from(0.0, y, batches_.length(), 1.0, IntervalMethod::batch_means, 0.95);
  const auto k = static_cast<double>(round_);
  const double level = 1.0 - rate_ / (k * (k + 1.0));
  const double estimated = student_quantile(level, static_cast<double>(spread.batches - 1)) /
                           student_quantile(level, 1e12);
  bound_ = std::sqrt(2.0 / 3.0) * brownian_bound(1.0 - level) * estimated * spread.standard_error *
           std::sqrt(m);
  is_watching_ = 1;
  seen_ = 0;
  sum_ = 0.0;
  batches_.clear();
}

void DriftAlarm::begin_reference() {
  is_watching_ = 0;
  reference_ = first_reference;
  seen_ = 0;
  mean_ = 0.0;
  sum_ = 0.0;
  batches_.clear();
}

void DriftAlarm::check_state() const {
  detail::check_count("alarms", alarms_, 0, losses_);
  detail::check_count("last_alarm", last_alarm_, 0, losses_);
  detail::check_count("round", round_, is_watching_, losses_);
  detail::check_count("reference", reference_, first_reference, first_reference + losses_);
  detail::check_count("is_watching", is_watching_, 0, 1);
  detail::check_count("seen", seen_, 0, 2 * reference_ - 1);
  detail::check_real("bound", bound_, 0.0, infinity);
  for (const double x : {mean_, sum_})
    detail::check_real("a sum of losses", x, -infinity, infinity);
}

}  // namespace shortfall::learn
