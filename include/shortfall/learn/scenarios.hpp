#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shortfall/mdp/random_bits.hpp"
#include "shortfall/mdp/random_streams.hpp"

namespace shortfall::learn {

/// S reproducible scenarios (common random numbers): actions compared under the same scenarios
/// differ by their effects, not by their random draws.
///
/// The first number of each scenario is stratified, one in each of S equal parts of its range: each
/// is uniform by itself, and together they cover evenly what the first number decides. A model that
/// draws its most important quantity first, by inversion, gains most.
class Scenarios {
 public:
  /// A generator of random bits that is cheap to copy.
  class Bits {
   public:
    using result_type = std::uint64_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return ~result_type{0}; }

    Bits(std::uint64_t first, std::uint64_t key) : first_(first), key_(key) {}
    /// Without stratification: all numbers depend on the key alone.
    explicit Bits(std::uint64_t key) : Bits(splitmix64_mix(key), key) {}
    result_type operator()() {
      return drawn_++ == 0 ? first_ : splitmix64_mix(key_ + drawn_ * golden_ratio);
    }

   private:
    std::uint64_t first_;
    std::uint64_t key_;
    std::uint64_t drawn_ = 0;
  };

  /// Throws InvalidInput for a count of 0 or more than 2³² - 1.
  Scenarios(std::size_t count, std::uint64_t seed);

  std::size_t size() const { return bits_.size(); }
  /// Scenario k from its beginning; k < size.
  Bits operator[](std::size_t k) const { return bits_[k]; }

 private:
  std::vector<Bits> bits_;
};
static_assert(RandomBits<Scenarios::Bits>);

}  // namespace shortfall::learn
