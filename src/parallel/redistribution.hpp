#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "parallel/communicator.hpp"

namespace shortfall::detail {

/// Consecutive values that the ranks have divided in one way, wanted in another. Rank r has the
/// values given[r] up to given[r + 1], and wants wanted[r] up to wanted[r + 1]. Only values that
/// change hands are sent.
class Redistribution {
 public:
  Redistribution(Communicator& communicator, std::span<const std::size_t> given,
                 std::span<const std::size_t> wanted);

  std::size_t wanted() const { return before_ + kept_ + after_; }

  /// All ranks together. The two must not overlap.
  void operator()(std::span<const double> given, std::span<double> wanted) const;

 private:
  std::size_t before_ = 0;      ///< number of wanted values before the given ones
  std::size_t kept_ = 0;        ///< number of wanted values among them,
  std::size_t kept_first_ = 0;  ///< starting here
  std::size_t after_ = 0;
  std::unique_ptr<HaloExchange> exchange_;
};

}  // namespace shortfall::detail
