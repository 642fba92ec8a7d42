#include "bindings/learn/replication_table.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <string>

#include "bindings/arrays.hpp"

namespace shortfall::python {
namespace {

void add(std::optional<Curve>& curve, const std::optional<learn::Summary>& summary) {
  if (!summary) return;
  if (!curve) curve.emplace();
  curve->add(*summary);
}

template <class Class, class Member>
auto column(Member member) {
  return [member](const py::object& self) { return view(self.cast<const Class&>().*member, self); };
}

/// One row per replication.
py::array_t<double> theta(const py::object& self) {
  const auto& table = self.cast<const ReplicationTable&>();
  return view(table.theta, self).attr("reshape")(table.replications, -1);
}

std::string repr(const Curve& curve) {
  return fmt::format("Curve({} records, last {:.4g} +- {:.2g})", curve.mean.size(),
                     curve.mean.back(), curve.standard_error.back());
}

std::string repr(const ReplicationTable& table) {
  std::string text = fmt::format("Replications({} of {} updates, {} diverged", table.replications,
                                 table.iterations.back(), table.diverged.back());
  const auto add_distance = [&](const std::optional<Curve>& curve, const char* to) {
    if (!curve) return;
    text += fmt::format(", {:.4g} +- {:.2g} from the {}", curve->mean.back(),
                        curve->standard_error.back(), to);
  };
  add_distance(table.to_projected_value, "projected value");
  add_distance(table.to_fixed_point, "fixed point");
  return text + ")";
}

void bind_curve(py::module_& core) {
  py::class_<Curve>(core, "Curve", R"doc(
Mean, standard error and median of all replications at each recorded iteration. If a replication has
diverged, the mean and standard error of a distance are inf.
)doc")
      .def_property_readonly("mean", column<Curve>(&Curve::mean))
      .def_property_readonly("standard_error", column<Curve>(&Curve::standard_error))
      .def_property_readonly("median", column<Curve>(&Curve::median))
      .def("__len__", [](const Curve& curve) { return curve.mean.size(); })
      .def("__repr__", [](const Curve& self) { return repr(self); });
}

void bind_table(py::module_& core) {
  using Table = ReplicationTable;
  py::class_<Table>(core, "Replications", R"doc(
The result of `replicate`. Entry k of each array is for `iterations[k]` updates.
)doc")
      .def_property_readonly("iterations", column<Table>(&Table::iterations))
      .def_readonly("to_projected_value", &Table::to_projected_value,
                    "Distances to the projected value, as a `Curve`; None if not measured.")
      .def_readonly("to_fixed_point", &Table::to_fixed_point,
                    "Distances to the fixed point, as a `Curve`; None if not measured.")
      .def_readonly("first_component", &Table::first_component,
                    "theta[0] of the replications that have not diverged.")
      .def_property_readonly("diverged", column<Table>(&Table::diverged),
                             "Number of replications that have diverged so far.")
      .def_property_readonly(
          "singular", column<Table>(&Table::singular),
          "Number of replications that are currently singular; they may recover.")
      .def_property_readonly(
          "theta", &theta, "Final weights, or the last before divergence: one row per replication.")
      .def("__repr__", [](const Table& self) { return repr(self); });
}

}  // namespace

ReplicationTable table_of(const learn::Replications& found) {
  ReplicationTable table;
  table.replications = found.runs.size();
  for (const learn::Record& record : found.records) {
    table.iterations.push_back(static_cast<std::int64_t>(record.iteration));
    add(table.to_projected_value, record.to_projected_value);
    add(table.to_fixed_point, record.to_fixed_point);
    table.first_component.add(record.first_component);
    table.diverged.push_back(static_cast<std::int64_t>(record.diverged));
    table.singular.push_back(static_cast<std::int64_t>(record.singular));
  }
  for (const learn::Replication& run : found.runs) {
    table.theta.insert(table.theta.end(), run.theta.begin(), run.theta.end());
  }
  return table;
}

void bind_replication_table(py::module_& core) {
  bind_curve(core);
  bind_table(core);
}

}  // namespace shortfall::python
