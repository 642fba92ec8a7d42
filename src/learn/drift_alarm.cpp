#include "shortfall/learn/drift_alarm.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "errors/require.hpp"
#include "shortfall/learn/interval.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::learn {
namespace {

/// P(sup_{s≤1} |W(s)| > q); the terms fall so fast that a few suffice for q ≥ 0.5. In extended
/// precision, whose functions do not depend on the vector instructions.
double brownian_tail(double q) {
  long double sum = 0.0L;
  for (int k = 0; k < 20; ++k) {
    const long double term = 2.0L * std::erfc((2 * k + 1) * q / std::sqrt(2.0L));
    sum += k % 2 == 0 ? term : -term;
  }
  return static_cast<double>(sum);
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

DriftAlarm::DriftAlarm(double false_alarm_rate, std::uint64_t longest_reference)
    : rate_(false_alarm_rate), longest_(longest_reference) {
  require(rate_ >= 1e-9 && rate_ < 1.0,
          "a false-alarm rate of {}; accepted: from 1e-9 to 1, exclusive", rate_);
}

bool DriftAlarm::add(double loss) {
  constexpr double largest_loss = 1e150;  // sums and squares stay finite
  if (!(std::abs(loss) <= largest_loss) || ++losses_ <= first_reference) return false;
  batches_.row()[0] += loss;
  if (batches_.count_sample(1.0)) batches_.next();
  sum_ += loss - mean_;
  largest_ = std::max(largest_, std::abs(loss));
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
  if (seen_ == watch_length()) begin_round();
  return false;
}

std::uint64_t DriftAlarm::watch_length() const {
  return reference_ >= longest_ ? reference_ : 2 * reference_;
}

bool DriftAlarm::is_outside() const {
  const auto j = static_cast<double>(seen_);
  const bool is_far = std::abs(sum_) > bound_ * (1.0 + j / static_cast<double>(reference_));
  return is_far && std::abs(mean_ + sum_ / j) > std::abs(mean_);
}

/// The losses seen become the reference, or the beginning of a longer one.
void DriftAlarm::begin_round() {
  std::vector<double> y(batches_.count());
  for (std::size_t k = 0; k < y.size(); ++k) y[k] = batches_.row(k)[0];
  const detail::LongRun noise = detail::long_run(y, batches_.length());
  const auto m = static_cast<double>(seen_);
  if (noise.is_short) {
    sum_ += mean_ * m;  // Σ u of all that was seen
    mean_ = 0.0;
    is_watching_ = 0;
    reference_ = 2 * seen_;
    return;
  }
  ++round_;
  reference_ = seen_;
  mean_ += sum_ / m;
  const auto k = static_cast<double>(round_);
  const double alpha = rate_ / (k * (k + 1.0));
  const double estimated = student_tail_quantile(alpha, static_cast<double>(noise.batches - 1)) /
                           student_tail_quantile(alpha, 1e12);
  const double c = std::sqrt(2.0 / 3.0) * brownian_bound(alpha) * estimated;
  bound_ = std::max(c * noise.deviation * std::sqrt(m), 10.0 * largest_);
  is_watching_ = 1;
  begin_batches();
}

void DriftAlarm::begin_reference() {
  is_watching_ = 0;
  reference_ = first_reference;
  mean_ = 0.0;
  begin_batches();
}

void DriftAlarm::begin_batches() {
  seen_ = 0;
  sum_ = 0.0;
  largest_ = 0.0;
  batches_.clear();
}

void DriftAlarm::check_state() const {
  detail::check_count("alarms", alarms_, 0, losses_);
  detail::check_count("last_alarm", last_alarm_, 0, losses_);
  detail::check_count("round", round_, is_watching_, losses_);
  detail::check_count("reference", reference_, first_reference,
                      first_reference + 2 * std::min(losses_, unlimited / 4));
  detail::check_count("is_watching", is_watching_, 0, 1);
  detail::check_count("seen", seen_, 0, 2 * reference_ - 1);
  detail::check_real("bound", bound_, 0.0, infinity);
  detail::check_real("largest", largest_, 0.0, infinity);
  for (const double x : {mean_, sum_})
    detail::check_real("a sum of losses", x, -infinity, infinity);
}

}  // namespace shortfall::learn
