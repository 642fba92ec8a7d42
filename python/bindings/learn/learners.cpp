#include "bindings/learn/learners.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/features/dense_rows.hpp"
#include "bindings/interruptible.hpp"
#include "bindings/learn/features.hpp"

namespace shortfall::python {
namespace {

using learn::Algorithm;
using learn::LearnerStatus;

/// The names of all statuses as Python strings, created once because every update returns one.
py::handle name_of(LearnerStatus status) {
  static const std::array names = [] {
    std::array<PyObject*, learn::status_names.size()> made{};
    for (const auto& [name, each] : learn::status_names) {
      made.at(static_cast<std::size_t>(each)) =
          PyUnicode_InternFromString(std::string(name).c_str());
    }
    return made;
  }();
  return names[static_cast<std::size_t>(status)];
}

py::object status_name(LearnerStatus status) {
  return py::reinterpret_borrow<py::object>(name_of(status));
}

/// The features of one state from a block with one row.
learn::SparseFeatures one_row(const SparseBlock& block, const char* name) {
  if (block.size() == 1) return block.rows().row(0);
  throw InvalidInput(fmt::format("{} has {} rows; accepted: one", name, block.size()));
}

py::object update(PyLearner& self, py::handle phi, double cost, py::handle phi_next,
                  double weight) {
  if (py::isinstance<SparseBlock>(phi)) {
    const std::size_t d = self.learner.dimension();
    const auto now = sparse_argument(phi, d, "phi");
    const auto next = sparse_argument(phi_next, d, "phi_next");
    if (!next) throw InvalidInput("phi is sparse and phi_next is not; accepted: both or none");
    const PyLearner::Use use(self);
    return status_name(
        self.learner.update(one_row(*now, "phi"), cost, one_row(*next, "phi_next"), weight));
  }
  const Features now(phi);
  const Features next(phi_next);
  const PyLearner::Use use(self);
  return status_name(self.learner.update(now, cost, next, weight));
}

py::object update_terminal(PyLearner& self, py::handle phi, double cost, double weight) {
  if (py::isinstance<SparseBlock>(phi)) {
    const auto now = sparse_argument(phi, self.learner.dimension(), "phi");
    const PyLearner::Use use(self);
    return status_name(self.learner.update_terminal(one_row(*now, "phi"), cost, weight));
  }
  const Features now(phi);
  const PyLearner::Use use(self);
  return status_name(self.learner.update_terminal(now, cost, weight));
}

void check_rows(const Doubles& phi, std::size_t count, std::size_t dimension, const char* name) {
  const bool fits = phi.ndim() == 2 && static_cast<std::size_t>(phi.shape(0)) == count &&
                    static_cast<std::size_t>(phi.shape(1)) == dimension;
  if (fits) return;
  throw InvalidInput(fmt::format(
      "{} has shape {}; accepted: ({}, {}), one row per cost and one column per "
      "weight",
      name, py::str(py::object(phi.attr("shape"))).cast<std::string>(), count, dimension));
}

/// About ten milliseconds of updates.
constexpr std::size_t work_between_checks = std::size_t{1} << 24;

/// The operations of one update: proportional to d, or d² for Newton and for each cell of its
/// averager, or the active features where the others are not looked at.
std::size_t work_of_update(const PyLearner& self, double active) {
  const std::size_t d = self.learner.dimension();
  const auto cells = static_cast<std::size_t>(active) + 1;
  switch (self.options.algorithm) {
    case Algorithm::newton:
      return d * d;
    case Algorithm::averager_newton:
      return cells * d * d;
    case Algorithm::averager_td:
      return self.options.average_from ? d + cells : cells;
    case Algorithm::td:
    case Algorithm::td_lambda:
      break;
  }
  return d;
}

/// What dense and sparse transitions have in common.
struct Columns {
  std::span<const double> cost;
  std::span<const std::uint8_t> terminal;
  std::span<const double> weight;

  Columns(const Doubles& costs, const std::optional<Flags>& flags,
          const std::optional<Doubles>& weights)
      : cost(vector_span(costs, "cost")) {
    if (flags) {
      const auto given = vector_span(*flags, "terminal");
      terminal = {reinterpret_cast<const std::uint8_t*>(given.data()), given.size()};
      check_count("terminal", terminal.size());
    }
    if (weights) {
      weight = vector_span(*weights, "weight");
      check_count("weight", weight.size());
    }
  }

  void check_count(const char* name, std::size_t count) const {
    if (count == cost.size()) return;
    throw InvalidInput(fmt::format("{} has {} entries for {} costs; accepted: one per cost", name,
                                   count, cost.size()));
  }
};

/// Runs in pieces, so that Ctrl-C is noticed. The size of the pieces does not change the result.
/// rows(begin, count) are the features of a piece, and those of the next states.
template <class Given, class Rows>
py::object update_in_pieces(PyLearner& self, const Columns& columns, std::size_t work,
                            const Rows& rows) {
  const std::size_t piece = std::max<std::size_t>(1, work_between_checks / work);
  const PyLearner::Use use(self);
  const Unfinished unfinished;
  for (std::size_t begin = 0; begin < columns.cost.size(); begin += piece) {
    const std::size_t count = std::min(piece, columns.cost.size() - begin);
    const auto part = [&](const auto& column) {
      return column.empty() ? column : column.subspan(begin, count);
    };
    {
      const py::gil_scoped_release without_interpreter;
      const auto [phi, phi_next] = rows(begin, count);
      (void)self.learner.update_many(Given{.phi = phi,
                                           .cost = part(columns.cost),
                                           .phi_next = phi_next,
                                           .terminal = part(columns.terminal),
                                           .weight = part(columns.weight),
                                           .first = begin});
    }
    if (self.learner.status() == LearnerStatus::diverged) break;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    Unfinished::check();
  }
  return status_name(self.learner.status());
}

py::object update_many_sparse(PyLearner& self, const SparseBlock& phi, const SparseBlock& phi_next,
                              const Columns& columns) {
  columns.check_count("phi", phi.size());
  columns.check_count("phi_next", phi_next.size());
  const double rows = std::max(1.0, static_cast<double>(phi.size()));
  const double active = static_cast<double>(phi.value.size() + phi_next.value.size()) / rows;
  return update_in_pieces<learn::SparseTransitions>(
      self, columns, work_of_update(self, active), [&](std::size_t begin, std::size_t count) {
        const auto part = [&](const SparseBlock& block) {
          learn::SparseRows some = block.rows();
          some.begin = some.begin.subspan(begin, count + 1);
          return some;
        };
        return std::pair(part(phi), part(phi_next));
      });
}

py::object update_many(PyLearner& self, const py::object& phi, const Doubles& cost,
                       const py::object& phi_next, const std::optional<Flags>& terminal,
                       const std::optional<Doubles>& weight) {
  const std::size_t d = self.learner.dimension();
  const Columns columns(cost, terminal, weight);
  const auto sparse = sparse_argument(phi, d, "phi");
  const auto sparse_next = sparse_argument(phi_next, d, "phi_next");
  if (sparse && sparse_next) return update_many_sparse(self, *sparse, *sparse_next, columns);
  if (sparse || sparse_next) {
    throw InvalidInput("one of phi and phi_next is sparse; accepted: both or none");
  }
  const auto dense = phi.cast<Doubles>();
  const auto dense_next = phi_next.cast<Doubles>();
  check_rows(dense, columns.cost.size(), d, "phi");
  check_rows(dense_next, columns.cost.size(), d, "phi_next");
  const double all = static_cast<double>(d);
  return update_in_pieces<learn::Transitions>(
      self, columns, std::max(d, work_of_update(self, all)),
      [&, now = span_of(dense), next = span_of(dense_next)](std::size_t begin, std::size_t count) {
        return std::pair(now.subspan(begin * d, count * d), next.subspan(begin * d, count * d));
      });
}

/// φᵀθ for one state, or for each row.
py::object value(const PyLearner& self, const py::object& given) {
  const PyLearner::Use use(self);
  if (const auto sparse = sparse_argument(given, self.learner.dimension(), "phi")) {
    py::array_t<double> values(static_cast<py::ssize_t>(sparse->size()));
    for (std::size_t i = 0; i < sparse->size(); ++i) {
      values.mutable_data()[i] = self.learner.value(sparse->rows().row(i));
    }
    return values;
  }
  const auto phi = given.cast<Doubles>();
  if (phi.ndim() == 1) return py::float_(self.learner.value(span_of(phi)));
  const auto d = static_cast<py::ssize_t>(self.learner.dimension());
  if (phi.ndim() != 2 || phi.shape(1) != d) {
    throw InvalidInput(fmt::format("phi has shape {}; accepted: ({},) or (n, {})",
                                   py::str(py::object(phi.attr("shape"))).cast<std::string>(), d,
                                   d));
  }
  py::array_t<double> values(phi.shape(0));
  for (py::ssize_t i = 0; i < phi.shape(0); ++i) {
    values.mutable_at(i) = self.learner.value(
        span_of(phi).subspan(static_cast<std::size_t>(i * d), static_cast<std::size_t>(d)));
  }
  return values;
}

/// For one state, or a list of one for each row.
py::object interval(const PyLearner& self, const Doubles& phi, double level,
                    const std::optional<std::string>& method) {
  learn::IntervalOptions options{.level = level};
  if (method) options.method = value_named(*method, learn::interval_method_names, "method");
  const PyLearner::Use use(self);
  if (phi.ndim() == 1) return py::cast(self.learner.interval(span_of(phi), options));
  const std::size_t d = self.learner.dimension();
  check_rows(phi, static_cast<std::size_t>(phi.ndim() == 2 ? phi.shape(0) : 0), d, "phi");
  py::list intervals;
  for (std::size_t i = 0; i < static_cast<std::size_t>(phi.shape(0)); ++i) {
    intervals.append(self.learner.interval(span_of(phi).subspan(i * d, d), options));
  }
  return intervals;
}

void bind_interval(py::module_& core) {
  using learn::Interval;
  py::class_<Interval>(core, "Interval",
                       "An interval for the value of a state; see Learner.interval.")
      .def_readonly("value", &Interval::value)
      .def_readonly("low", &Interval::low, "-inf if not yet known")
      .def_readonly("high", &Interval::high, "inf if not yet known")
      .def_readonly("standard_error", &Interval::standard_error)
      .def_property_readonly(
          "status", [](const Interval& self) { return std::string(to_string(self.status)); },
          "ok, not-yet or short-batches")
      .def_readonly("batches", &Interval::batches)
      .def_readonly("batch_correlation", &Interval::batch_correlation)
      .def("__repr__", [](const Interval& self) {
        return fmt::format("Interval({:.6g} in [{:.6g}, {:.6g}], {})", self.value, self.low,
                           self.high, to_string(self.status));
      });
}

void start_from(PyLearner& self, const Doubles& theta) {
  const PyLearner::Use use(self);
  self.learner.start_from(vector_span(theta, "theta"));
}

void start_episode(PyLearner& self) {
  const PyLearner::Use use(self);
  self.learner.start_episode();
}

void bind_base(py::module_& core) {
  py::class_<PyLearner>(core, "Learner", R"doc(
Online policy evaluation with linear features: the value of a state is phi @ theta.

Td, TdLambda, Newton, AveragerTd and AveragerNewton are learners. They can be copied and pickled with
everything they have learned. Features are arrays, or rows of shortfall.features.SparseFeatures or of
a SciPy matrix.
)doc")
      .def("update", &update, py::arg("phi"), py::arg("cost"), py::arg("phi_next"),
           py::arg("weight") = 1.0, R"doc(
Learns from one transition and returns the status: ok, not-settled, warming-up, singular or
diverged. `weight` is the importance ratio of the action, where another policy acts than the one to
be evaluated.
)doc")
      .def("update_terminal", &update_terminal, py::arg("phi"), py::arg("cost"),
           py::arg("weight") = 1.0,
           "Learns from the last transition of an episode, after which there are no more costs.")
      .def("update_many", &update_many, py::arg("phi"), py::arg("cost"), py::arg("phi_next"),
           py::arg("terminal") = py::none(), py::arg("weight") = py::none(), R"doc(
Learns from many transitions, with the same result as single updates. Row i of `phi` and `phi_next`
and entry i of `cost` are one transition. If terminal[i] is true, row i of `phi_next` is ignored.
Stops if the learner diverges. Contiguous arrays of doubles are not copied: for a path of features
F, update_many(F[:-1], cost, F[1:]) copies nothing.

Examples
--------
>>> td = sf.Td(1, "mean", gamma=0.0, step=0.5)
>>> td.update_many(np.ones((2, 1)), [1.0, 2.0], np.ones((2, 1)))
'ok'
>>> td.theta
array([1.25])
)doc")
      .def("start_episode", &start_episode,
           "Declares that the next transition does not continue the last one.")
      .def("start_from", &start_from, py::arg("theta"),
           "Sets the initial weights; only before the first update.")
      .def("value", &value, py::arg("phi"), "phi @ theta, for one state or for each row.")
      .def("interval", &interval, py::arg("phi"), py::arg("level") = 0.95,
           py::arg("method") = py::none(), R"doc(
An interval that holds the value of a state with this probability, or a list of one for each row.

For Newton and for averages; `method` is batch-means (Newton's default) or random-scaling (that of
averages). The status is not-yet while there is too little data, or the slopes of the loss around
the estimate are in doubt, and short-batches if correlation lasts longer than a batch.

Examples
--------
>>> newton = sf.Newton(1, "expectile:0.9", gamma=0.5)
>>> costs = np.random.default_rng(1).normal(10.0, 2.0, 20000)
>>> newton.update_many(np.ones((20000, 1)), costs, np.ones((20000, 1)))
'ok'
>>> interval = newton.interval([1.0])
>>> interval.status
'ok'
>>> interval.low < interval.value < interval.high
True
)doc")
      .def_property_readonly(
          "effective_samples",
          [](const PyLearner& self) { return self.learner.effective_samples(); },
          "How many transitions of equal weight would say as much: (sum w)^2 / sum w^2.")
      .def_property_readonly(
          "theta",
          [](const py::object& self) {
            return view(self.cast<PyLearner&>().learner.theta(), self);
          },
          R"doc(
The weights, as a read-only view of the learner's memory that changes with every update. Use
theta.copy() to keep the current weights.
)doc")
      .def_property_readonly("dimension",
                             [](const PyLearner& self) { return self.learner.dimension(); })
      .def_property_readonly(
          "updates", [](const PyLearner& self) { return self.learner.updates(); },
          "Number of transitions learned from.")
      .def_property_readonly(
          "status", [](const PyLearner& self) { return status_name(self.learner.status()); },
          "ok, not-settled, warming-up, singular or diverged.")
      .def_property_readonly(
          "movement", [](const PyLearner& self) { return self.learner.movement(); },
          "The share of the largest value by which values may be off, because they still move: at "
          "most 0.02 once settled. None as long as that cannot be told, and for learners without "
          "scaled steps.")
      .def_property_readonly("loss", [](const PyLearner& self) { return self.options.loss; })
      .def_property_readonly("gamma", [](const PyLearner& self) { return self.options.gamma; });
}

}  // namespace

void bind_learners(py::module_& core) {
  bind_interval(core);
  bind_base(core);
  bind_algorithms(core);
  bind_stream_run(core);
}

}  // namespace shortfall::python
