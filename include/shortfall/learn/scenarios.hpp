#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shortfall/mdp/random_bits.hpp"
#include "shortfall/mdp/random_streams.hpp"

namespace shortfall::learn {

/// S pieces of luck to meet again and again: actions compared under the same scenarios differ by
/// what they do, not by what they met (common random numbers).
///
/// The first number that a scenario draws is stratified, one in each of S equal parts of its range:
/// each is uniform for itself, and together they cover what the first number decides evenly. A
/// model that draws what matters most first, by inversion, gains most.
class Scenarios {
 public:
  /// A generator of random bits that is cheap to copy.
  class Bits {
   public:
    using result_type = std::uint64_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return ~result_type{0}; }

    Bits(std::uint64_t first, std::uint64_t key) : first_(first), key_(key) {}
    result_type operator()() {
      return drawn_++ == 0 ? first_ : scrambled(key_ + drawn_ * golden_ratio);
    }

   private:
    std::uint64_t first_;
    std::uint64_t key_;
    std::uint64_t drawn_ = 0;
  };

  /// Throws InvalidInput for no scenarios, or more than 2³² - 1.
  Scenarios(std::size_t count, std::uint64_t seed);

  std::size_t size() const { return bits_.size(); }
  /// The scenario from its beginning; k < size.
  Bits operator[](std::size_t k) const { return bits_[k]; }

 private:
  std::vector<Bits> bits_;
};
static_assert(RandomBits<Scenarios::Bits>);

}  // namespace shortfall::learn
