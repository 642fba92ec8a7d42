#include <pybind11/pybind11.h>

#include <string>

#include "bindings/bindings.hpp"
#include "bindings/interruptible.hpp"
#include "files/atomic_file.hpp"
#include "shortfall/errors/error.hpp"

namespace py = pybind11;
using namespace shortfall;

namespace {

/// Rejects objects made by __new__ without __init__, or by a pickle without state. pybind11 would
/// give them uninitialised memory.
void reject_uninitialised_objects() {
  const auto refuse = [](std::size_t) -> void* {
    throw py::type_error("the object is not initialised: __init__ was not called");
  };
  for (const auto& [_, type] : py::detail::get_internals().registered_types_cpp) {
    const py::str module = py::handle(reinterpret_cast<PyObject*>(type->type)).attr("__module__");
    if (module.cast<std::string>().starts_with("shortfall.")) type->operator_new = refuse;
  }
}

}  // namespace

PYBIND11_MODULE(_core, core) {
  core.doc() = "The compiled part of shortfall.";
  core.attr("__version__") = SHORTFALL_VERSION;
  py::register_exception<InvalidInput>(core, "InvalidInput", PyExc_ValueError).doc() =
      "Invalid input. The message gives the value found and what is accepted.";
  py::register_exception<io::OutputError>(core, "OutputError", PyExc_OSError).doc() =
      "A file could not be written. The message gives its name and the reason.";
  python::bind_risk(core);
  python::bind_mdp(core);
  python::bind_dp(core);
  python::bind_finite_horizon(core);
  python::bind_features(core);
  python::bind_learners(core);
  python::bind_theory(core);
  python::bind_replications(core);
  python::bind_library(core);
  python::bind_inventory(core);
  python::bind_training(core);
  reject_uninitialised_objects();
  py::module_::import("atexit").attr("register")(py::cpp_function(&python::Unfinished::leave));
}
