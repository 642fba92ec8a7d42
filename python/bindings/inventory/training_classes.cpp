#include <string_view>

#include "bindings/inventory/inventory_parts.hpp"
#include "bindings/inventory/training_result.hpp"
#include "bindings/pickling.hpp"
#include "bindings/results.hpp"
#include "numbers/certain_digits.hpp"
#include "report/inventory_fields.hpp"
#include "shortfall/inventory/train/train.hpp"

namespace shortfall::python {
namespace {

using inventory::Estimate;

constexpr const char* training_doc = R"doc(
The result of a training. `policy` contains the best orders of all iterations and `values` their
values, within `error_bound`. It can be pickled, and train can resume it with identical results.
)doc";

std::string_view status_of(const TrainingResult& self) {
  return self.state.has_learned() ? to_string(self.best().status) : "nothing-learned";
}

std::string text(const TrainingResult& self) {
  CertainDigits digits(self.best().error_bound);
  const std::string value = digits.value(self.best().value_at_empty);
  return fmt::format("Training({}, {} iterations, best {}: {} from empty, within {})",
                     status_of(self), self.state.trace.size() - 1, self.best().iteration, value,
                     digits.bound());
}

std::string text(const Estimate& self) {
  const learn::Evaluation& evaluation = self.evaluation;
  return fmt::format("Estimate({:.6g} from empty, {} of {} trajectories used)", self.value_at_empty,
                     evaluation.used, evaluation.used + evaluation.singular + evaluation.diverged);
}

/// A read-only view of get(result).
template <class Result, class Get>
auto view_of(Get get) {
  return [get](const py::object& self) { return view(get(self.cast<const Result&>()), self); };
}

void bind_result(py::module_& module) {
  using Result = TrainingResult;
  const auto bytes = [](const Result& self) { return py::bytes(self.bytes()); };
  const auto from_bytes = [](const py::bytes& state) {
    return Result::from_bytes(std::string(state));
  };
  auto result_class =
      py::class_<Result>(module, "Training", training_doc)
          .def_property_readonly("status", status_of,
                                 "Status of the exact values of the best orders, or "
                                 "\"nothing-learned\" if no trajectory could be used.")
          .def_property_readonly("policy", view_of<Result>([](const Result& r) -> const Policy& {
                                   return r.state.best_orders;
                                 }),
                                 "The best orders, by state.")
          .def_property_readonly("values",
                                 view_of<Result>([](const Result& r) -> const std::vector<double>& {
                                   return r.best_values;
                                 }),
                                 "The exact values of the best orders, by state.")
          .def_property_readonly("best", &Result::best, "The record of the best orders.")
          .def_property_readonly(
              "trace", [](const Result& r) { return r.state.trace; },
              "A TrainingRecord for the start and for each iteration.")
          .def_property_readonly(
              "last_policy",
              view_of<Result>([](const Result& r) -> const Policy& { return r.state.orders; }),
              "The orders of the last iteration, by state.")
          .def_property_readonly("theta",
                                 view_of<Result>([](const Result& r) -> const std::vector<double>& {
                                   return r.state.theta;
                                 }),
                                 "The last weights of the features.")
          .def("__repr__", [](const Result& self) { return text(self); });
  define_fields<inventory::TrainingState>(
      result_class, [](const Result& self) -> const auto& { return self.state; });
  define_pickling(result_class, bytes, from_bytes);
}

void bind_estimate(py::module_& module) {
  py::class_<Estimate>(module, "Estimate", "The value of orders, estimated from samples.")
      .def_readonly("value_at_empty", &Estimate::value_at_empty)
      .def_property_readonly("theta",
                             view_of<Estimate>([](const Estimate& e) -> const std::vector<double>& {
                               return e.evaluation.theta;
                             }),
                             "The weights of the features.")
      .def_property_readonly("change", [](const Estimate& e) { return e.evaluation.change; })
      .def_property_readonly("used", [](const Estimate& e) { return e.evaluation.used; })
      .def_property_readonly("singular", [](const Estimate& e) { return e.evaluation.singular; })
      .def_property_readonly("diverged", [](const Estimate& e) { return e.evaluation.diverged; })
      .def("__repr__", [](const Estimate& self) { return text(self); });
}

}  // namespace

void bind_training_results(py::module_& module) {
  define_result<inventory::TrainingRecord>(module);
  bind_result(module);
  bind_estimate(module);
}

}  // namespace shortfall::python
