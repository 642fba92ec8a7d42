#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bindings/bindings.hpp"
#include "bindings/callbacks.hpp"
#include "bindings/mdp/tables.hpp"
#include "bindings/risk/loss_argument.hpp"
#include "bindings/tolerance.hpp"
#include "numbers/certain_digits.hpp"
#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/solve.hpp"

namespace shortfall::python {
namespace {

using Model = io::LoadedModel;

/// The options of solve and evaluate.
SolverOptions options_of(Tolerance tolerance, int max_iterations,
                         const std::optional<Doubles>& start, io::Sense sense) {
  SolverOptions options{.tolerance = tolerance, .max_iterations = max_iterations};
  if (!start) return options;
  for (const double v : vector_span(*start, "start")) options.start.push_back(in_sense(v, sense));
  return options;
}

/// A discount factor, or the average in its place.
Criterion criterion_of(const LossArgument& loss, std::optional<double> gamma, bool average) {
  if (average == gamma.has_value()) {
    throw InvalidInput(average ? "average=True and gamma; accepted: one of them"
                               : "neither gamma nor average; accepted: a discount factor, or "
                                 "average=True");
  }
  if (gamma && *gamma == 1.0) {
    throw InvalidInput("gamma = 1; accepted: a number strictly between 0 and 1, or average=True");
  }
  return {loss.loss, gamma.value_or(1.0)};
}

Solution in_terms_of(const Model& model, Solution solution) {
  solution.average_cost = in_sense(solution.average_cost, model.sense);
  for (double& v : solution.values) v = in_sense(v, model.sense);
  add_base(solution.policy, model.model);
  return solution;
}

Solution solve_model(const Model& model, const LossArgument& loss, std::optional<double> gamma,
                     bool average, const std::string& method, Tolerance tolerance,
                     int max_iterations, int threads, const std::optional<Doubles>& start,
                     const Callback& monitor) {
  const Criterion criterion = criterion_of(loss, gamma, average);
  const Method chosen = value_named(method, method_names, "method");
  const SolverOptions options = options_of(tolerance, max_iterations, start, model.sense);
  return in_terms_of(model, interruptible([&](const Monitor& interruption) {
                       return solve(model.model, criterion, chosen, options,
                                    {threads, with_callback(interruption, monitor)});
                     }));
}

Solution evaluate_policy(const Model& model, const py::object& policy, const LossArgument& loss,
                         std::optional<double> gamma, bool average, const std::string& method,
                         const std::string& induced_cost, Tolerance tolerance, int max_iterations,
                         int threads, const std::optional<Doubles>& start,
                         const Callback& monitor) {
  const Criterion criterion = criterion_of(loss, gamma, average);
  const Evaluator evaluator = value_named(method, evaluator_names, "method");
  const Chain chain = chain_of(model, policy, induced_cost);
  const SolverOptions options = options_of(tolerance, max_iterations, start, model.sense);
  Solution solution = interruptible([&](const Monitor& interruption) {
    return evaluate(chain, criterion, evaluator, options,
                    {threads, with_callback(interruption, monitor)});
  });
  if (auto fixed = fixed_policy(model.model, policy)) solution.policy = std::move(*fixed);
  return in_terms_of(model, std::move(solution));
}

std::string repr(const Solution& solution) {
  return fmt::format("Solution({}, {} states, within {}, {} iteration{})",
                     to_string(solution.status), solution.values.size(),
                     bound_text(solution.error_bound), solution.iterations,
                     solution.iterations == 1 ? "" : "s");
}

void bind_results(py::module_& core) {
  py::class_<IterationRecord>(core, "IterationRecord",
                              "One entry of a solver's trace, recorded after each iteration.")
      .def_readonly("iteration", &IterationRecord::iteration)
      .def_readonly("residual", &IterationRecord::residual, "max |TV - V| over states")
      .def_readonly("error_bound", &IterationRecord::error_bound, "Certified: max |V - V*|")
      .def("__repr__", [](const IterationRecord& record) {
        return fmt::format("IterationRecord(iteration={}, residual={:.3g}, error_bound={:.3g})",
                           record.iteration, record.residual, record.error_bound);
      });
  py::class_<ProgressReport>(core, "Progress", "What a long computation reports to its monitor.")
      .def_readonly("activity", &ProgressReport::activity)
      .def_property_readonly(
          "done", [](const ProgressReport& report) { return report.progress.done; },
          "Completed steps: iterations or replications.")
      .def_property_readonly(
          "total", [](const ProgressReport& report) { return report.progress.total; },
          "The number of steps; 0: not known in advance.")
      .def_property_readonly(
          "fraction", [](const ProgressReport& report) { return report.progress.fraction; },
          "Of the current step.")
      .def_property_readonly(
          "error_bound", [](const ProgressReport& report) { return report.progress.error_bound; },
          "Certified, of the values found so far.")
      .def("__str__", [](const ProgressReport& report) { return report.progress.to_string(); })
      .def("__repr__", [](const ProgressReport& report) {
        return fmt::format("Progress({})", report.progress.to_string());
      });
  py::class_<Solution, std::shared_ptr<Solution>>(core, "Solution", R"doc(
The result of a solver. Every value is certified to be within `error_bound` of the exact one; with
your own loss, if what you say of it is true (see `Loss`).
)doc")
      .def_property_readonly(
          "status",
          [](const Solution& solution) { return std::string(to_string(solution.status)); },
          "converged, iteration-limit, precision-limit, overflow, stopped or multichain")
      .def_property_readonly(
          "average_cost",
          [](const Solution& solution) -> std::optional<double> {
            if (std::isnan(solution.average_cost)) return std::nullopt;
            return solution.average_cost;
          },
          "Per period, within `error_bound`; None unless average=True was asked for.")
      .def_property_readonly(
          "values",
          [](const py::object& self) { return view(self.cast<Solution&>().values, self); },
          "By state: costs or rewards, as in the model; of an average relative to the first.")
      .def_property_readonly(
          "policy",
          [](const py::object& self) { return view(self.cast<Solution&>().policy, self); },
          "The action id for each state, -1 for terminal states; empty for a randomised policy, "
          "and "
          "if the solver was stopped before it had a bound.")
      .def_readonly("error_bound", &Solution::error_bound)
      .def_readonly("iterations", &Solution::iterations)
      .def_readonly("trace", &Solution::trace)
      .def("__repr__", &repr);
}

}  // namespace

void bind_dp(py::module_& core) {
  bind_results(core);
  const SolverOptions defaults;
  core.def("solve", &solve_model, py::arg("model"), py::arg("loss"), py::arg("gamma") = py::none(),
           py::kw_only(), py::arg("average") = false, py::arg("method") = "adaptive",
           py::arg("tolerance") = defaults.tolerance,
           py::arg("max_iterations") = defaults.max_iterations,
           py::arg("threads") = Execution{}.threads, py::arg("start") = py::none(),
           py::arg("monitor") = py::none(), R"doc(
The optimal policy and its value: V(x) = min over a of the risk of c + gamma V(X'). With
average=True instead of a discount factor, the policy with the least long-run average g, where
g + h(x) = min over a of the risk of c + h(X'): `average_cost` is g, and `values` are h. A model
whose average depends on the start has the status multichain.

`method` is adaptive, which is guided by the contraction that it measures, policy-iteration,
modified-policy-iteration, value-iteration or gauss-seidel. The solver stops when every value is
within `tolerance` of the exact one. Without it, that is 1e-6, or where values are too large for double
precision to certify that, at most a millionth of the largest. `start` gives initial values. `monitor` is called with a
Progress after each sweep; if it returns False, the solver stops, and the solution is the best so
far, with a bound that holds. Ctrl-C stops the solver, too.

Examples
--------
>>> model = sf.Mdp([np.eye(2), np.eye(2)[::-1]], cost=[2.0, 1.0])
>>> best = sf.solve(model, "expectile:0.9", 0.5)
>>> best
Solution(converged, 2 states, within ..., ...)
>>> best.policy
array([1, 0], dtype=int32)
>>> best.values.round(6)
array([3., 2.])
>>> sf.solve(model, "mean", average=True).average_cost
1.0
)doc");
  core.def("evaluate", &evaluate_policy, py::arg("model"), py::arg("policy"), py::arg("loss"),
           py::arg("gamma") = py::none(), py::kw_only(), py::arg("average") = false,
           py::arg("method") = "newton", py::arg("induced_cost") = "averaged",
           py::arg("tolerance") = defaults.tolerance,
           py::arg("max_iterations") = defaults.max_iterations,
           py::arg("threads") = Execution{}.threads, py::arg("start") = py::none(),
           py::arg("monitor") = py::none(), R"doc(
The value of a policy: V(x) = the risk of c + gamma V(X'), or its average as in solve.

The policy is as in Mdp.under_policy: ids, probabilities, 'uniform', or None if no state has a
choice. `method` is newton or sweeps.

Examples
--------
>>> model = sf.Mdp([np.eye(2), np.eye(2)[::-1]], cost=[2.0, 1.0])
>>> sf.evaluate(model, [0, 0], "mean", 0.5).values.round(6)
array([4., 2.])
>>> sf.evaluate(model, "uniform", "mean", 0.5).values.round(6)
array([3.5, 2.5])
)doc");
}

}  // namespace shortfall::python
