#include "shortfall/learn/detail/batch_sums.hpp"

#include "shortfall/numbers/infinity.hpp"

namespace shortfall::learn {

void BatchSums::next() {
  filled_ = 0;
  if (++count_ == capacity_) {
    if (length_ <= longest_ / 2) {
      merge_pairs();
    } else {
      drop_older_half();
    }
    count_ = capacity_ / 2;
  }
  std::fill_n(row(), width_, 0.0);
  weights_[count_] = 0.0;
}

void BatchSums::clear() {
  count_ = 0;
  filled_ = 0;
  length_ = first_;
  std::fill(rows_.begin(), rows_.end(), 0.0);
  std::fill(weights_.begin(), weights_.end(), 0.0);
}

void BatchSums::merge_pairs() {
  for (std::size_t k = 0; k < capacity_ / 2; ++k) {
    const double* const first = rows_.data() + 2 * k * width_;
    double* const merged = rows_.data() + k * width_;
    for (std::size_t i = 0; i < width_; ++i) merged[i] = first[i] + first[width_ + i];
    weights_[k] = weights_[2 * k] + weights_[2 * k + 1];
  }
  length_ *= 2;
}

void BatchSums::drop_older_half() {
  const auto middle = static_cast<std::ptrdiff_t>(capacity_ / 2);
  std::copy(rows_.begin() + middle * static_cast<std::ptrdiff_t>(width_), rows_.end(),
            rows_.begin());
  std::copy(weights_.begin() + middle, weights_.end(), weights_.begin());
}

void BatchSums::check_state() const {
  detail::check_count("batches", count_, 0, capacity_ - 1);
  detail::check_count("batch_length", length_, 1, longest_);
  detail::check_count("batch_filled", filled_, 0, length_ - 1);
  detail::check_numbers("batch_rows", rows_, dimension_);
  for (const double weight : weights_) detail::check_real("batch_weights", weight, 0.0, infinity);
}

}  // namespace shortfall::learn
