#pragma once

#include <cstddef>
#include <new>
#include <vector>

/// The inner loops of the learners. They are compiled for several instruction sets; the best one
/// that the processor supports is chosen once, at run time.
///
/// Their results are bitwise identical on all of them, and to the plain reference loops: every
/// product and every sum is rounded (no fused multiply-add), and a dot product is summed in eight
/// interleaved lanes, where lane j takes the terms j, j + 8, ...; the lanes are then added as
/// ((0+4)+(2+6)) + ((1+5)+(3+7)). That costs nothing on processors with separate adders and
/// multipliers. So a checkpoint may move to a machine with other vector instructions and continue
/// there with identical results, provided its C library has the same exp for losses that use it.
namespace shortfall::learn {

/// Lanes of a dot product; the learners' own arrays are padded with zeros to a multiple of it.
inline constexpr std::size_t kernel_lanes = 8;
constexpr std::size_t padded(std::size_t dimension) {
  return (dimension + kernel_lanes - 1) / kernel_lanes * kernel_lanes;
}

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};
  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}  // NOLINT(google-explicit-constructor)
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), alignment));
  }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, alignment); }
  bool operator==(const CacheLineAllocator&) const { return true; }
};

/// Numbers aligned to a cache line. Where a kernel says `padded`, they have padded length with
/// zeros at the end; other arrays have length d.
using AlignedVector = std::vector<double, CacheLineAllocator<double>>;

struct ValuePair {
  double now;
  double next;
};

struct ValuesAndSquare {
  double now;
  double next;
  double square;
};

/// Inputs and outputs of Newton's matrix pass; all arrays padded, `matrix` d rows of padded length.
struct NewtonPass {
  double* matrix;        ///< M, becomes M + a bᵀ
  const double* column;  ///< a
  const double* row;     ///< b
  const double* x;
  const double* z;
  double* mx;   ///< the new M x
  double* mtz;  ///< the new Mᵀ z, summed over the rows in order
};

/// The vectors of one Newton update; all padded except phi and phi_next.
struct NewtonSample {
  const double* phi;
  const double* phi_next;  ///< null: terminal, zeros
  double gamma;
  double left_slope;     ///< ω ℓ'(δ)
  double target;         ///< r, see newton.hpp
  const double* summed;  ///< null: φ
  double scale;
  double* x;           ///< φ
  double* z;           ///< γφ' - φ
  double* weighted_z;  ///< ω ℓ' z
  double* target_sum;  ///< += r φ
  double* sum;         ///< += scale · summed
  double* x_squares;   ///< += φ², by component
  double* z_squares;   ///< += (ω ℓ' z)²
};

struct NewtonStep {
  const double* mx;
  double column_scale;  ///< a = scale · Mx
  double root_scale;    ///< w += scale · Mx
  double theta_scale;   ///< θ = scale · Σθ - w; Σθ is finite, even if the scale is 0
  const double* theta_sum;
  double* column;
  double* root;
  double* theta;
};

/// For d weights: θ, ζ and means are padded, φ and φ' are not.
struct VectorKernels {
  /// φᵀθ and φ'ᵀθ.
  ValuePair (*values)(const double* theta, const double* phi, const double* phi_next,
                      std::size_t d);
  double (*dot)(const double* padded_a, const double* b, std::size_t d);
  /// φᵀθ, φ'ᵀθ and φᵀφ; φ' may be null, for zeros.
  ValuesAndSquare (*values_and_square)(const double* theta, const double* phi,
                                       const double* phi_next, std::size_t d);
  /// θ += s φ.
  void (*add_scaled)(double* theta, double s, const double* phi, std::size_t d);
  /// θ += s φ, and a += t φ.
  void (*add_scaled_to_both)(double* theta, double s, double* a, double t, const double* phi,
                             std::size_t d);
  /// ζ = κ ζ + φ, and returns ζᵀζ.
  double (*trace)(double* zeta, double kappa, const double* phi, std::size_t d);
  /// ζ = κ ζ + φ, then θ += s ζ.
  void (*trace_step)(double* zeta, double kappa, const double* phi, double* theta, double s,
                     std::size_t d);
  /// m += (θ - m) w, both padded.
  void (*average_step)(double* mean, const double* theta, double w, std::size_t d);

  void (*newton_sample)(const NewtonSample& sample, std::size_t d);
  void (*newton_pass)(const NewtonPass& pass, std::size_t d);
  void (*newton_step)(const NewtonStep& step, std::size_t d);
  /// M += Σ_k x_k z_kᵀ, added in the order of k; x and z are `count` rows of padded length.
  void (*add_products)(double* matrix, const double* x, const double* z, std::size_t count,
                       std::size_t d);
};

/// The best set that this processor supports.
const VectorKernels& vector_kernels();
/// All sets that this processor supports, for tests; not thread-safe with vector_kernels().
std::vector<const VectorKernels*> all_vector_kernels();
/// The reference: plain loops, bitwise identical results.
const VectorKernels& plain_kernels();

}  // namespace shortfall::learn
