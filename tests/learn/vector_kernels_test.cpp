#include "shortfall/learn/detail/vector_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <pcg_random.hpp>

#include "shortfall/mdp/random_bits.hpp"
#include "tests/sanitized.hpp"

namespace shortfall::learn {
namespace {

/// Every length up to several blocks, and the sizes of the benchmarks: all tails are among them.
std::vector<std::size_t> dimensions() {
  std::vector<std::size_t> all;
  for (std::size_t d = 1; d <= 41; ++d) all.push_back(d);
  all.insert(all.end(), {100, 257, 500});
  return all;
}

class Numbers {
 public:
  /// d normal numbers, then zeros to the padded length.
  AlignedVector padded_vector(std::size_t d) {
    AlignedVector v(padded(d));
    for (std::size_t i = 0; i < d; ++i) v[i] = draw_normal(random_);
    return v;
  }
  /// Not padded: exactly d numbers, so that a sanitizer detects a read past the end.
  std::vector<double> vector(std::size_t d) {
    std::vector<double> v(d);
    for (double& x : v) x = draw_normal(random_);
    return v;
  }
  AlignedVector matrix(std::size_t d) {
    AlignedVector m;
    for (std::size_t i = 0; i < d; ++i) {
      const AlignedVector row = padded_vector(d);
      m.insert(m.end(), row.begin(), row.end());
    }
    return m;
  }

 private:
  pcg64 random_{7};
};

/// Also of zeros, whose signs == does not see.
bool same_bits(const AlignedVector& a, const AlignedVector& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}
template <class Vectors>
bool same_bits(const Vectors& a, const Vectors& b) {
  return std::ranges::equal(
      a, b, [](const AlignedVector& x, const AlignedVector& y) { return same_bits(x, y); });
}

/// Runs `run` with the plain kernels and with those of every supported instruction set, each on its
/// own copy of the state, and expects bitwise identical results.
template <class State, class Run>
void expect_same_bits(const State& state, const Run& run) {
  State plain = state;
  run(plain_kernels(), plain);
  for (const VectorKernels* const kernels : all_vector_kernels()) {
    State fast = state;
    run(*kernels, fast);
    EXPECT_TRUE(same_bits(fast, plain));
  }
}

TEST(VectorKernels, ThereIsMoreThanOneInstructionSetToCompare) {
  EXPECT_GE(all_vector_kernels().size(), testing::is_sanitized() ? 1u : 2u);
  EXPECT_EQ(all_vector_kernels().front(), &vector_kernels());
}

TEST(VectorKernels, ValuesAndDotAreBitwiseIdenticalToPlainLoops) {
  Numbers numbers;
  for (const std::size_t d : dimensions()) {
    const AlignedVector theta = numbers.padded_vector(d);
    const std::vector<double> phi = numbers.vector(d);
    const std::vector<double> next = numbers.vector(d);
    const ValuePair plain = plain_kernels().values(theta.data(), phi.data(), next.data(), d);
    for (const VectorKernels* const kernels : all_vector_kernels()) {
      const ValuePair fast = kernels->values(theta.data(), phi.data(), next.data(), d);
      EXPECT_EQ(fast.now, plain.now) << d;
      EXPECT_EQ(fast.next, plain.next) << d;
      EXPECT_EQ(kernels->dot(theta.data(), phi.data(), d), plain.now) << d;
      const double square = plain_kernels().dot(phi.data(), phi.data(), d);
      const double* const none = nullptr;
      for (const double* const after : {next.data(), none}) {
        const ValuesAndSquare all = kernels->values_and_square(theta.data(), phi.data(), after, d);
        EXPECT_EQ(all.now, plain.now) << d;
        EXPECT_EQ(all.next, after != nullptr ? plain.next : 0.0) << d;
        EXPECT_EQ(all.square, square) << d;
      }
    }
  }
}

TEST(VectorKernels, ADotProductIsAccurateToRounding) {
  Numbers numbers;
  for (const std::size_t d : dimensions()) {
    const AlignedVector a = numbers.padded_vector(d);
    const std::vector<double> b = numbers.vector(d);
    long double sum = 0.0L;
    long double magnitude = 0.0L;
    for (std::size_t i = 0; i < d; ++i) {
      sum += static_cast<long double>(a[i]) * b[i];
      magnitude += std::abs(static_cast<long double>(a[i]) * b[i]);
    }
    // Each term passes at most d/8 + 4 roundings.
    const double bound =
        (static_cast<double>(d) / 8 + 5) * 0x1.0p-53 * static_cast<double>(magnitude);
    EXPECT_NEAR(vector_kernels().dot(a.data(), b.data(), d), static_cast<double>(sum), bound) << d;
  }
}

TEST(VectorKernels, VectorStepsAreBitwiseIdenticalToPlainLoops) {
  Numbers numbers;
  for (const std::size_t d : dimensions()) {
    const std::vector<double> phi = numbers.vector(d);
    const AlignedVector other = numbers.padded_vector(d);
    const std::vector<AlignedVector> state = {numbers.padded_vector(d), numbers.padded_vector(d)};
    expect_same_bits(state, [&](const VectorKernels& k, auto& s) {
      k.add_scaled(s[0].data(), 0.37, phi.data(), d);
    });
    expect_same_bits(state, [&](const VectorKernels& k, auto& s) {
      k.add_scaled_to_both(s[0].data(), 0.37, s[1].data(), -1.3, phi.data(), d);
    });
    expect_same_bits(state, [&](const VectorKernels& k, auto& s) {
      s[1][0] = k.trace(s[0].data(), 0.81, phi.data(), d);
    });
    expect_same_bits(state, [&](const VectorKernels& k, auto& s) {
      k.trace_step(s[0].data(), 0.81, phi.data(), s[1].data(), -0.2, d);
    });
    expect_same_bits(state, [&](const VectorKernels& k, auto& s) {
      k.average_step(s[0].data(), other.data(), 1.0 / 3.0, d);
    });
  }
}

TEST(VectorKernels, NewtonKernelsAreBitwiseIdenticalToPlainLoops) {
  Numbers numbers;
  for (const std::size_t d : dimensions()) {
    const std::vector<double> phi = numbers.vector(d);
    const std::vector<double> next = numbers.vector(d);
    const AlignedVector theta = numbers.padded_vector(d);
    std::vector<AlignedVector> vectors;
    for (int i = 0; i < 8; ++i) vectors.push_back(numbers.padded_vector(d));
    const double* const none = nullptr;
    for (const double* const phi_next : {next.data(), none}) {
      for (const double* const summed : {theta.data(), none}) {
        expect_same_bits(vectors, [&](const VectorKernels& k, auto& s) {
          k.newton_sample(
              {phi.data(), phi_next, 0.9, 0.3, -0.6, summed, 1.7, s[0].data(), s[1].data(),
               s[2].data(), s[3].data(), s[4].data(), s[5].data(), s[6].data()},
              d);
        });
      }
    }
    expect_same_bits(vectors, [&](const VectorKernels& k, auto& s) {
      k.newton_step(
          {theta.data(), -0.2, -0.7, 1.0 / 3.0, s[0].data(), s[1].data(), s[2].data(), s[3].data()},
          d);
    });
    vectors.push_back(numbers.matrix(d));
    expect_same_bits(vectors, [&](const VectorKernels& k, auto& s) {
      k.newton_pass({s[8].data(), s[0].data(), s[1].data(), s[2].data(), s[3].data(), s[4].data(),
                     s[5].data()},
                    d);
    });
  }
}

TEST(VectorKernels, ProductsAreAddedInOrderForAnyBatches) {
  Numbers numbers;
  for (const std::size_t d : {1u, 3u, 8u, 37u}) {
    constexpr std::size_t count = 11;
    AlignedVector x;
    AlignedVector z;
    for (std::size_t n = 0; n < count; ++n) {
      for (AlignedVector* rows : {&x, &z}) {
        const AlignedVector row = numbers.padded_vector(d);
        rows->insert(rows->end(), row.begin(), row.end());
      }
    }
    const AlignedVector start = numbers.matrix(d);
    expect_same_bits(start, [&](const VectorKernels& k, AlignedVector& m) {
      k.add_products(m.data(), x.data(), z.data(), count, d);
    });
    AlignedVector whole = start;
    vector_kernels().add_products(whole.data(), x.data(), z.data(), count, d);
    for (std::size_t cut = 0; cut <= count; ++cut) {
      AlignedVector parts = start;
      const std::size_t skip = cut * padded(d);
      vector_kernels().add_products(parts.data(), x.data(), z.data(), cut, d);
      vector_kernels().add_products(parts.data(), x.data() + skip, z.data() + skip, count - cut, d);
      EXPECT_EQ(parts, whole) << d << " cut at " << cut;
    }
  }
}

}  // namespace
}  // namespace shortfall::learn
