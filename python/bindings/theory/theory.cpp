#include "bindings/theory/theory_parts.hpp"

#include "bindings/bindings.hpp"

namespace shortfall::python {

void bind_theory(pybind11::module_& core) {
  pybind11::module_ theory = core.def_submodule("theory", R"doc(
Conditions, rates and limits of temporal-difference learning under shortfall risk.

Everything here uses costs, even if the model of a chain has rewards. State numbers start at 0.
Features `phi` are a matrix with one row per state and one column per feature; `q` is a distribution
over the states.
)doc");
  bind_check(core);
  bind_contraction(theory);
  bind_operators(theory);
  bind_projection(theory);
  bind_mean_field(theory);
  bind_averager(theory);
  bind_long_run(theory);
}

}  // namespace shortfall::python
