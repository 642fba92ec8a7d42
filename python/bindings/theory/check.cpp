#include <fmt/format.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "interruptible.hpp"
#include "mdp/policies.hpp"
#include "risk/loss_argument.hpp"
#include "shortfall/io/model_csv.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/theory/conditions_report.hpp"
#include "theory/theory_parts.hpp"

namespace shortfall::python {
namespace {

using theory::Assumption;
using theory::CheckedConditions;

/// The chain that a policy makes of a model; none where the policy is missing and matters.
struct JudgedChain {
  std::shared_ptr<const Chain> chain;
  StateIndex state_base = 0;
};

JudgedChain judged_chain(const py::object& model, const py::object& policy) {
  if (py::isinstance<Chain>(model)) {
    if (policy.is_none()) return {model.cast<std::shared_ptr<Chain>>()};
    throw InvalidInput("a policy for a chain; accepted: one for an Mdp only");
  }
  if (!py::isinstance<io::LoadedModel>(model)) {
    throw py::type_error(
        fmt::format("a model is an Mdp or a Chain, not {}", py::repr(model).cast<std::string>()));
  }
  const auto& loaded = model.cast<const io::LoadedModel&>();
  const Mdp& mdp = loaded.model;
  if (!policy.is_none()) {
    // What a choice of action costs has no part in where it leads.
    return {std::make_shared<Chain>(chain_of(loaded, policy, "averaged")), mdp.state_base()};
  }
  return without_interpreter([&]() -> JudgedChain {
    const std::optional<Policy> only = unique_policy(mdp);
    if (!only) return {};
    return {std::make_shared<Chain>(under_policy(mdp, *only)), mdp.state_base()};
  });
}

CheckedConditions check(const LossArgument& loss, double gamma, const py::object& model,
                        const py::object& policy) {
  CheckedConditions checked{theory::check_conditions(loss.loss, gamma), loss.loss.to_string()};
  if (model.is_none()) {
    if (!policy.is_none()) throw InvalidInput("a policy without a model; accepted: both");
    checked.not_checked = "ergodic chain: give a model and, where it has a choice, a policy";
    return checked;
  }
  const JudgedChain judged = judged_chain(model, policy);
  if (judged.chain == nullptr) {
    checked.not_checked = "ergodic chain: depends on the policy; give one";
    return checked;
  }
  checked.conditions.assumptions.push_back(without_interpreter(
      [&] { return theory::ergodicity_assumption(*judged.chain, judged.state_base); }));
  return checked;
}

std::string repr(const Assumption& assumption) {
  return fmt::format("Assumption({}: {}, {})", assumption.name,
                     assumption.holds ? "holds" : "does not hold", assumption.reason);
}

std::string repr(const CheckedConditions& checked) {
  return fmt::format("Conditions({} with gamma {}: convergence {})", checked.loss,
                     checked.conditions.gamma, theory::verdict(checked));
}

void bind_assumption(py::module_& core) {
  py::class_<Assumption>(core, "Assumption",
                         "One hypothesis of the convergence theorem, with the reason in words.")
      .def_readonly("name", &Assumption::name)
      .def_readonly("holds", &Assumption::holds)
      .def_readonly("reason", &Assumption::reason)
      .def("__repr__", py::overload_cast<const Assumption&>(&repr));
}

template <class Member>
auto of_conditions(Member member) {
  return [member](const CheckedConditions& checked) { return checked.conditions.*member; };
}

void bind_conditions(py::module_& core) {
  py::class_<CheckedConditions>(core, "Conditions", R"doc(
What `check` found. Its `str` is what the command line prints.
)doc")
      .def_property_readonly(
          "slope_min", [](const CheckedConditions& v) { return v.conditions.slopes.lower; },
          "The smallest slope of the loss, 0 where there is no positive bound.")
      .def_property_readonly(
          "slope_max", [](const CheckedConditions& v) { return v.conditions.slopes.upper; },
          "The largest slope of the loss, inf where there is no bound.")
      .def_property_readonly("gamma", of_conditions(&theory::Conditions::gamma))
      .def_property_readonly("gamma_limit", of_conditions(&theory::Conditions::gamma_limit),
                             "What gamma must be below: smallest slope / largest slope.")
      .def_property_readonly("sharp_gamma_limit",
                             of_conditions(&theory::Conditions::sharp_gamma_limit),
                             "A weaker limit, below which the equilibrium is unique and stable.")
      .def_property_readonly(
          "guaranteed", [](const CheckedConditions& v) { return v.conditions.guaranteed(); },
          "Whether all assumptions hold that were checked.")
      .def_property_readonly("assumptions", of_conditions(&theory::Conditions::assumptions))
      .def_readonly("loss", &CheckedConditions::loss, "The loss in one word.")
      .def_property_readonly(
          "not_checked",
          [](const CheckedConditions& checked) {
            return checked.not_checked.empty() ? std::nullopt : std::optional(checked.not_checked);
          },
          "What could not be checked, and why; None where all was.")
      .def("__repr__", py::overload_cast<const CheckedConditions&>(&repr))
      .def("__str__", &theory::report);
}

}  // namespace

void bind_check(py::module_& core) {
  bind_assumption(core);
  bind_conditions(core);
  core.def("check", &check, py::arg("loss"), py::arg("gamma"), py::arg("model") = py::none(),
           py::arg("policy") = py::none(), R"doc(
Whether the online algorithms are guaranteed to converge: what loss and discount have to say and,
given a model, whether its chain is ergodic. The model is an `Mdp`, with a policy where it has a
choice, or a `Chain`.

Examples
--------
>>> found = sf.check("expectile:0.4", 0.6)
>>> found
Conditions(expectile:0.4 with gamma 0.6: convergence guaranteed where the chain is ergodic)
>>> round(found.gamma_limit, 6)
0.666667
>>> for assumption in sf.check("expectile:0.8", 0.5, sf.library.boyan_chain()).assumptions:
...     print(assumption.name, assumption.holds)
bounded slopes True
curvature True
discount False
ergodic chain False
)doc");
}

}  // namespace shortfall::python
