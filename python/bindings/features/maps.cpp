#include <fmt/format.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/callbacks.hpp"
#include "bindings/features/dense_rows.hpp"
#include "errors/require.hpp"
#include "shortfall/features/aggregation.hpp"
#include "shortfall/features/hats.hpp"
#include "shortfall/features/normalised_radial.hpp"
#include "shortfall/features/tile_coding.hpp"

namespace shortfall::python {
namespace {

using features::Aggregation;
using features::Hats;
using features::NormalisedRadial;
using features::TileCoding;

/// States as a map reads them, one after the other.
class States {
 public:
  explicit States(const Integers& given) : states_(span_of(given)), is_one_(given.ndim() == 0) {
    require(given.ndim() <= 1, "states of {} dimensions; accepted: a number, or a list of numbers",
            given.ndim());
    for (const std::int64_t x : states_) {
      require(x >= 0 && x < std::int64_t{1} << 32, "there is no state {}; accepted: 0 or more", x);
    }
  }
  bool is_one() const { return is_one_; }
  std::size_t size() const { return states_.size(); }
  StateIndex operator[](std::size_t i) const { return static_cast<StateIndex>(states_[i]); }

 private:
  std::span<const std::int64_t> states_;
  bool is_one_;
};

template <class Map, class Given>
std::shared_ptr<SparseBlock> write_sparse(const Map& map, const Given& given) {
  auto block = std::make_shared<SparseBlock>(map.dimension());
  features::ActiveFeatures active(map.max_active());
  const py::gil_scoped_release without_interpreter;
  for (std::size_t i = 0; i < given.size(); ++i) {
    map.write_active(given[i], active);
    block->add(active);
  }
  return block;
}

template <class Map>
void bind_map(py::class_<Map>& type, const char* name) {
  type.def_property_readonly("dimension", &Map::dimension, "Number of features.")
      .def_property_readonly("max_active", &Map::max_active, "The most that are not 0 at once.")
      .def("__repr__", [name](const Map& self) {
        return fmt::format("{}({} features)", name, self.dimension());
      });
}

template <class Map>
void bind_point_map(py::class_<Map>& type, const char* name) {
  bind_map(type, name);
  type.def_property_readonly("coordinates", &Map::coordinates, "Length of a point.")
      .def(
          "__call__",
          [](const Map& self, const Doubles& points) {
            return write_all(self, Points(points, self.coordinates()));
          },
          py::arg("points"), "The features of a point, or an array with one row for each point.")
      .def(
          "sparse",
          [](const Map& self, const Doubles& points) {
            return write_sparse(self, Points(points, self.coordinates()));
          },
          py::arg("points"), "The same as SparseFeatures, for one point or for rows of points.");
}

std::vector<double> numbers(const Doubles& given, const char* name) {
  const auto all = vector_span(given, name);
  return {all.begin(), all.end()};
}

std::vector<std::size_t> counts(const Integers& given, const char* name) {
  std::vector<std::size_t> all;
  for (const std::int64_t n : vector_span(given, name)) {
    require(n >= 0, "{} has {}; accepted: at least 1", name, n);
    all.push_back(static_cast<std::size_t>(n));
  }
  return all;
}

Aggregation make_aggregation(const Integers& cells) {
  std::vector<std::uint32_t> given;
  for (const std::int64_t i : vector_span(cells, "cells")) {
    require(i >= 0 && i < std::int64_t{1} << 32, "a state in cell {}; accepted: 0 or more", i);
    given.push_back(static_cast<std::uint32_t>(i));
  }
  return Aggregation(std::move(given));
}

void bind_aggregation(py::module_& module) {
  py::class_<Aggregation> type(module, "Aggregation", R"doc(
Hard aggregation: `cells` is the cell of each state, from 0 on. A feature is 1 in its cell, and 0
elsewhere, so that all states of a cell have the same value.

Examples
--------
>>> map = sf.features.Aggregation([0, 0, 1])
>>> map([0, 2])
array([[1., 0.],
       [0., 1.]])
)doc");
  bind_map(type, "Aggregation");
  type.def(py::init(&make_aggregation), py::arg("cells"))
      .def_property_readonly("states", &Aggregation::states)
      .def(
          "__call__",
          [](const Aggregation& self, const Integers& states) {
            return write_all(self, States(states));
          },
          py::arg("states"), "The features of a state, or an array with one row for each state.")
      .def(
          "sparse",
          [](const Aggregation& self, const Integers& states) {
            return write_sparse(self, States(states));
          },
          py::arg("states"), "The same as SparseFeatures, for one state or a list of states.");
  define_pickling(
      type,
      [](const Aggregation& self) {
        std::vector<std::int64_t> cells;
        for (StateIndex x = 0; x < self.states(); ++x) cells.push_back(self.cell(x));
        return py::make_tuple(cells);
      },
      [](const py::tuple& state) { return make_aggregation(state[0].cast<Integers>()); });
}

TileCoding make_tiles(const Doubles& low, const Doubles& high, const Integers& tiles,
                      std::size_t tilings) {
  return TileCoding({.low = numbers(low, "low"),
                     .high = numbers(high, "high"),
                     .tiles = counts(tiles, "tiles"),
                     .tilings = tilings});
}

void bind_tile_coding(py::module_& module) {
  py::class_<TileCoding> type(module, "TileCoding", R"doc(
Tile coding: `tilings` grids over the box from `low` to `high`, shifted against each other, with
`tiles` tiles across the box in each coordinate. A point is in one tile of each grid, whose features
are 1 / tilings. Points outside the box count as the nearest point in it.

Examples
--------
>>> map = sf.features.TileCoding([0.0], [4.0], [2], tilings=2)
>>> map([1.5])
array([0.5, 0. , 0. , 0.5, 0. ])
>>> map.sparse([[1.5], [4.0]]).indices
array([0, 3, 1, 4], dtype=int32)
)doc");
  bind_point_map(type, "TileCoding");
  type.def(py::init(&make_tiles), py::arg("low"), py::arg("high"), py::arg("tiles"), py::kw_only(),
           py::arg("tilings") = 8);
  define_pickling(
      type,
      [](const TileCoding& self) {
        const auto& options = self.options();
        return py::make_tuple(options.low, options.high, options.tiles, options.tilings);
      },
      [](const py::tuple& state) {
        return make_tiles(state[0].cast<Doubles>(), state[1].cast<Doubles>(),
                          state[2].cast<Integers>(), state[3].cast<std::size_t>());
      });
}

void bind_hats(py::module_& module) {
  py::class_<Hats> type(module, "Hats", R"doc(
Hat functions on a grid, for multilinear interpolation: a weight is the value at a node, and values
between nodes are interpolated. `knots` are the coordinates of the grid, increasing, a list for each
coordinate of a point; the last coordinate is the fastest. Points outside the grid count as the
nearest point in it.

Examples
--------
>>> map = sf.features.Hats([[0.0, 1.0], [0.0, 10.0]])
>>> map([0.25, 4.0]).round(12)
array([0.45, 0.3 , 0.15, 0.1 ])
>>> sf.features.Hats.uniform([0.0, 0.0], [1.0, 1.0], [3, 3]).dimension
9
)doc");
  bind_point_map(type, "Hats");
  type.def(py::init<std::vector<std::vector<double>>>(), py::arg("knots"))
      .def_static(
          "uniform",
          [](const Doubles& low, const Doubles& high, const Integers& nodes) {
            return Hats::uniform(vector_span(low, "low"), vector_span(high, "high"),
                                 counts(nodes, "nodes"));
          },
          py::arg("low"), py::arg("high"), py::arg("nodes"),
          "Knots at equal distances from `low` to `high`, `nodes` of them in each coordinate.")
      .def_property_readonly("knots", &Hats::knots);
  define_pickling(
      type, [](const Hats& self) { return py::make_tuple(self.knots()); },
      [](const py::tuple& state) {
        return Hats(state[0].cast<std::vector<std::vector<double>>>());
      });
}

/// One width for all coordinates, or one for each.
NormalisedRadial make_radial(const Doubles& centres, const std::variant<double, Doubles>& widths,
                             double cutoff) {
  check_dimensions(centres, 2, "centres");
  const auto k = static_cast<std::size_t>(centres.shape(1));
  const auto* const one = std::get_if<double>(&widths);
  features::NormalisedRadialOptions options{
      .centres = {span_of(centres).begin(), span_of(centres).end()},
      .widths = one != nullptr ? std::vector<double>(k, *one)
                               : numbers(std::get<Doubles>(widths), "widths"),
      .cutoff = cutoff};
  require(options.widths.size() == k, "{} widths for {} coordinates; accepted: one for each",
          options.widths.size(), k);
  return NormalisedRadial(std::move(options));
}

void bind_radial(py::module_& module) {
  py::class_<NormalisedRadial> type(module, "NormalisedRadial", R"doc(
Normalised radial functions: bumps exp(-|(x - c) / width|^2 / 2) around `centres`, one per row,
divided by their sum. `widths` is a number, or one for each coordinate. Features below `cutoff`
times the largest are 0.

Examples
--------
>>> map = sf.features.NormalisedRadial([[0.0], [1.0]], 1.0)
>>> map([0.0]).round(4)
array([0.6225, 0.3775])
>>> map([1e6])
array([0., 1.])
)doc");
  bind_point_map(type, "NormalisedRadial");
  type.def(py::init(&make_radial), py::arg("centres"), py::arg("widths"), py::kw_only(),
           py::arg("cutoff") = features::NormalisedRadialOptions{}.cutoff);
  define_pickling(
      type,
      [](const NormalisedRadial& self) {
        const auto& options = self.options();
        return py::make_tuple(options.centres, options.widths, options.cutoff);
      },
      [](const py::tuple& state) {
        return NormalisedRadial({.centres = state[0].cast<std::vector<double>>(),
                                 .widths = state[1].cast<std::vector<double>>(),
                                 .cutoff = state[2].cast<double>()});
      });
}

}  // namespace

void bind_features(py::module_& core) {
  py::module_ module = core.def_submodule("features", "Feature maps.");
  bind_sparse_block(module);
  bind_aggregation(module);
  bind_tile_coding(module);
  bind_hats(module);
  bind_radial(module);
  bind_random_features(module);
}

}  // namespace shortfall::python
