#include "shortfall/learn/outlier_watch.hpp"

#include "errors/require.hpp"

namespace shortfall::learn {

bool OutlierWatch::add_largest(double size) {
  const bool is_outlier = losses_ > least_losses && largest_ > 0.0 && size > loss_factor * largest_;
  ratio_ = largest_ > 0.0 ? size / largest_ : 0.0;
  largest_ = size;
  if (!is_outlier) return false;
  if (windows_left_ == 0) scale_ = std::max(scale_, window_value_);
  windows_left_ = windows_watched;
  until_value_ = 1;
  return true;
}

void OutlierWatch::add_value(double value) {
  until_value_ = rows_per_value;
  window_value_ = std::max(window_value_, std::abs(value));
  const bool is_large = scale_ > 0.0 && std::abs(value) > value_factor * scale_;
  if (windows_left_ > 0 && is_large) is_upset_ = 1;
  if (++values_ == values_per_window) end_window();
}

void OutlierWatch::end_window() {
  if (is_upset_ != 0 && window_value_ <= value_factor * scale_) {
    is_upset_ = 0;
    largest_ = recent_;
  }
  if (windows_left_ > 0 && is_upset_ == 0) --windows_left_;
  if (windows_left_ == 0) scale_ = window_value_;
  values_ = 0;
  window_value_ = recent_ = 0.0;
}

void OutlierWatch::accept() {
  windows_left_ = 0;
  is_upset_ = 0;
  scale_ = std::max(scale_, window_value_);
}

void OutlierWatch::check_state() const {
  const auto is_size = [](double size) { return size >= 0.0; };
  require(
      is_size(largest_) && is_size(recent_) && is_size(window_value_) && is_size(scale_) &&
          is_size(ratio_) && until_value_ >= 1 && until_value_ <= rows_per_value &&
          values_ < values_per_window && windows_left_ <= windows_watched && is_upset_ <= 1,
      "the watch for outliers has {} rows, {} values and {} windows; accepted: what a run wrote",
      losses_, values_, windows_left_);
}

}  // namespace shortfall::learn
