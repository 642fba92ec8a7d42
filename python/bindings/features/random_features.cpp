
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/callbacks.hpp"
#include "bindings/features/dense_rows.hpp"
#include "shortfall/features/random_fourier.hpp"
#include "shortfall/features/random_relu.hpp"

namespace shortfall::python {
namespace {

using features::RandomFourier;
using features::RandomRelu;

constexpr const char* relu_doc = R"doc(
Random hinges of points: max(0, w @ (x - shift) / scale + b), with w and b standard normal, after a
constant and, if asked for, the scaled coordinates. A linear learner on them is a network with one
hidden layer whose first weights are drawn instead of learned.

count : number of hinges.
shift, scale : one number per coordinate, for instance means and standard deviations of the points.
intercept, linear : whether the constant and the scaled coordinates are among the features.

Calling it gives the features of one point, or one row per point. The same seed gives the same bits
everywhere.

Examples
--------
>>> points = np.random.default_rng(1).normal(5.0, 2.0, (1000, 3))
>>> relu = sf.features.RandomRelu(50, shift=points.mean(axis=0), scale=points.std(axis=0))
>>> phi = relu(points)
>>> phi.shape
(1000, 51)
>>> bool((phi >= 0.0).all())
True
)doc";

constexpr const char* fourier_doc = R"doc(
Random waves of points (Rahimi and Recht, 2007): sqrt(2 / count) cos(w @ (x - shift) / scale + b),
with w normal of standard deviation 1 / length and b uniform on [0, 2 pi), after a constant and, if
asked for, the scaled coordinates. Inner products of the waves approximate the Gaussian kernel
exp(-|x - y|^2 / (2 length^2)) of scaled points.

length : how far apart scaled points must be for their values to differ; by default the square root
    of the number of coordinates.

The other arguments and calls are as for RandomRelu.

Examples
--------
>>> fourier = sf.features.RandomFourier(20000, shift=[0.0, 0.0], scale=[1.0, 1.0], length=1.0,
...                                     intercept=False)
>>> x, y = fourier([[0.0, 0.0], [1.0, 0.0]])
>>> round(float(x @ y), 1)  # the kernel is exp(-1/2) = 0.61
0.6
)doc";

/// The arguments that both classes have.
struct RandomArguments {
  std::int64_t count;
  const Doubles& shift;
  const Doubles& scale;
  bool intercept;
  bool linear;
  std::uint64_t seed;

  features::RandomFeatureOptions options() const {
    require(count >= 1, "count = {}; accepted: 1 or more", count);
    const auto shifts = vector_span(shift, "shift");
    const auto scales = vector_span(scale, "scale");
    return {.scaling = {{shifts.begin(), shifts.end()}, {scales.begin(), scales.end()}},
            .count = static_cast<std::size_t>(count),
            .intercept = intercept ? features::Intercept::with : features::Intercept::without,
            .linear_terms = linear ? features::LinearTerms::with : features::LinearTerms::without,
            .seed = seed};
  }
};

/// What the constructor takes, but for the length of waves.
py::tuple random_state_of(const features::RandomFeatureOptions& options) {
  return py::make_tuple(static_cast<std::int64_t>(options.count), copy(options.scaling.shift),
                        copy(options.scaling.scale), options.intercept == features::Intercept::with,
                        options.linear_terms == features::LinearTerms::with, options.seed);
}
features::RandomFeatureOptions random_options_of(const py::tuple& state) {
  return RandomArguments{state[0].cast<std::int64_t>(), state[1].cast<Doubles>(),
                         state[2].cast<Doubles>(),      state[3].cast<bool>(),
                         state[4].cast<bool>(),         state[5].cast<std::uint64_t>()}
      .options();
}

template <class Map>
void bind_random_map(py::class_<Map>& map, const char* name) {
  const auto coordinates = [](const Map& self) { return self.projection().variables(); };
  map.def_property_readonly("dimension", &Map::dimension, "Number of features.")
      .def_property_readonly("coordinates", coordinates, "Length of a point.")
      .def(
          "__call__",
          [coordinates](const Map& self, const Doubles& points) {
            return write_all(self, Points(points, coordinates(self)));
          },
          py::arg("points"), "The features of a point, or an array with one row for each point.")
      .def_property_readonly("names", &Map::names, "In the order of the features.")
      .def("__repr__", [name](const Map& self) {
        const auto& options = self.projection().options();
        return fmt::format("{}({} features, seed {})", name, self.dimension(), options.seed);
      });
}

}  // namespace

void bind_random_features(py::module_& module) {
  constexpr std::int64_t default_count = 100;
  auto relu =
      py::class_<RandomRelu>(module, "RandomRelu", relu_doc)
          .def(py::init([](std::int64_t count, const Doubles& shift, const Doubles& scale,
                           bool intercept, bool linear, std::uint64_t seed) {
                 return RandomRelu(
                     RandomArguments{count, shift, scale, intercept, linear, seed}.options());
               }),
               py::arg("count") = default_count, py::kw_only(), py::arg("shift"), py::arg("scale"),
               py::arg("intercept") = true, py::arg("linear") = false, py::arg("seed") = 1);
  bind_random_map(relu, "RandomRelu");
  define_pickling(
      relu, [](const RandomRelu& self) { return random_state_of(self.projection().options()); },
      [](const py::tuple& state) { return RandomRelu(random_options_of(state)); });
  auto fourier =
      py::class_<RandomFourier>(module, "RandomFourier", fourier_doc)
          .def(py::init([](std::int64_t count, const Doubles& shift, const Doubles& scale,
                           std::optional<double> length, bool intercept, bool linear,
                           std::uint64_t seed) {
                 return RandomFourier(
                     {.features =
                          RandomArguments{count, shift, scale, intercept, linear, seed}.options(),
                      .length = length});
               }),
               py::arg("count") = default_count, py::kw_only(), py::arg("shift"), py::arg("scale"),
               py::arg("length") = py::none(), py::arg("intercept") = true,
               py::arg("linear") = false, py::arg("seed") = 1);
  bind_random_map(fourier, "RandomFourier");
  fourier.def_property_readonly("length", &RandomFourier::length);
  define_pickling(
      fourier,
      [](const RandomFourier& self) {
        return py::make_tuple(random_state_of(self.projection().options()), self.length());
      },
      [](const py::tuple& state) {
        return RandomFourier({.features = random_options_of(state[0].cast<py::tuple>()),
                              .length = state[1].cast<double>()});
      });
}

}  // namespace shortfall::python
