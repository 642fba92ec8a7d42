#include <pybind11/pybind11.h>

#include "bindings.hpp"
#include "shortfall/error.hpp"
#include "shortfall/io/atomic_file.hpp"

namespace py = pybind11;
using namespace shortfall;

PYBIND11_MODULE(_core, core) {
  core.doc() = "The compiled part of shortfall.";
  core.attr("__version__") = SHORTFALL_VERSION;
  py::register_exception<InvalidInput>(core, "InvalidInput", PyExc_ValueError).doc() =
      "Input that breaks a contract: the message names what was found and what is accepted.";
  py::register_exception<io::OutputError>(core, "OutputError", PyExc_OSError).doc() =
      "A file that could not be written: the message names it, and why.";
  python::bind_risk(core);
  python::bind_mdp(core);
  python::bind_dp(core);
  python::bind_finite_horizon(core);
  python::bind_learners(core);
  python::bind_theory(core);
  python::bind_replications(core);
  python::bind_library(core);
  python::bind_inventory(core);
  python::bind_training(core);
}
