#include <algorithm>
#include <limits>

#include "errors/require.hpp"
#include "shortfall/learn/detail/information_matrix.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::learn {

void InformationMatrix::check_state(std::uint64_t updates, LearnerStatus status) const {
  check_counts(updates);
  check_inverse();
  check_sums();
  require(status == this->status() || status == LearnerStatus::diverged,
          "status = {}; accepted: {}, {}", to_string(status), to_string(this->status()),
          to_string(LearnerStatus::diverged));
}

void InformationMatrix::check_counts(std::uint64_t updates) const {
  detail::check_count("samples", samples_, updates, updates);
  // A sample in parts has several products.
  const bool is_whole = unseen_ == Unseen::is_singular;
  const std::uint64_t most = is_whole ? samples_ : products_at_once * samples_;
  detail::check_count("products", products_, 0,
                      std::min<std::uint64_t>(products_at_once - 1, most));
  detail::check_count("moved_at", moved_at_, invertible_ ? 1 : 0, samples_);
  detail::check_count("recent_from", recent_from_, 0, moved_at_ == 0 ? 0 : samples_);
  detail::check_count("fading_from", fading_from_, 0, recent_from_);
  detail::check_real("share", share_, 0.0, 1.0);
  detail::check_count("batch_filled", batches_.filled(), 0, samples_ - moved_at_);
  const std::uint64_t last =
      std::max(warmup_, later(std::max<std::uint64_t>(refactor_every_, dimension_)));
  detail::check_count("next_inversion", next_inversion_, later(1), last);
  detail::check_count("inversions", inversions_, invertible_ ? 1 : 0, samples_);
  detail::check_count("failed_inversions", failed_inversions_, 0, samples_);
}

void InformationMatrix::check_inverse() const {
  constexpr double largest = std::numeric_limits<double>::max();
  detail::check_real("distance", distance_, invertible_ ? near_singular : 0.0, largest);
  detail::check_real("amplification", amplification_, 1.0, largest_amplification);
  // These numbers belong to a matrix that may have no inverse: later updates check them.
  detail::check_padding("inverse", inverse_, dimension_);
  detail::check_padding("column", column_, dimension_);
  detail::check_padding("row", row_, dimension_);
  detail::check_padding("root", root_, dimension_);
}

void InformationMatrix::check_sums() const {
  recent_.check_state(dimension_, recent_names);
  if (memory_ == Memory::renewed) fading_.check_state(dimension_, fading_names);
  slopes_.check_state(batches_.length());
  detail::check_real("doubt", doubt_, 0.0, infinity);
  detail::check_numbers("theta_sum", theta_sum_, dimension_);
  detail::check_numbers("products_x", products_x_, dimension_);
  detail::check_numbers("products_z", products_z_, dimension_);
}

}  // namespace shortfall::learn
