#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "formats/transition_row.hpp"

namespace shortfall::io {

/// The sequence numbers seen so far, as ranges without gaps, in constant memory: of numbers with
/// many gaps, those in all but the last thousand gaps count as seen, too. 1, 2, 3, 7 and 8 are two
/// ranges.
class SeenNumbers {
 public:
  static constexpr std::size_t ranges_kept = 1000;

  SeenNumbers() = default;
  /// From bounds(), possibly damaged.
  explicit SeenNumbers(const std::vector<std::int64_t>& bounds) {
    for (std::size_t i = 0; i + 1 < bounds.size(); i += 2) {
      ranges_.push_back({bounds[i], bounds[i + 1]});
    }
  }
  /// Whether these are bounds of ranges, in order.
  static bool are_bounds(const std::vector<std::int64_t>& bounds) {
    return bounds.size() % 2 == 0 && bounds.size() <= 4 * ranges_kept &&
           std::ranges::is_sorted(bounds) && (bounds.empty() || bounds.front() >= 0);
  }

  std::int64_t last() const { return ranges_.empty() ? no_seq : ranges_.back().second; }

  /// Whether a number up to last() was seen.
  bool contains(std::int64_t number) const {
    const auto behind = std::ranges::upper_bound(ranges_, number, {}, &Range::first);
    return behind != ranges_.begin() && number <= std::prev(behind)->second;
  }

  /// Adds a number above last().
  void add(std::int64_t number) {
    if (!ranges_.empty() && number - 1 == last()) {
      ++ranges_.back().second;
      return;
    }
    if (ranges_.size() == 2 * ranges_kept) {  // rarely, so that a number costs a few nanoseconds
      const auto kept = ranges_.end() - static_cast<std::ptrdiff_t>(ranges_kept);
      kept->first = ranges_.front().first;
      ranges_.erase(ranges_.begin(), kept);
    }
    ranges_.push_back({number, number});
  }

  /// First and last number of each range, of the numbers up to `largest`.
  std::vector<std::int64_t> bounds(std::int64_t largest) const {
    std::vector<std::int64_t> result;
    for (const auto& [first, last] : ranges_) {
      if (first > largest) break;
      result.insert(result.end(), {first, std::min(last, largest)});
    }
    return result;
  }

 private:
  using Range = std::pair<std::int64_t, std::int64_t>;
  std::vector<Range> ranges_;
};

}  // namespace shortfall::io
