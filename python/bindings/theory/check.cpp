#include <fmt/format.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/interruptible.hpp"
#include "bindings/mdp/tables.hpp"
#include "bindings/risk/loss_argument.hpp"
#include "bindings/theory/eigen_arrays.hpp"
#include "bindings/theory/theory_parts.hpp"
#include "errors/require.hpp"
#include "shortfall/formats/model_csv.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/theory/feature_conditions.hpp"

namespace shortfall::python {
namespace {

using theory::Assumption;
using theory::CheckedConditions;

/// The chain of a model under a policy; null if a policy is needed and missing.
struct CheckedChain {
  std::shared_ptr<const Chain> chain;
  StateIndex state_base = 0;
};

CheckedChain checked_chain(const py::object& model, const py::object& policy) {
  if (py::isinstance<Chain>(model)) {
    if (policy.is_none()) return {model.cast<std::shared_ptr<Chain>>()};
    throw InvalidInput("a policy for a chain; accepted: a policy only with an Mdp");
  }
  if (!py::isinstance<io::LoadedModel>(model)) {
    throw py::type_error(fmt::format("a model must be an Mdp or a Chain, not {}",
                                     py::repr(model).cast<std::string>()));
  }
  const auto& loaded = model.cast<const io::LoadedModel&>();
  const Mdp& mdp = loaded.model;
  if (!policy.is_none()) {
    // Costs do not affect ergodicity.
    return {std::make_shared<Chain>(chain_of(loaded, policy, "averaged")), mdp.state_base()};
  }
  return without_interpreter([&]() -> CheckedChain {
    const std::optional<Policy> only = unique_policy(mdp);
    if (!only) return {};
    return {std::make_shared<Chain>(under_policy(mdp, *only)), mdp.state_base()};
  });
}

/// What a guarantee is asked for: by features, and then for one algorithm.
CheckedConditions check_features(const LossArgument& loss, double gamma,
                                 const CheckedChain& checked, const Doubles& features,
                                 const std::optional<std::string>& algorithm) {
  require(checked.chain != nullptr,
          "features need the chain: accepted: a model without a choice of actions, or with a "
          "policy");
  const Eigen::MatrixXd phi = matrix_of(features, "features");
  const theory::ProvenAlgorithm chosen =
      value_named(algorithm.value_or("td"), theory::proven_algorithm_names, "algorithm");
  return without_interpreter([&] {
    return theory::check_conditions(chosen, loss.loss, gamma,
                                    {*checked.chain, phi, checked.state_base});
  });
}

CheckedConditions check(const LossArgument& loss, double gamma, const py::object& model,
                        const py::object& policy, const std::optional<Doubles>& features,
                        const std::optional<std::string>& algorithm) {
  require(!algorithm || features, "an algorithm without features; accepted: both, or neither");
  require(!features || !model.is_none(), "features without a model; accepted: both, or neither");
  if (features) {
    return check_features(loss, gamma, checked_chain(model, policy), *features, algorithm);
  }
  CheckedConditions checked{theory::check_conditions(loss.loss, gamma), loss.loss.to_string()};
  if (model.is_none()) {
    require(policy.is_none(), "a policy without a model; accepted: both, or neither");
    checked.not_checked = "ergodic chain: needs a model and, if it has a choice, a policy";
    return checked;
  }
  const CheckedChain checked_model = checked_chain(model, policy);
  if (checked_model.chain == nullptr) {
    checked.not_checked = "ergodic chain: depends on the policy, which is missing";
    return checked;
  }
  checked.conditions.assumptions.push_back(without_interpreter([&] {
    return theory::ergodicity_assumption(*checked_model.chain, checked_model.state_base);
  }));
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
                         "One assumption of the convergence theorem, and why it holds or not.")
      .def_readonly("name", &Assumption::name)
      .def_readonly("holds", &Assumption::holds)
      .def_readonly("reason", &Assumption::reason)
      .def("__repr__", [](const Assumption& self) { return repr(self); });
}

void bind_known_convergence(py::module_& core) {
  using theory::KnownConvergence;
  py::class_<KnownConvergence>(core, "KnownConvergence",
                               "What is known about the convergence of one online algorithm.")
      .def_property_readonly(
          "algorithm", [](const KnownConvergence& self) { return std::string(self.algorithm); })
      .def_readonly("guaranteed", &KnownConvergence::guaranteed,
                    "Proved, given what is named in `rests_on`.")
      .def_readonly("known", &KnownConvergence::known, "A sentence.")
      .def_readonly("rests_on", &KnownConvergence::rests_on)
      .def("__repr__", [](const KnownConvergence& self) {
        return fmt::format("KnownConvergence({}: {})", self.algorithm, self.known);
      });
}

template <class Member>
auto of_conditions(Member member) {
  return [member](const CheckedConditions& checked) { return checked.conditions.*member; };
}

void bind_conditions(py::module_& core) {
  py::class_<CheckedConditions>(core, "Conditions", R"doc(
The result of `check`. Its `str` is the output of the command line.
)doc")
      .def_property_readonly(
          "slope_min", [](const CheckedConditions& v) { return v.conditions.slopes.lower; },
          "The smallest slope of the loss, 0 if there is no positive bound.")
      .def_property_readonly(
          "slope_max", [](const CheckedConditions& v) { return v.conditions.slopes.upper; },
          "The largest slope of the loss, inf if there is no bound.")
      .def_property_readonly("gamma", of_conditions(&theory::Conditions::gamma))
      .def_property_readonly("gamma_limit", of_conditions(&theory::Conditions::gamma_limit),
                             "The upper limit for gamma: smallest slope / largest slope; 1 for "
                             "averagers.")
      .def_property_readonly("sharp_gamma_limit",
                             of_conditions(&theory::Conditions::sharp_gamma_limit),
                             "A weaker limit, below which the equilibrium is unique and stable.")
      .def_property_readonly(
          "guaranteed", [](const CheckedConditions& v) { return v.conditions.guaranteed(); },
          "Whether all checked assumptions hold.")
      .def_property_readonly("assumptions", of_conditions(&theory::Conditions::assumptions))
      .def_readonly("loss", &CheckedConditions::loss, "The name of the loss.")
      .def_property_readonly(
          "not_checked",
          [](const CheckedConditions& checked) {
            return checked.not_checked.empty() ? std::nullopt : std::optional(checked.not_checked);
          },
          "What could not be checked, and why; None if everything was.")
      .def_property_readonly(
          "algorithm",
          [](const CheckedConditions& checked) {
            return checked.algorithm.empty() ? std::nullopt : std::optional(checked.algorithm);
          },
          "The algorithm, if features were given; None: td, for any features.")
      .def_readonly("rests_on", &CheckedConditions::rests_on,
                    "What the guarantee needs beyond the assumptions.")
      .def_readonly(
          "largest_step", &CheckedConditions::largest_step,
          "With features: steps of at most this keep the weights of averagers bounded, from "
          "0, and move no value of td beyond its target; 0.0: none does.")
      .def_property_readonly("algorithms", &theory::known_convergence,
                             "What is known about each of the online algorithms.")
      .def("__repr__", [](const CheckedConditions& self) { return repr(self); })
      .def("__str__", &theory::report);
}

}  // namespace

void bind_check(py::module_& core) {
  bind_assumption(core);
  bind_known_convergence(core);
  bind_conditions(core);
  core.def("check", &check, py::arg("loss"), py::arg("gamma"), py::arg("model") = py::none(),
           py::arg("policy") = py::none(), py::kw_only(), py::arg("features") = py::none(),
           py::arg("algorithm") = py::none(), R"doc(
Which online algorithms are guaranteed to converge: `algorithms` and `str` say what is known of each.
Checks the loss and the discount and, if a model is given, whether its chain is ergodic. The model is
a `Chain`, or an `Mdp` with a policy, as in Mdp.under_policy, if it has a choice.

With `features`, one row per state, it checks one algorithm: "td", the default, or "averager-td".
For features that are nonnegative and sum to at most 1, averager-td converges for every loss and
every gamma below 1; so does TD if each state lies in one cell.

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
discount True
ergodic chain False

>>> chain = sf.library.counterexample(0.95).model.under_policy()
>>> found = sf.check("expectile:0.9", 0.999, chain, features=[[0.5, 0.5], [0, 1]],
...                  algorithm="averager-td")
>>> found.guaranteed, found.gamma_limit
(True, 1.0)
)doc");
}

}  // namespace shortfall::python
