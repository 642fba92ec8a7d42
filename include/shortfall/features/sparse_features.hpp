#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "shortfall/features/feature_map.hpp"

/// Features of which few are not zero at a time: only these active ones are listed.
namespace shortfall::features {

/// A view of φ in ℝᵈ: φ_{index[k]} = value[k], all others are 0. Indices ascend and are below d. No
/// entries at all are φ = 0.
struct SparseFeatures {
  std::span<const std::uint32_t> index;
  std::span<const double> value;

  std::size_t size() const { return index.size(); }
};

/// Memory for one φ, which a map fills again and again. Allocates only when it is made.
class ActiveFeatures {
 public:
  /// For at most so many active features.
  explicit ActiveFeatures(std::size_t capacity) : index_(capacity), value_(capacity) {}

  void clear() { size_ = 0; }
  /// Indices must ascend. At most `capacity` calls after `clear`.
  void add(std::size_t index, double value) {
    index_[size_] = static_cast<std::uint32_t>(index);
    value_[size_] = value;
    ++size_;
  }
  /// Replaces the contents by what is not zero in `phi`.
  void assign(std::span<const double> phi) {
    clear();
    for (std::size_t i = 0; i < phi.size(); ++i) {
      if (phi[i] != 0.0) add(i, phi[i]);
    }
  }

  std::size_t capacity() const { return index_.size(); }
  std::size_t size() const { return size_; }
  std::span<double> values() { return {value_.data(), size_}; }  ///< to scale them
  SparseFeatures view() const { return {{index_.data(), size_}, {value_.data(), size_}}; }
  operator SparseFeatures() const { return view(); }  // NOLINT(google-explicit-constructor)

 private:
  std::vector<std::uint32_t> index_;
  std::vector<double> value_;
  std::size_t size_ = 0;
};

/// A feature map that also knows its active features. It must not allocate.
///
///   max_active()            the most that are active at once
///   write_active(x, out)    replaces the contents of `out`, whose capacity is at least that
template <class M, class State>
concept SparseFeatureMap = FeatureMap<M, State> &&
    requires(const M& map, const State& x, ActiveFeatures& out) {
  { map.max_active() } -> std::same_as<std::size_t>;
  { map.write_active(x, out) } -> std::same_as<void>;
};

/// Writes φ to the d numbers of `out`.
inline void write_dense(SparseFeatures phi, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t k = 0; k < phi.size(); ++k) out[phi.index[k]] = phi.value[k];
}

/// How far above 1 the sum of so many features may be, by rounding alone. If φ_i = w_i / Σw is
/// computed from a numbers w ≥ 0, the sum of these has a relative error of at most (a - 1) u, the
/// quotient of u, and the sum of the φ_i of (a - 1) u again, u = ε/2: together below a ε. Four
/// times that, and at least 1e-12, also admits features that were written with thirteen digits or
/// more.
constexpr double averager_slack(std::size_t active) {
  return std::max(1e-12,
                  4.0 * static_cast<double>(active) * std::numeric_limits<double>::epsilon());
}

namespace detail {
[[noreturn]] void throw_not_sparse(SparseFeatures phi, std::size_t dimension,
                                   std::string_view what);
[[noreturn]] void throw_not_averager(SparseFeatures phi, std::string_view what);
}  // namespace detail

/// Throws InvalidInput unless indices ascend and are below d, with one value for each. Messages
/// count features from 1 and call them `what`.
inline void check_sparse(SparseFeatures phi, std::size_t dimension,
                         std::string_view what = "feature") {
  bool ascends = phi.index.size() == phi.value.size();
  std::size_t least = 0;
  for (const std::size_t i : phi.index) {
    ascends = ascends && i >= least && i < dimension;
    least = i + 1;
  }
  if (!ascends) [[unlikely]]
    detail::throw_not_sparse(phi, dimension, what);
}

/// Whether φ ≥ 0 and Σφ ≤ 1, up to `averager_slack`: then φᵀθ is an average of weights, and of 0.
/// False for NaN. Zeros may be among the values or not.
inline bool is_averager(std::span<const double> values) {
  double sum = 0.0;
  std::size_t active = 0;
  bool is_positive = true;
  for (const double value : values) {
    is_positive = is_positive && value >= 0.0;
    sum += value;
    active += value != 0.0 ? 1 : 0;
  }
  return is_positive && sum <= 1.0 + averager_slack(active);
}

/// What averagers accept, for messages.
inline constexpr std::string_view accepted_by_averagers = "features >= 0 that sum to at most 1";

/// Throws InvalidInput unless `is_averager`; the message counts features from 1.
inline void check_averager(SparseFeatures phi, std::string_view what = "feature") {
  if (!is_averager(phi.value)) [[unlikely]]
    detail::throw_not_averager(phi, what);
}

}  // namespace shortfall::features
