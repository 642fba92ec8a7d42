#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learn/vector_kernels.cpp"
#include <hwy/foreach_target.h>  // must precede highway.h

#include <hwy/highway.h>

#include <algorithm>

#include "shortfall/learn/detail/vector_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace shortfall::learn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 4>;
using Vec = hn::Vec<Doubles>;
constexpr Doubles tag;
constexpr std::size_t width = hn::MaxLanes(tag);
constexpr std::size_t parts = kernel_lanes / width;  // vectors that cover the eight lanes

HWY_INLINE Vec load(const double* from) {
  return hn::LoadU(tag, from);
}
HWY_INLINE void store(Vec v, double* to) {
  hn::StoreU(v, tag, to);
}
HWY_INLINE Vec all(double x) {
  return hn::Set(tag, x);
}

/// The number at `from` in the first lane, zeros in the others.
template <class Tag>
HWY_INLINE hn::Vec<Tag> load_one(Tag t, const double* from) {
  return hn::InsertLane(hn::Zero(t), 0, *from);
}

/// The numbers i.. of an array of d, followed by zeros, without reading past its end. Masked loads
/// may fault there on some processors, and copies would wait for store forwarding.
HWY_INLINE Vec load_until(const double* from, std::size_t i, std::size_t d) {
  if (i + width <= d) return load(from + i);
  if (i >= d) return hn::Zero(tag);
#if HWY_MAX_BYTES >= 32
  constexpr hn::Half<Doubles> half;
  const std::size_t count = d - i;
  const auto lower = count >= 2 ? hn::LoadU(half, from + i) : load_one(half, from + i);
  return hn::Combine(tag, count == 3 ? load_one(half, from + i + 2) : hn::Zero(half), lower);
#else
  return load_one(tag, from + i);
#endif
}

/// The sum of eight lanes, in the order specified in the header.
struct Lanes {
  Vec part[parts];

  HWY_INLINE Lanes() {
    for (Vec& p : part) p = hn::Zero(tag);
  }
  HWY_INLINE void add(std::size_t k, Vec a, Vec b) { part[k] = hn::Add(part[k], hn::Mul(a, b)); }
  HWY_INLINE double sum() const {
#if HWY_MAX_BYTES >= 32  // two vectors, of the lanes 0..3 and 4..7
    const Vec four = hn::Add(part[0], part[1]);
    const auto two = hn::Add(hn::LowerHalf(four), hn::UpperHalf(hn::Half<Doubles>(), four));
    return hn::GetLane(two) + hn::ExtractLane(two, 1);
#else
    HWY_ALIGN double lane[kernel_lanes];
    for (std::size_t k = 0; k < parts; ++k) hn::Store(part[k], tag, lane + k * width);
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
           ((lane[1] + lane[5]) + (lane[3] + lane[7]));
#endif
  }
};

ValuePair values(const double* theta, const double* phi, const double* phi_next, std::size_t d) {
  Lanes now;
  Lanes next;
  std::size_t i = 0;
  for (; i + kernel_lanes <= d; i += kernel_lanes) {
    for (std::size_t k = 0; k < parts; ++k) {
      const Vec weight = load(theta + i + k * width);
      now.add(k, weight, load(phi + i + k * width));
      next.add(k, weight, load(phi_next + i + k * width));
    }
  }
  for (std::size_t k = 0; k < parts && i + k * width < d; ++k) {
    const Vec weight = load(theta + i + k * width);
    now.add(k, weight, load_until(phi, i + k * width, d));
    next.add(k, weight, load_until(phi_next, i + k * width, d));
  }
  return {now.sum(), next.sum()};
}

double dot(const double* padded_a, const double* b, std::size_t d) {
  Lanes lanes;
  std::size_t i = 0;
  for (; i + kernel_lanes <= d; i += kernel_lanes) {
    for (std::size_t k = 0; k < parts; ++k) {
      lanes.add(k, load(padded_a + i + k * width), load(b + i + k * width));
    }
  }
  for (std::size_t k = 0; k < parts && i + k * width < d; ++k) {
    lanes.add(k, load(padded_a + i + k * width), load_until(b, i + k * width, d));
  }
  return lanes.sum();
}

ValuesAndSquare values_and_square(const double* theta, const double* phi, const double* phi_next,
                                  std::size_t d) {
  Lanes now;
  Lanes next;
  Lanes square;
  const auto add = [&](std::size_t k, Vec weight, Vec feature, Vec feature_next) HWY_ATTR {
    now.add(k, weight, feature);
    next.add(k, weight, feature_next);
    square.add(k, feature, feature);
  };
  const double* const after = phi_next != nullptr ? phi_next : phi;
  std::size_t i = 0;
  for (; i + kernel_lanes <= d; i += kernel_lanes) {
    for (std::size_t k = 0; k < parts; ++k) {
      const std::size_t j = i + k * width;
      add(k, load(theta + j), load(phi + j), load(after + j));
    }
  }
  for (std::size_t k = 0; k < parts && i + k * width < d; ++k) {
    const std::size_t j = i + k * width;
    add(k, load(theta + j), load_until(phi, j, d), load_until(after, j, d));
  }
  return {now.sum(), phi_next != nullptr ? next.sum() : 0.0, square.sum()};
}

void add_scaled(double* theta, double s, const double* phi, std::size_t d) {
  const Vec scale = all(s);
  std::size_t i = 0;
  for (; i + width <= d; i += width) {
    store(hn::Add(load(theta + i), hn::Mul(scale, load(phi + i))), theta + i);
  }
  if (i < d) {
    store(hn::Add(load(theta + i), hn::Mul(scale, load_until(phi, i, d))), theta + i);
  }
}

void add_scaled_to_both(double* theta, double s, double* a, double t, const double* phi,
                        std::size_t d) {
  const Vec scale = all(s);
  const Vec other = all(t);
  const auto step = [&](std::size_t i, Vec feature) HWY_ATTR {
    store(hn::Add(load(theta + i), hn::Mul(scale, feature)), theta + i);
    store(hn::Add(load(a + i), hn::Mul(other, feature)), a + i);
  };
  std::size_t i = 0;
  for (; i + width <= d; i += width) step(i, load(phi + i));
  if (i < d) step(i, load_until(phi, i, d));
}

double trace(double* zeta, double kappa, const double* phi, std::size_t d) {
  const Vec decay = all(kappa);
  Lanes lanes;
  const auto step = [&](std::size_t k, std::size_t i, Vec feature) HWY_ATTR {
    const Vec trace = hn::Add(hn::Mul(decay, load(zeta + i)), feature);
    store(trace, zeta + i);
    lanes.add(k, trace, trace);
  };
  std::size_t i = 0;
  for (; i + kernel_lanes <= d; i += kernel_lanes) {
    for (std::size_t k = 0; k < parts; ++k) step(k, i + k * width, load(phi + i + k * width));
  }
  for (std::size_t k = 0; k < parts && i + k * width < d; ++k) {
    step(k, i + k * width, load_until(phi, i + k * width, d));
  }
  return lanes.sum();
}

void trace_step(double* zeta, double kappa, const double* phi, double* theta, double s,
                std::size_t d) {
  const Vec decay = all(kappa);
  const Vec scale = all(s);
  const auto step = [&](std::size_t i, Vec feature) HWY_ATTR {
    const Vec trace = hn::Add(hn::Mul(decay, load(zeta + i)), feature);
    store(trace, zeta + i);
    store(hn::Add(load(theta + i), hn::Mul(scale, trace)), theta + i);
  };
  std::size_t i = 0;
  for (; i + width <= d; i += width) step(i, load(phi + i));
  if (i < d) step(i, load_until(phi, i, d));
}

void average_step(double* mean, const double* theta, double w, std::size_t d) {
  const Vec weight = all(w);
  for (std::size_t i = 0; i < d; i += width) {
    const Vec m = load(mean + i);
    store(hn::Add(m, hn::Mul(hn::Sub(load(theta + i), m), weight)), mean + i);
  }
}

void newton_sample(const NewtonSample& sample, std::size_t d) {
  const Vec gamma = all(sample.gamma);
  const Vec slope = all(sample.left_slope);
  const Vec target = all(sample.target);
  const Vec scale = all(sample.scale);
  for (std::size_t i = 0; i < d; i += width) {
    const Vec phi = load_until(sample.phi, i, d);
    const Vec next = sample.phi_next != nullptr ? load_until(sample.phi_next, i, d) : hn::Zero(tag);
    const Vec z = hn::Sub(hn::Mul(gamma, next), phi);
    store(phi, sample.x + i);
    store(z, sample.z + i);
    const Vec weighted_z = hn::Mul(slope, z);
    store(weighted_z, sample.weighted_z + i);
    store(hn::Add(load(sample.target_sum + i), hn::Mul(target, phi)), sample.target_sum + i);
    const Vec summed = sample.summed != nullptr ? load(sample.summed + i) : phi;
    store(hn::Add(load(sample.sum + i), hn::Mul(scale, summed)), sample.sum + i);
    store(hn::Add(load(sample.x_squares + i), hn::Mul(phi, phi)), sample.x_squares + i);
    store(hn::Add(load(sample.z_squares + i), hn::Mul(weighted_z, weighted_z)),
          sample.z_squares + i);
  }
}

/// Processes `rows` rows of the pass at once, so that b, x and Mᵀz are loaded once for all of them.
template <std::size_t rows>
HWY_INLINE void pass_rows(const NewtonPass& pass, std::size_t first, std::size_t stride) {
  const double* HWY_RESTRICT b = pass.row;
  const double* HWY_RESTRICT x = pass.x;
  double* HWY_RESTRICT mtz = pass.mtz;
  double* HWY_RESTRICT row = pass.matrix + first * stride;
  Lanes lanes[rows];
  Vec column[rows];
  Vec z[rows];
  for (std::size_t r = 0; r < rows; ++r) {
    column[r] = all(pass.column[first + r]);
    z[r] = all(pass.z[first + r]);
  }
  for (std::size_t i = 0; i < stride; i += kernel_lanes) {
    for (std::size_t k = 0; k < parts; ++k) {
      const std::size_t j = i + k * width;
      Vec sum = load(mtz + j);
      for (std::size_t r = 0; r < rows; ++r) {
        const Vec m = hn::Add(hn::Mul(column[r], load(b + j)), load(row + r * stride + j));
        store(m, row + r * stride + j);
        lanes[r].add(k, m, load(x + j));
        sum = hn::Add(sum, hn::Mul(z[r], m));
      }
      store(sum, mtz + j);
    }
  }
  for (std::size_t r = 0; r < rows; ++r) pass.mx[first + r] = lanes[r].sum();
}

void newton_pass(const NewtonPass& pass, std::size_t d) {
  const std::size_t stride = padded(d);
  std::fill_n(pass.mtz, stride, 0.0);
  constexpr std::size_t rows = 3;
  std::size_t i = 0;
  for (; i + rows <= d; i += rows) pass_rows<rows>(pass, i, stride);
  for (; i < d; ++i) pass_rows<1>(pass, i, stride);
}

void newton_step(const NewtonStep& step, std::size_t d) {
  const Vec column_scale = all(step.column_scale);
  const Vec root_scale = all(step.root_scale);
  const Vec theta_scale = all(step.theta_scale);
  // To the end of the padding: a zero there has a sign, which checkpoints contain.
  for (std::size_t i = 0; i < padded(d); i += width) {
    const Vec mx = load(step.mx + i);
    const Vec root = hn::Add(load(step.root + i), hn::Mul(root_scale, mx));
    store(hn::Mul(column_scale, mx), step.column + i);
    store(root, step.root + i);
    store(hn::Sub(hn::Mul(theta_scale, load(step.theta_sum + i)), root), step.theta + i);
  }
}

/// A tile of `rows` rows by eight columns stays in registers while all products are added to it.
template <std::size_t rows>
HWY_INLINE void add_products_to_rows(double* matrix, const double* x, const double* z,
                                     std::size_t count, std::size_t stride) {
  for (std::size_t j = 0; j < stride; j += kernel_lanes) {
    Vec tile[rows][parts];
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t k = 0; k < parts; ++k)
        tile[r][k] = load(matrix + r * stride + j + k * width);
    }
    for (std::size_t n = 0; n < count; ++n) {
      for (std::size_t r = 0; r < rows; ++r) {
        const Vec weight = all(x[n * stride + r]);
        for (std::size_t k = 0; k < parts; ++k) {
          tile[r][k] = hn::Add(tile[r][k], hn::Mul(weight, load(z + n * stride + j + k * width)));
        }
      }
    }
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t k = 0; k < parts; ++k)
        store(tile[r][k], matrix + r * stride + j + k * width);
    }
  }
}

void add_products(double* matrix, const double* x, const double* z, std::size_t count,
                  std::size_t d) {
  const std::size_t stride = padded(d);
  constexpr std::size_t rows = 4;
  std::size_t i = 0;
  for (; i + rows <= d; i += rows) {
    add_products_to_rows<rows>(matrix + i * stride, x + i, z, count, stride);
  }
  for (; i < d; ++i) add_products_to_rows<1>(matrix + i * stride, x + i, z, count, stride);
}

const VectorKernels* kernels() {
  static constexpr VectorKernels table{
      values,     dot,          values_and_square, add_scaled,  add_scaled_to_both, trace,
      trace_step, average_step, newton_sample,     newton_pass, newton_step,        add_products};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace shortfall::learn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace shortfall::learn {

HWY_EXPORT(kernels);

const VectorKernels& vector_kernels() {
  static const VectorKernels* const best = HWY_DYNAMIC_DISPATCH(kernels)();
  return *best;
}

std::vector<const VectorKernels*> all_vector_kernels() {
  std::vector<const VectorKernels*> all;
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    all.push_back(HWY_DYNAMIC_DISPATCH(kernels)());
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return all;
}

}  // namespace shortfall::learn
#endif
