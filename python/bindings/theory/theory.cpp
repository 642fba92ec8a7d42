#include "theory/theory_parts.hpp"

#include "bindings.hpp"

namespace shortfall::python {

void bind_theory(pybind11::module_& core) {
  pybind11::module_ theory = core.def_submodule("theory", R"doc(
When temporal-difference learning converges under shortfall risk, how fast, and to what.

Everything here is in costs, whatever the sense of the model that a chain is from. States count from
0. Features `phi` are a matrix with one row a state and one column a feature; `q` is a law on the
states.
)doc");
  bind_check(core);
  bind_contraction(theory);
  bind_operators(theory);
  bind_projection(theory);
  bind_mean_field(theory);
  bind_long_run(theory);
}

}  // namespace shortfall::python
