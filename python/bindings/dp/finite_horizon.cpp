#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/callbacks.hpp"
#include "bindings/mdp/tables.hpp"
#include "bindings/risk/loss_argument.hpp"
#include "numbers/certain_digits.hpp"
#include "shortfall/dp/finite_horizon.hpp"

namespace shortfall::python {
namespace {

using Model = io::LoadedModel;

/// All stages in one array, so that Python can view it as a matrix without a copy.
struct Stages {
  Status status;
  std::size_t states;
  std::vector<double> values;
  std::vector<ActionIndex> policies;
  double error_bound;
};

template <class T>
void append(const std::vector<std::vector<T>>& rows, std::vector<T>& all) {
  for (const std::vector<T>& row : rows) all.insert(all.end(), row.begin(), row.end());
}

Stages in_terms_of(const Model& model, FiniteHorizonSolution solution) {
  Stages stages{solution.status, model.model.states(), {}, {}, solution.error_bound};
  append(solution.values, stages.values);
  for (double& v : stages.values) v = in_sense(v, model.sense);
  for (Policy& policy : solution.policies) add_base(policy, model.model);
  append(solution.policies, stages.policies);
  return stages;
}

KeepStages keep_of(const std::string& name) {
  if (name == "all") return KeepStages::all;
  if (name == "last") return KeepStages::last;
  throw InvalidInput(fmt::format("keep '{}'; accepted: all, last", name));
}

FiniteHorizonOptions options_of(const Model& model, int stages, const std::string& keep,
                                const std::string& discount,
                                const std::optional<Doubles>& terminal_values) {
  FiniteHorizonOptions options{.stages = stages,
                               .keep = keep_of(keep),
                               .discount = value_named(discount, discount_names, "discount")};
  if (!terminal_values) return options;
  for (const double v : vector_span(*terminal_values, "terminal_values")) {
    options.terminal_values.push_back(in_sense(v, model.sense));
  }
  return options;
}

Stages solve_stages(const Model& model, const LossArgument& loss, double gamma, int stages,
                    const std::string& keep, const std::string& discount,
                    const std::optional<Doubles>& terminal_values, int threads) {
  const FiniteHorizonOptions options = options_of(model, stages, keep, discount, terminal_values);
  return in_terms_of(
      model, interruptible([&](const Monitor& monitor) {
        return solve_finite_horizon(model.model, {loss.loss, gamma}, options, {threads, monitor});
      }));
}

Stages evaluate_stages(const Model& model, const py::object& policy, const LossArgument& loss,
                       double gamma, int stages, const std::string& induced_cost,
                       const std::string& keep, const std::string& discount,
                       const std::optional<Doubles>& terminal_values, int threads) {
  const Chain chain = chain_of(model, policy, induced_cost);
  const FiniteHorizonOptions options = options_of(model, stages, keep, discount, terminal_values);
  return in_terms_of(
      model, interruptible([&](const Monitor& monitor) {
        return evaluate_finite_horizon(chain, {loss.loss, gamma}, options, {threads, monitor});
      }));
}

template <class T>
py::array_t<T> matrix_view(const std::vector<T>& numbers, std::size_t columns, py::handle owner) {
  py::array_t<T> array({numbers.size() / columns, columns}, numbers.data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

}  // namespace

void bind_finite_horizon(py::module_& core) {
  py::class_<Stages, std::shared_ptr<Stages>>(core, "FiniteHorizonSolution", R"doc(
Values and policies by the number of remaining stages: values[t] with t stages left, values[0] at
the end; policies[t - 1] decides with t stages left. With keep='last' there is one row of each, for
the full horizon.
)doc")
      .def_property_readonly(
          "status", [](const Stages& stages) { return std::string(to_string(stages.status)); })
      .def_property_readonly("values",
                             [](const py::object& self) {
                               const auto& stages = self.cast<Stages&>();
                               return matrix_view(stages.values, stages.states, self);
                             })
      .def_property_readonly(
          "policies",
          [](const py::object& self) {
            const auto& stages = self.cast<Stages&>();
            return matrix_view(stages.policies, stages.states, self);
          },
          "Has no rows if a policy was given.")
      .def_readonly("error_bound", &Stages::error_bound,
                    "Covers rounding errors, the only errors here.")
      .def("__repr__", [](const Stages& stages) {
        return fmt::format("FiniteHorizonSolution({}, {} states, {} stages kept, within {})",
                           to_string(stages.status), stages.states,
                           stages.values.size() / stages.states, bound_text(stages.error_bound));
      });
  core.def("solve_finite_horizon", &solve_stages, py::arg("model"), py::arg("loss"),
           py::arg("gamma"), py::kw_only(), py::arg("stages"), py::arg("keep") = "all",
           py::arg("discount") = "inside", py::arg("terminal_values") = py::none(),
           py::arg("threads") = 0, R"doc(
The optimal policies for a fixed number of stages; gamma may be 1.

Examples
--------
>>> model = sf.Mdp([np.eye(2), np.eye(2)[::-1]], cost=[2.0, 1.0])
>>> sf.solve_finite_horizon(model, "mean", 1.0, stages=2).values
array([[0., 0.],
       [2., 1.],
       [3., 2.]])
)doc");
  core.def("evaluate_finite_horizon", &evaluate_stages, py::arg("model"), py::arg("policy"),
           py::arg("loss"), py::arg("gamma"), py::kw_only(), py::arg("stages"),
           py::arg("induced_cost") = "averaged", py::arg("keep") = "all",
           py::arg("discount") = "inside", py::arg("terminal_values") = py::none(),
           py::arg("threads") = 0,
           "The value of a policy over a fixed number of stages; gamma may be 1.");
}

}  // namespace shortfall::python
