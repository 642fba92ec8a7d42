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

/// Features few of which are nonzero at a time: only these active ones are listed.
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
  /// Has room for this many active features.
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
inline void write_dense(const SparseFeatures& phi, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t k = 0; k < phi.size(); ++k) out[phi.index[k]] = phi.value[k];
}

/// How far above 1 the sum of this many features may be, by rounding alone. If φ_i = w_i / Σw is
/// computed from a numbers w ≥ 0, the sum of these has a relative error of at most (a - 1) u, the
/// quotient of u, and the sum of the φ_i of (a - 1) u again, u = ε/2: together below a ε. Four
/// times that, and at least 1e-12, also admits features that were written with thirteen digits or
/// more.
constexpr double averager_slack(std::size_t active) {
  return std::max(1e-12,
                  4.0 * static_cast<double>(active) * std::numeric_limits<double>::epsilon());
}

/// What averagers accept, for messages.
inline constexpr std::string_view accepted_by_averagers = "features >= 0 that sum to at most 1";

/// Whether φ ≥ 0 and Σφ ≤ 1, up to `averager_slack`: then φᵀθ is an average of weights, and of 0.
/// False for NaN. Zeros may be among the values or not.
bool is_averager(std::span<const double> values);
/// The same, and whether indices ascend and are below d, with one value for each.
bool is_averager(const SparseFeatures& phi, std::size_t dimension);

/// These throw InvalidInput, which counts features from 1 and calls them `what`: unless indices
/// ascend and are below d, with one value for each; and unless `is_averager`.
void check_sparse(const SparseFeatures& phi, std::size_t dimension,
                  std::string_view what = "feature");
void check_averager(const SparseFeatures& phi, std::string_view what = "feature");

}  // namespace shortfall::features
