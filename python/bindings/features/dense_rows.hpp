#pragma once

#include <pybind11/numpy.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/interruptible.hpp"
#include "errors/require.hpp"

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

}  // namespace shortfall::python
