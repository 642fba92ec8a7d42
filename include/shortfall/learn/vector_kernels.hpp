#pragma once

#include <cstddef>
#include <new>
#include <vector>

/// The inner loops of the learners. They are compiled for several instruction sets, of which the
/// best that the processor has is chosen once, at run time.
///
/// Their results have the same bits on all of them, and on the plain loops that are their twin:
/// every product and every sum is rounded (no fused multiply-add), and a dot product is summed in
/// eight interleaved lanes, of which lane j takes the terms j, j + 8, ..., and which are then added
/// as ((0+4)+(2+6)) + ((1+5)+(3+7)). That costs nothing where adders and multipliers are separate
/// units. So a checkpoint may move to a machine with other vectors and go on there with the same
/// bytes, if its C library has the same exp for losses that take one.
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

/// Numbers that begin on a cache line. Where a kernel says `padded`, they are of padded length with
/// zeros at the end; other arrays are of length d.
using AlignedVector = std::vector<double, CacheLineAllocator<double>>;

struct ValuePair {
  double now;
  double next;
};

/// What Newton's matrix pass reads and writes; all arrays padded, `matrix` d rows of padded length.
struct NewtonPass {
  double* matrix;        ///< M, becomes M + a bᵀ
  const double* column;  ///< a
  const double* row;     ///< b
  const double* x;
  const double* z;
  double* mx;   ///< the new M x
  double* mtz;  ///< the new Mᵀ z, summed over the rows in their order
};

/// The vectors of one Newton update; all padded but phi and phi_next.
struct NewtonSample {
  const double* phi;
  const double* phi_next;  ///< null: terminal, zeros
  const double* theta;
  double gamma;
  double loss;         ///< ℓ(δ)
  double left_slope;   ///< ℓ'(δ)
  double* x;           ///< φ
  double* z;           ///< γφ' - φ
  double* weighted_z;  ///< ℓ' z
  double* loss_sum;    ///< += ℓ φ
  double* theta_sum;   ///< += θ
  double* x_squares;   ///< += φ², by component
  double* z_squares;   ///< += (ℓ' z)²
};

struct NewtonStep {
  const double* mx;
  double column_scale;  ///< a = scale · Mx
  double root_scale;    ///< w += scale · Mx
  double theta_scale;   ///< θ = scale · Σθ - w
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
  /// θ += s φ.
  void (*add_scaled)(double* theta, double s, const double* phi, std::size_t d);
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

/// The best that this processor has.
const VectorKernels& vector_kernels();
/// All that this processor has, for tests: not while other threads choose theirs.
std::vector<const VectorKernels*> every_vector_kernels();
/// The twin: plain loops, the same bits.
const VectorKernels& plain_kernels();

}  // namespace shortfall::learn
