#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "shortfall/learn/any_step.hpp"
#include "shortfall/learn/detail/iterate_means.hpp"
#include "shortfall/learn/status.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/risk/loss.hpp"

namespace shortfall::learn::detail {

/// What a learner with steps has besides them. With scaled steps: the scale, and the mean of its
/// iterates, which it reports; otherwise nothing, and with a rule that is no AnyStep not even that.
template <class S>
class Settling {
 public:
  Settling(std::size_t dimension, IterateMeans::Sample sample, SlopeBounds slopes, S step)
      : step_(std::move(step)), steepest_(slopes.upper) {
    if constexpr (std::is_same_v<S, AnyStep>) {
      // A world that changes: the mean of the last half is of one to two half-lives.
      const bool forgets = step_.last() < std::numeric_limits<std::uint64_t>::max();
      const std::uint64_t longest =
          forgets ? std::max<std::uint64_t>(1, step_.last() / 12) : BatchSums::unlimited;
      if (step_.is_scaled()) means_.emplace(dimension, sample, longest);
      is_judged_ = step_.is_scaled() && !forgets;
    }
  }

  /// Null unless steps are scaled.
  IterateMeans* means() { return means_ ? &*means_ : nullptr; }

  /// Whether steps depend on features and losses, and `include` is to be called before `step`.
  bool is_scaled() const {
    if constexpr (std::is_same_v<S, AnyStep>) return means_.has_value();
    return false;
  }
  /// At the construction of a learner: `mean` is what it reports instead of θ, if anything.
  void begin(AlignedVector& mean, LearnerStatus& status, std::size_t padded_dimension) {
    if (!is_scaled()) return;
    mean.resize(padded_dimension);
    status = this->status();
  }
  void include(double size, LossPoint loss, double error) {
    double slope = steepest_;
    if (!(slope < infinity)) {
      slope = error == 0.0 ? loss.left_slope : std::max(loss.left_slope, loss.value / error);
    }
    scaled()->include(size, slope);
  }
  double step(std::uint64_t n) { return step_(n); }

  LearnerStatus status() const {
    return is_judged_ && !means_->is_settled() ? LearnerStatus::not_settled : LearnerStatus::ok;
  }
  std::optional<double> movement() const {
    if (!is_judged_ || std::isnan(means_->movement())) return {};
    return means_->movement();
  }

  template <class Archive>
  void archive(Archive& state) {
    if (!is_scaled()) return;
    scaled()->archive(state);
    means_->archive(state);
  }

 private:
  ScaledStep* scaled() {
    if constexpr (std::is_same_v<S, AnyStep>) return step_.scaled();
    return nullptr;
  }

  S step_;
  double steepest_;
  bool is_judged_ = false;
  std::optional<IterateMeans> means_;
};

}  // namespace shortfall::learn::detail
