#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/interruptible.hpp"
#include "bindings/learn/learners.hpp"
#include "bindings/risk/loss_argument.hpp"
#include "errors/require.hpp"
#include "files/atomic_file.hpp"
#include "shortfall/formats/stream_run.hpp"

namespace shortfall::python {
namespace {

using learn::Algorithm;
using learn::StreamRun;

/// A run with a guard against use by two threads at once, because it learns without the
/// interpreter lock.
struct PyStreamRun {
  PyStreamRun(const std::string& path, const learn::StreamOptions& options) : run(path, options) {}

  StreamRun run;
  mutable std::atomic_flag busy;
};

/// The library names fields; here they are keyword arguments.
std::unique_ptr<PyStreamRun> open_run(const std::string& path,
                                      const learn::StreamOptions& options) try {
  return without_interpreter([&] { return std::make_unique<PyStreamRun>(path, options); });
} catch (const io::ChangedOption& changed) {
  throw InvalidInput(changed.message([](std::string name) {
    std::ranges::replace(name, '-', '_');
    return name == "lambda" ? "lambda_" : name;
  }));
} catch (const InvalidField& error) {
  throw InvalidInput(fmt::format("{}: {}", error.field(), error.what()));
}

void warn_of_repeated_rows(const StreamRun& run) {
  if (!run.may_learn_twice()) return;
  const std::string warning = fmt::format(
      "repeated rows are learned twice; give resume_at_row=N if the input begins with row N, "
      "as resume_at_row={} if it continues, or number the rows in a column seq",
      run.resumed_at().next_row());
  if (PyErr_WarnEx(PyExc_UserWarning, warning.c_str(), 1) != 0) throw py::error_already_set();
}

/// Learns from at most `left` buffered rows, which it counts down, for some milliseconds, or waits
/// for more. False at the end of the stream.
bool learn_some(StreamRun& run, std::uint64_t& left) {
  using Next = StreamRun::Next;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(10);
  for (std::uint64_t n = 1; left > 0; ++n) {
    const Next next = run.next();
    if (next == Next::end) return false;
    if (next == Next::starved) {
      run.wait(std::chrono::milliseconds(20));
      return true;
    }
    --left;
    if (n % 64 == 0 && Clock::now() >= end) return true;
  }
  return true;
}

/// Learns from `rows` more rows, or until the stream ends; returns how many there were. Ctrl-C
/// saves the checkpoint, as it does in the command.
std::uint64_t learn_rows(PyStreamRun& self, std::uint64_t rows) {
  const PyLearner::Use use(self);
  const Unfinished unfinished;
  std::uint64_t left = rows;
  for (bool goes_on = true; goes_on && left > 0;) {
    {
      const py::gil_scoped_release released;
      goes_on = learn_some(self.run, left);
    }
    const bool interrupted = PyErr_CheckSignals() != 0;
    if (!interrupted) {
      Unfinished::check();
      continue;
    }
    const py::error_already_set raised;
    self.run.save();
    throw raised;
  }
  return rows - left;
}

std::string learn_all(PyStreamRun& self, std::optional<std::uint64_t> rows) {
  learn_rows(self, rows.value_or(std::numeric_limits<std::uint64_t>::max()));
  return std::string(self.run.status_name());
}

/// The learned row, with arrays of its own.
py::tuple next_row(PyStreamRun& self) {
  if (learn_rows(self, 1) == 0) throw py::stop_iteration();
  const io::Transition& row = self.run.transition();
  const auto copy = [](std::span<const double> numbers) {
    return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
  };
  return py::make_tuple(copy(row.phi), row.cost,
                        row.terminal ? py::object(py::none()) : py::object(copy(row.phi_next)));
}

const learn::AnyLearner& known_learner(const StreamRun& run) {
  require(run.learner().has_value(),
          "{} has not shown its number of features yet; accepted: after the first row",
          run.stream().name());
  return *run.learner();
}

/// A copy, as the class of its algorithm.
py::object learner_of(const PyStreamRun& self) {
  const PyLearner::Use use(self);
  const learn::LearnerOptions& options = self.run.options().learner;
  const learn::AnyLearner& learner = known_learner(self.run);
  switch (options.algorithm) {
    case Algorithm::td:
      return py::cast(new PyTd(options, learner), py::return_value_policy::take_ownership);
    case Algorithm::td_lambda:
      return py::cast(new PyTdLambda(options, learner), py::return_value_policy::take_ownership);
    case Algorithm::newton:
      return py::cast(new PyNewton(options, learner), py::return_value_policy::take_ownership);
    case Algorithm::averager_td:
      return py::cast(new PyAveragerTd(options, learner), py::return_value_policy::take_ownership);
    case Algorithm::averager_newton:
      break;
  }
  return py::cast(new PyAveragerNewton(options, learner), py::return_value_policy::take_ownership);
}

void save(PyStreamRun& self) {
  const PyLearner::Use use(self);
  self.run.save();
  if (!self.run.save_error().empty()) throw io::OutputError(self.run.save_error());
}

void reopen(PyStreamRun& self) {
  const PyLearner::Use use(self);
  try {
    self.run.reopen();
  } catch (const InvalidField& error) {
    throw InvalidInput(fmt::format("{}: {}", error.field(), error.what()));
  }
  if (!self.run.save_error().empty()) throw io::OutputError(self.run.save_error());
}

void close(PyStreamRun& self) {
  const PyLearner::Use use(self);
  self.run.close();
}

using PathArgument = std::optional<std::filesystem::path>;

std::string text_of(const PathArgument& path) {
  return path ? path->string() : std::string();
}

std::unique_ptr<PyStreamRun> make_run(
    const std::filesystem::path& path, const std::string& algorithm, const LossArgument& loss,
    double gamma, double lambda, const StepArgument& step,
    std::optional<std::uint64_t> average_from, std::uint64_t warmup, bool as_published,
    std::optional<double> forget, double false_alarm_rate, bool skip_bad_rows,
    const PathArgument& checkpoint, double checkpoint_every,
    std::optional<std::uint64_t> resume_at_row, const PathArgument& predictions,
    const PathArgument& bad_rows, double max_bad_share,
    std::optional<std::pair<double, double>> cost_range, bool clip_costs) {
  require(checkpoint_every > 0.0 && checkpoint_every <= 1e6,
          "checkpoint_every is {}; accepted: a number of seconds above 0, at most 1e6",
          checkpoint_every);
  require(!clip_costs || cost_range, "clip_costs without cost_range; accepted: both, or neither");
  io::CostRange costs;
  if (cost_range) costs = {.low = cost_range->first, .high = cost_range->second};
  if (clip_costs) costs.outside = io::CostRange::Outside::clip;
  const learn::StreamOptions options{
      .learner = {.algorithm = value_named(algorithm, learn::algorithm_names, "algorithm"),
                  .loss = loss.loss,
                  .gamma = gamma,
                  .lambda = lambda,
                  .step = step_of(step),
                  .average_from = average_from,
                  .newton = newton_options(warmup, 0, as_published),
                  .half_life = forget},
      .skip_bad_rows = skip_bad_rows,
      .bad_rows = text_of(bad_rows),
      .largest_bad_share = max_bad_share,
      .costs = costs,
      .false_alarm_rate = false_alarm_rate,
      .checkpoint = text_of(checkpoint),
      .checkpoint_every = std::chrono::round<std::chrono::nanoseconds>(
          std::chrono::duration<double>(checkpoint_every)),
      .resume_at_row = resume_at_row,
      .predictions = text_of(predictions)};
  auto made = open_run(path.string(), options);
  warn_of_repeated_rows(made->run);
  return made;
}

}  // namespace

void bind_stream_run(py::module_& core) {
  const auto of_run = [](auto get) {
    return [get](const PyStreamRun& self) { return get(self.run); };
  };
  py::class_<PyStreamRun>(core, "StreamRun", R"doc(
A learner on the rows of a file or a pipe, which can be stopped and resumed at any time.

The stream is CSV or NDJSON, as for the command `shortfall learn`, and `algorithm` td, td-lambda,
newton, averager-td or averager-newton. With a `checkpoint`, what was learned is saved there every
`checkpoint_every` seconds, at the end, and by `save` and `close`; if the file exists, the run
continues after the last row that it covers, and ends with the bits of a run that was never stopped.
The command continues checkpoints of StreamRun, and StreamRun those of the command.

A resumed file is read from where it was left. A resumed pipe continues with the next row; rows that
have a number `seq` may be sent again, and without it `resume_at_row` is the row of the stream with
which the pipe begins. `predictions` is a CSV file of values before each update and residuals, or a
pipe. `skip_bad_rows` passes bad rows over, `bad_rows` also writes them to a CSV file with the
reasons, and `max_bad_share` stops if more than this share of a thousand rows is bad. A cost outside
`cost_range` makes a row bad, or is clipped. Columns and keys that a stream does not have are
`ignored`. The other arguments are those of Td, TdLambda and Newton; they must be those of the
checkpoint, while those of rows and files may change. A loss that is a function has no checkpoint.

Iterating learns row by row and gives (phi, cost, phi_next), with None as phi_next at the end of an
episode; `learn` does the same without a Python object for each row.

Examples
--------
>>> import pathlib, tempfile
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> _ = (folder / "stream.csv").write_text("x1,y1,cost\n1,1,1\n1,1,2\n1,1,3\n")
>>> options = dict(algorithm="td", loss="mean", gamma=0.5, step=0.1, checkpoint=folder / "state")
>>> with sf.StreamRun(folder / "stream.csv", **options) as run:
...     run.learn(rows=2)
'ok'
>>> with sf.StreamRun(folder / "stream.csv", **options) as run:
...     run.resumed_rows, [cost for phi, cost, phi_next in run], run.updates
(2, [3.0], 3)
)doc")
      .def(py::init(&make_run), py::arg("path"), py::arg("algorithm"), py::arg("loss"),
           py::arg("gamma"), py::kw_only(), py::arg("lambda_") = 0.5,
           py::arg("step") = default_step(), py::arg("average_from") = py::none(),
           py::arg("warmup") = 0, py::arg("as_published") = false, py::arg("forget") = py::none(),
           py::arg("false_alarm_rate") = 0.01, py::arg("skip_bad_rows") = false,
           py::arg("checkpoint") = py::none(), py::arg("checkpoint_every") = 5.0,
           py::arg("resume_at_row") = py::none(), py::arg("predictions") = py::none(),
           py::arg("bad_rows") = py::none(), py::arg("max_bad_share") = 1.0,
           py::arg("cost_range") = py::none(), py::arg("clip_costs") = false)
      .def("learn", &learn_all, py::arg("rows") = py::none(), R"doc(
Learns from this many rows, or until the stream ends, and returns the status: ok, not-settled, outlier,
warming-up, singular or diverged, after which there are no more rows. Ctrl-C saves the checkpoint.
)doc")
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__", &next_row)
      .def("save", &save,
           "Writes predictions and the checkpoint, if there is anything new. Raises OutputError.")
      .def("reopen", &reopen,
           "Saves, and continues predictions and bad rows in new files, after those were moved. "
           "Raises OutputError.")
      .def("close", &close,
           "Saves, and lets other processes use the files; so does the end of a with block.")
      .def("__enter__", [](py::object self) { return self; })
      .def("__exit__", [](PyStreamRun& self, const py::args&) { close(self); })
      .def_property_readonly("learner", &learner_of,
                             "A copy of the learner: a Td, TdLambda, Newton, .., with its methods.")
      .def_property_readonly("theta", of_run([](const StreamRun& run) {
                               const std::span<const double> theta = known_learner(run).theta();
                               return py::array_t<double>(static_cast<py::ssize_t>(theta.size()),
                                                          theta.data());
                             }),
                             "A copy of the weights.")
      .def_property_readonly(
          "updates",
          of_run([](const StreamRun& run) { return run.learner() ? run.learner()->updates() : 0; }),
          "Number of transitions learned from, those of the checkpoint included.")
      .def_property_readonly(
          "status", of_run([](const StreamRun& run) { return std::string(run.status_name()); }),
          "ok, not-settled, outlier if a single row has moved the values by orders of magnitude, "
          "warming-up, singular or diverged.")
      .def_property_readonly("rows",
                             of_run([](const StreamRun& run) { return run.stream().rows(); }),
                             "Rows of the stream so far.")
      .def_property_readonly(
          "skipped_rows", of_run([](const StreamRun& run) { return run.stream().skipped_rows(); }),
          "Bad rows so far.")
      .def_property_readonly(
          "clipped_rows", of_run([](const StreamRun& run) { return run.stream().clipped_rows(); }),
          "Rows so far whose cost was clipped to cost_range.")
      .def_property_readonly(
          "outliers", of_run([](const StreamRun& run) { return run.outliers().outliers(); }),
          "Rows so far whose loss was more than a hundred times the largest before.")
      .def_property_readonly("last_outlier_row",
                             of_run([](const StreamRun& run) -> std::optional<std::uint64_t> {
                               const std::uint64_t row = run.outliers().last().row;
                               return row > 0 ? std::optional(row) : std::nullopt;
                             }),
                             "The row of the last of them, or None.")
      .def_property_readonly(
          "ignored", of_run([](const StreamRun& run) { return run.stream().ignored(); }),
          "Names of columns and keys that were found and are ignored, at most 16.")
      .def_property_readonly("replayed_rows", of_run([](const StreamRun& run) {
                               return run.stream().replayed_rows();
                             }),
                             "Rows that a resumed pipe sent again and that were not learned again.")
      .def_property_readonly("resumed_rows",
                             of_run([](const StreamRun& run) { return run.resumed_at().rows; }),
                             "Rows that the checkpoint had when this run began; 0: there was none.")
      .def_property_readonly(
          "alarms", of_run([](const StreamRun& run) { return run.drift().alarm.alarms(); }),
          "How often residuals have moved away from 0: the stream has changed.")
      .def_property_readonly("last_alarm_row",
                             of_run([](const StreamRun& run) -> std::optional<std::uint64_t> {
                               const std::uint64_t row = run.drift().last_row;
                               return row > 0 ? std::optional(row) : std::nullopt;
                             }),
                             "The row of the last alarm, or None.")
      .def_property_readonly(
          "save_error", of_run([](const StreamRun& run) { return run.save_error(); }),
          "Why the last checkpoint could not be written; it is tried again. Empty if it was.");
}

}  // namespace shortfall::python
