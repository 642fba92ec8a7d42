#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shortfall::inventory {

/// A stock by periods left that no capacity limits, one period after another: steps 2 to 4 of the
/// model.
class Shelf {
 public:
  using Units = std::vector<std::uint32_t>;

  /// `start` has the units with 1, .., m-1 periods left.
  explicit Shelf(Units start) : stock_(std::move(start)) {}

  const Units& stock() const { return stock_; }
  std::uint32_t total() const;

  struct Period {
    std::uint32_t missing = 0;  ///< demand that was not met
    std::uint32_t left = 0;     ///< before any expire
    std::uint32_t expired = 0;
  };

  /// `received` has the units with 1, .., m periods left.
  Period pass(std::span<const std::uint32_t> received, std::uint32_t demand);

 private:
  Units stock_;
};

}  // namespace shortfall::inventory
