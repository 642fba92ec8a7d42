#include <string_view>

#include "inventory/inventory_parts.hpp"
#include "inventory/training_result.hpp"
#include "pickling.hpp"
#include "shortfall/inventory/train.hpp"

namespace shortfall::python {
namespace {

using inventory::Estimate;
using inventory::TrainingRecord;

constexpr const char* record_doc = R"doc(
One iteration of a training: what the orders before it were estimated to cost, from samples, and
what the orders after it truly cost, both from the empty stock. Iteration 0 is the myopic beginning.
)doc";

constexpr const char* training_doc = R"doc(
What a training has found. `policy` are the best orders of all iterations, and `values` what these
are worth, within `error_bound`. It pickles, and train goes on from it with the same bits.
)doc";

std::string text(const TrainingRecord& self) {
  return fmt::format(
      "TrainingRecord(iteration {}, {:.6g} from empty, estimate before {:.6g}, weights change "
      "{:.3g})",
      self.iteration, self.value_at_empty, self.estimated_at_empty, self.change);
}

std::string_view status_of(const TrainingResult& self) {
  return self.state.has_learned() ? to_string(self.best().status) : "nothing-learned";
}

std::string text(const TrainingResult& self) {
  return fmt::format("Training({}, {} iterations, best {}: {:.6g} from empty, within {:.2g})",
                     status_of(self), self.state.trace.size() - 1, self.best().iteration,
                     self.best().value_at_empty, self.best().error_bound);
}

std::string text(const Estimate& self) {
  const learn::Evaluation& evaluation = self.evaluation;
  return fmt::format("Estimate({:.6g} from empty, {} of {} trajectories used)", self.value_at_empty,
                     evaluation.used, evaluation.used + evaluation.singular + evaluation.diverged);
}

/// A read-only array that looks at what get(result) refers to.
template <class Result, class Get>
auto looking_at(Get get) {
  return [get](const py::object& self) { return view(get(self.cast<const Result&>()), self); };
}

void bind_record(py::module_& module) {
  py::class_<TrainingRecord>(module, "TrainingRecord", record_doc)
      .def_readonly("iteration", &TrainingRecord::iteration)
      .def_readonly("estimated_at_empty", &TrainingRecord::estimated_at_empty,
                    "Of the orders before the iteration, from samples.")
      .def_readonly("change", &TrainingRecord::change,
                    "Of the weights, as the root mean square of that of the values.")
      .def_readonly("used", &TrainingRecord::used, "Trajectories.")
      .def_readonly("singular", &TrainingRecord::singular, "Trajectories left out.")
      .def_readonly("diverged", &TrainingRecord::diverged, "Trajectories left out.")
      .def_readonly("value_at_empty", &TrainingRecord::value_at_empty,
                    "Of the orders after the iteration, exactly.")
      .def_readonly("error_bound", &TrainingRecord::error_bound, "Of that, certified.")
      .def_property_readonly("status",
                             [](const TrainingRecord& self) { return to_string(self.status); })
      .def("__repr__", py::overload_cast<const TrainingRecord&>(text));
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
                                 "How the best orders were valued, as of a solution, or "
                                 "\"nothing-learned\" where no trajectory could be used.")
          .def_property_readonly("policy", looking_at<Result>([](const Result& r) -> const Policy& {
                                   return r.state.best_orders;
                                 }),
                                 "The best orders, by state.")
          .def_property_readonly(
              "values", looking_at<Result>([](const Result& r) -> const std::vector<double>& {
                return r.best_values;
              }),
              "What they are worth, by state, exactly.")
          .def_property_readonly("error_bound",
                                 [](const Result& r) { return r.best().error_bound; })
          .def_property_readonly("best", &Result::best, "The record of the best orders.")
          .def_property_readonly(
              "trace", [](const Result& r) { return r.state.trace; },
              "A TrainingRecord for the beginning and for each iteration.")
          .def_property_readonly(
              "last_policy",
              looking_at<Result>([](const Result& r) -> const Policy& { return r.state.orders; }),
              "The orders of the last iteration, by state.")
          .def_property_readonly(
              "theta", looking_at<Result>([](const Result& r) -> const std::vector<double>& {
                return r.state.theta;
              }),
              "The last weights of the features.")
          .def("__repr__", py::overload_cast<const Result&>(text));
  define_pickling(result_class, bytes, from_bytes);
}

void bind_estimate(py::module_& module) {
  py::class_<Estimate>(module, "Estimate", "What orders are worth, estimated from samples.")
      .def_readonly("value_at_empty", &Estimate::value_at_empty)
      .def_property_readonly(
          "theta", looking_at<Estimate>([](const Estimate& e) -> const std::vector<double>& {
            return e.evaluation.theta;
          }),
          "The weights of the features.")
      .def_property_readonly("change", [](const Estimate& e) { return e.evaluation.change; })
      .def_property_readonly("used", [](const Estimate& e) { return e.evaluation.used; })
      .def_property_readonly("singular", [](const Estimate& e) { return e.evaluation.singular; })
      .def_property_readonly("diverged", [](const Estimate& e) { return e.evaluation.diverged; })
      .def("__repr__", py::overload_cast<const Estimate&>(text));
}

}  // namespace

void bind_training_results(py::module_& module) {
  bind_record(module);
  bind_result(module);
  bind_estimate(module);
}

}  // namespace shortfall::python
