#pragma once

#include <cstddef>
#include <cstdint>
#include <pcg_random.hpp>
#include <span>
#include <vector>

namespace shortfall::benchmarks {

/// Precomputed transitions that a learner cycles through, so that generating them is not timed. The
/// next features are those of the following transition, so a ring takes 8 d bytes per transition.
struct TransitionRing {
  std::size_t dimension;
  std::size_t size;
  std::vector<double> features;  ///< size + 1 rows of length d; the last repeats the first
  std::vector<double> costs;     ///< size

  std::span<const double> phi(std::size_t t) const {
    return {features.data() + t * dimension, dimension};
  }
  std::span<const double> phi_next(std::size_t t) const { return phi(t + 1); }
};

/// Features independent and uniform on ±√(3/d), so that |φ|² is 1 on average and the default step
/// size suits every d; costs uniform on [0, 10).
TransitionRing make_ring(std::size_t dimension, std::size_t size, pcg64& random);

/// A learner and its position in the ring, where each run continues.
template <class A>
struct Feed {
  A learner;
  const TransitionRing* ring;
  std::size_t at = 0;

  void run(std::size_t updates) {
    for (std::size_t i = 0; i < updates; ++i) {
      (void)learner.update(ring->phi(at), ring->costs[at], ring->phi_next(at));
      if (++at == ring->size) at = 0;
    }
  }
};

}  // namespace shortfall::benchmarks
