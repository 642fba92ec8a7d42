#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/interruptible.hpp"
#include "errors/require.hpp"
#include "shortfall/features/sparse_features.hpp"
#include "shortfall/learn/any_learner.hpp"

/// What all feature maps share: how they read points, and write rows of features.
namespace shortfall::python {

/// Points: k numbers, or rows of k.
class Points {
 public:
  Points(const Doubles& given, std::size_t k)
      : points_(span_of(given)), k_(k), is_one_(given.ndim() == 1) {
    const bool fits = (given.ndim() == 1 || given.ndim() == 2) &&
                      static_cast<std::size_t>(given.shape(given.ndim() - 1)) == k;
    require(fits, "points have shape {}; accepted: ({},) or (n, {})",
            pybind11::str(pybind11::object(given.attr("shape"))).cast<std::string>(), k, k);
  }
  bool is_one() const { return is_one_; }
  std::size_t size() const { return points_.size() / k_; }
  std::span<const double> operator[](std::size_t i) const { return points_.subspan(i * k_, k_); }

 private:
  std::span<const double> points_;
  std::size_t k_;
  bool is_one_;
};

/// φ of one state, or one row for each.
template <class Map, class Given>
pybind11::array_t<double> write_all(const Map& map, const Given& given) {
  const auto d = static_cast<pybind11::ssize_t>(map.dimension());
  const auto count = static_cast<pybind11::ssize_t>(given.size());
  pybind11::array_t<double> rows(given.is_one() ? std::vector{d} : std::vector{count, d});
  double* const memory = rows.mutable_data();
  const auto write = [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      map.write(given[i], std::span(memory + i * map.dimension(), map.dimension()));
    }
  };
  constexpr std::size_t block = 1 << 12;
  if (given.size() <= block) {  // not worth a thread
    without_interpreter([&] { write(0, given.size()); });
    return rows;
  }
  interruptible([&](const Monitor& monitor) {
    for (std::size_t first = 0; first < given.size(); first += block) {
      if (monitor({}) == Request::stop) return;
      write(first, std::min(first + block, given.size()));
    }
  });
  return rows;
}

/// Rows of sparse features that own their memory: what maps return and learners take.
struct SparseBlock {
  explicit SparseBlock(std::size_t features) : dimension(features) {}

  std::size_t dimension;
  std::vector<std::size_t> begin{0};
  std::vector<std::uint32_t> index;
  std::vector<double> value;

  std::size_t size() const { return begin.size() - 1; }
  learn::SparseRows rows() const { return {begin, index, value}; }
  void add(features::SparseFeatures phi);
};

/// The rows of a SparseBlock, or of a SciPy matrix; null for other objects, which are dense. Throws
/// InvalidInput that calls them `name`, unless they have `dimension` columns.
std::shared_ptr<const SparseBlock> sparse_argument(pybind11::handle object, std::size_t dimension,
                                                   const char* name);

void bind_sparse_block(pybind11::module_& module);

/// RandomRelu and RandomFourier.
void bind_random_features(pybind11::module_& module);

}  // namespace shortfall::python
