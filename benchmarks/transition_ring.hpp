#pragma once

#include <cstddef>
#include <cstdint>
#include <pcg_random.hpp>
#include <span>
#include <vector>

namespace shortfall::benchmarks {

/// Transitions made beforehand, taken round and round: what a learner is fed without the cost of
/// making them. They form a cycle: the features next are those of the following transition, so a
/// ring takes 8 d bytes a transition.
struct TransitionRing {
  std::size_t dimension;
  std::size_t size;
  std::vector<double> features;  ///< size + 1 rows of d; the last is the first again
  std::vector<double> costs;     ///< size

  std::span<const double> phi(std::size_t t) const {
    return {features.data() + t * dimension, dimension};
  }
  std::span<const double> phi_next(std::size_t t) const { return phi(t + 1); }
};

/// Features independent and uniform on ±√(3/d), so that |φ|² is 1 in the mean and the default step
/// size suits every d; costs uniform on [0, 10).
TransitionRing make_ring(std::size_t dimension, std::size_t size, pcg64& random);

/// Goes on learning from where it stopped in the ring.
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
