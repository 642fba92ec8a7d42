#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace shortfall::learn {

/// Watches for single rows that move the values by orders of magnitude, such as a cost in another
/// unit or a counter that overflowed. Such a row is learned like any other: the watch makes it
/// known.
///
/// A row is an *outlier* if its loss |u| = ω |ℓ(δ)| is more than 100 times the largest |u| of all
/// rows before, of which there are at least 100. Costs without such a tail have none: n + 1 draws
/// with P(|u| > z) ~ z^-a have one with a probability of about 100^-a / n, so that a stream with
/// a = 2, whose variance is barely infinite, has one among a million rows with a probability of
/// about 100^-2 ln(10^4) = 0.001.
///
/// Values are *upset* from the first value after an outlier that is more than ten times the largest
/// value before it. They are compared at the features of every 61st row, in windows of 64 of those,
/// until 16 windows after the outlier: an average follows its last iterate slowly. (With values of
/// 0 before it, as in a warm-up, they cannot be compared.) They are no longer upset after a window
/// whose largest value is within ten times the one before the outlier.
///
/// A few instructions per row, and no allocation.
class OutlierWatch {
 public:
  static constexpr double loss_factor = 100.0;
  static constexpr double value_factor = 10.0;
  static constexpr std::uint64_t least_losses = 100;
  static constexpr std::uint64_t rows_per_value = 61;  // a prime: few streams have that period
  static constexpr std::uint64_t values_per_window = 64;
  static constexpr std::uint64_t windows_watched = 16;

  struct Outlier {
    std::uint64_t row = 0;  ///< 0: there was none
    double cost = 0.0;
    double ratio = 0.0;  ///< of its loss to the largest before

    template <class Archive>
    void archive(Archive& state) {
      state(row);
      state(cost);
      state(ratio);
    }
  };

  /// Takes the loss of the next row. True if it is an outlier; then call found().
  bool add(double loss) {
    const double size = std::abs(loss);
    ++losses_;
    recent_ = std::max(recent_, size);
    return size > largest_ && add_largest(size);
  }
  void found(std::uint64_t row, double cost) {
    ++outliers_;
    last_ = {row, cost, ratio_};
  }

  /// Whether the value of this row is to be added. To be asked once per row.
  bool is_value_due() { return --until_value_ == 0; }
  /// Takes a value after the update, at the features of a row.
  void add_value(double value);

  std::uint64_t outliers() const { return outliers_; }  ///< so far
  const Outlier& last() const { return last_; }
  bool is_upset() const { return is_upset_ != 0; }
  /// The outlier is as it should be: values are compared with those from now on.
  void accept();

  template <class Archive>
  void archive(Archive& state) {
    state(losses_);
    state(largest_);
    state(recent_);
    state(ratio_);
    state(outliers_);
    last_.archive(state);
    state(until_value_);
    state(values_);
    state(window_value_);
    state(scale_);
    state(windows_left_);
    state(is_upset_);
    state.check([this] { check_state(); });
  }

 private:
  bool add_largest(double size);
  void end_window();
  void check_state() const;

  std::uint64_t losses_ = 0;
  double largest_ = 0.0;  // |u|
  double recent_ = 0.0;   // of this window
  double ratio_ = 0.0;
  std::uint64_t outliers_ = 0;
  Outlier last_;
  std::uint64_t until_value_ = rows_per_value;
  std::uint64_t values_ = 0;        // of this window
  double window_value_ = 0.0;       // the largest of them
  double scale_ = 0.0;              // the largest of the last window, or of that before an outlier
  std::uint64_t windows_left_ = 0;  // until an outlier is forgotten; 0: there is none
  std::uint8_t is_upset_ = 0;
};

}  // namespace shortfall::learn
