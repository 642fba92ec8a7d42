#include <fmt/format.h>

#include <string>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/interruptible.hpp"
#include "bindings/theory/theory_parts.hpp"
#include "shortfall/mdp/ergodicity.hpp"
#include "shortfall/mdp/stationary.hpp"

namespace shortfall::python {
namespace {

StationaryLaw find_stationary_law(const Chain& chain, std::size_t elimination_limit,
                                  double tolerance, int max_cycles) {
  return without_interpreter([&] {
    return stationary_law(
        chain,
        {.elimination_limit = elimination_limit, .tolerance = tolerance, .max_cycles = max_cycles});
  });
}

std::string repr(const StationaryLaw& law) {
  const std::string how = law.cycles == 0 ? "by elimination" : fmt::format("{} cycles", law.cycles);
  return fmt::format("StationaryLaw({} states, {}, residual {:.2g}, {})", law.probability.size(),
                     law.converged ? "converged" : "not converged", law.residual, how);
}

std::string repr(const Ergodicity& found) {
  return fmt::format("Ergodicity({})", found.message());
}

/// A list of states, as a property.
template <std::vector<StateIndex> Ergodicity::*list>
py::array_t<StateIndex> states(const py::object& self) {
  return view(self.cast<const Ergodicity&>().*list, self);
}

void bind_stationary_law(py::module_& theory) {
  py::class_<StationaryLaw>(theory, "StationaryLaw", "The result of `stationary_law`.")
      .def_property_readonly(
          "probability",
          [](const py::object& self) {
            return view(self.cast<const StationaryLaw&>().probability, self);
          },
          "q, by state.")
      .def_readonly("residual", &StationaryLaw::residual,
                    "The largest relative difference between a state's inflow and its probability.")
      .def_readonly("cycles", &StationaryLaw::cycles,
                    "Number of iteration cycles; 0 if computed by elimination.")
      .def_readonly("converged", &StationaryLaw::converged)
      .def("__repr__", [](const StationaryLaw& self) { return repr(self); });
  const StationaryOptions defaults;
  theory.def("stationary_law", &find_stationary_law, py::arg("chain"), py::kw_only(),
             py::arg("elimination_limit") = defaults.elimination_limit,
             py::arg("tolerance") = defaults.tolerance, py::arg("max_cycles") = defaults.max_cycles,
             R"doc(
The stationary distribution of an irreducible chain, which gives its long-run frequencies. Computed
by elimination, exact to rounding, for up to `elimination_limit` states, otherwise by iteration to a
relative residual of `tolerance`. Raises InvalidInput for a chain that is not irreducible, and names
the states responsible.

Examples
--------
>>> chain = sf.library.counterexample(0.9).model.under_policy()
>>> sf.theory.stationary_law(chain).probability
array([0.5, 0.5])
)doc");
}

void bind_ergodicity(py::module_& theory) {
  py::class_<Ergodicity>(theory, "Ergodicity", R"doc(
Whether a chain is irreducible and aperiodic and, if not, which states are responsible, as seen from
`reference`, a state of the largest class.
)doc")
      .def_readonly("reference", &Ergodicity::reference)
      .def_property_readonly("not_reached", &states<&Ergodicity::not_reached>,
                             "States that `reference` does not reach.")
      .def_property_readonly("do_not_return", &states<&Ergodicity::do_not_return>,
                             "States that do not reach `reference`.")
      .def_property_readonly("terminal", &states<&Ergodicity::terminal>)
      .def_readonly("period", &Ergodicity::period, "0 if the chain is not irreducible.")
      .def_property_readonly("cyclic_class", &states<&Ergodicity::cyclic_class>, R"doc(
By state: a transition leads from class k to k + 1 modulo the period. Empty if not irreducible.
)doc")
      .def_property_readonly("is_irreducible", &Ergodicity::is_irreducible)
      .def_property_readonly("is_aperiodic", &Ergodicity::is_aperiodic,
                             "Only meaningful for irreducible chains.")
      .def_property_readonly("is_ergodic", &Ergodicity::is_ergodic)
      .def("message", &Ergodicity::message, py::arg("state_base") = StateIndex{0},
           "The result as text, with `state_base` added to state numbers.")
      .def("__repr__", [](const Ergodicity& self) { return repr(self); });
  theory.def("check_ergodicity", &check_ergodicity, py::arg("chain"),
             py::call_guard<py::gil_scoped_release>(), R"doc(
Whether a chain is irreducible and aperiodic, in time linear in its outcomes.

Examples
--------
>>> chain = sf.library.boyan_chain().under_policy()
>>> sf.theory.check_ergodicity(chain).terminal
array([13], dtype=uint32)
)doc");
}

}  // namespace

void bind_long_run(py::module_& theory) {
  bind_stationary_law(theory);
  bind_ergodicity(theory);
}

}  // namespace shortfall::python
