#include "bindings/mdp/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>
#include "errors/require.hpp"

namespace shortfall::python {
namespace {

/// Checks that the smallest id is 0 or 1.
std::int64_t base_of(std::int64_t smallest, std::string_view what) {
  if (smallest == 0 || smallest == 1) return smallest;
  throw InvalidInput(
      fmt::format("the smallest {} id is {}; accepted: ids that start at 0 or 1", what, smallest));
}

std::int64_t smallest(const Integers& ids) {
  const auto numbers = span_of(ids);
  return numbers.empty() ? 0 : std::ranges::min(numbers);
}

/// Ids minus their base, in the type of the library.
template <class Id>
std::vector<Id> ids_of(const Integers& ids, std::int64_t base, std::string_view name) {
  std::vector<Id> result;
  result.reserve(static_cast<std::size_t>(ids.size()));
  for (const std::int64_t id : vector_span(ids, name)) {
    require(id >= base && id - base <= std::int64_t{std::numeric_limits<Id>::max()},
            "{} contains {}; accepted: integers from {} to {}", name, id, base,
            std::numeric_limits<Id>::max());
    result.push_back(static_cast<Id>(id - base));
  }
  return result;
}

/// Converts a pandas column; nullable types and unsigned integers are accepted.
py::object numbers_of(const py::object& column, const char* kind) {
  const auto type = py::str(column.attr("dtype")).cast<std::string>();
  const bool nullable =
      type.starts_with("Int") || type.starts_with("UInt") || type.starts_with("Float");
  if (!nullable && !type.starts_with("uint")) return column.attr("to_numpy")();
  const bool integers = std::string_view(kind) == "integers" && !type.starts_with("Float");
  return column.attr("to_numpy")(integers ? "int64" : "float64");
}

template <class Column>
Column column_of(const py::object& frame, const char* name, const char* kind) {
  require(frame.attr("columns").attr("__contains__")(name).cast<bool>(),
          "the frame has no column {}; accepted: idstatefrom, idaction, idstateto, "
          "probability and one of cost, reward",
          name);
  const py::object numbers = numbers_of(frame[name], kind);
  auto column = Column::ensure(numbers);
  if (column) return column;
  PyErr_Clear();
  throw InvalidInput(fmt::format("column {} has type {}; accepted: {}", name,
                                 py::str(numbers.attr("dtype")).cast<std::string>(), kind));
}

}  // namespace

io::LoadedModel model_of_columns(const Columns& columns, io::Sense sense, Bases bases) {
  const py::ssize_t rows = columns.state.size();
  for (const py::ssize_t size : {columns.action.size(), columns.next_state.size(),
                                 columns.probability.size(), columns.amount.size()}) {
    require(size == rows, "columns of {} and {} entries; accepted: equal lengths", rows, size);
  }
  std::int64_t state_base = 0;
  std::int64_t action_base = 0;
  if (bases == Bases::smallest) {
    state_base = base_of(std::min(smallest(columns.state), smallest(columns.next_state)), "state");
    action_base = base_of(smallest(columns.action), "action");
  }
  TransitionTable table;
  table.state_base = static_cast<StateIndex>(state_base);
  table.action_base = static_cast<ActionIndex>(action_base);
  table.from = ids_of<StateIndex>(columns.state, state_base, "state");
  table.action = ids_of<ActionIndex>(columns.action, action_base, "action");
  table.to = ids_of<StateIndex>(columns.next_state, state_base, "next_state");
  const auto probability = vector_span(columns.probability, "probability");
  table.probability.assign(probability.begin(), probability.end());
  for (const double amount : vector_span(columns.amount, "the amounts")) {
    table.cost.push_back(in_sense(amount, sense));
  }
  const py::gil_scoped_release without_interpreter;
  return {Mdp::build(std::move(table)), sense};
}

io::LoadedModel model_of_frame(const py::object& frame) {
  const auto has = [&](const char* name) {
    return frame.attr("columns").attr("__contains__")(name).cast<bool>();
  };
  require(!has("cost") || !has("reward"),
          "the frame has both cost and reward; accepted: one of them");
  const bool reward = has("reward");
  return model_of_columns({column_of<Integers>(frame, "idstatefrom", "integers"),
                           column_of<Integers>(frame, "idaction", "integers"),
                           column_of<Integers>(frame, "idstateto", "integers"),
                           column_of<Doubles>(frame, "probability", "numbers"),
                           column_of<Doubles>(frame, reward ? "reward" : "cost", "numbers")},
                          reward ? io::Sense::reward : io::Sense::cost, Bases::smallest);
}

}  // namespace shortfall::python
