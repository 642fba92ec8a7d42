#include "shortfall/formats/petsc_model.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "files/whole_file.hpp"
#include "formats/petsc_matrix.hpp"
#include "parallel/threads.hpp"
#include "text/place.hpp"

namespace shortfall::io {
namespace {

/// n states and m actions, of a matrix with n·m rows and n columns.
struct ModelShape {
  std::size_t states;
  std::size_t actions;
};

ModelShape shape_of(const PetscMatrix& transitions) {
  const std::size_t rows = transitions.rows();
  if (transitions.is_vector || rows % transitions.columns != 0) {
    reject({.file = transitions.file},
           fmt::format("the transitions have {} rows and {} columns", rows, transitions.columns),
           "a matrix with a column for each state, and a row for each state and action");
  }
  return {static_cast<std::size_t>(transitions.columns),
          rows / static_cast<std::size_t>(transitions.columns)};
}

/// By state and action, in the order of the rows of transitions.
std::vector<double> costs_of(const PetscMatrix& given, const ModelShape& shape, Sense sense) {
  const auto [states, actions] = shape;
  const bool fits = given.is_vector ? given.rows() == states * actions
                                    : given.rows() == states && given.columns == actions;
  if (!fits) {
    reject({.file = given.file},
           fmt::format("the stage costs have {} rows and {} columns", given.rows(), given.columns),
           fmt::format("{} rows and {} columns: those of states and actions", states, actions));
  }
  std::vector<double> costs(states * actions);
  for (std::size_t r = 0; r < given.rows(); ++r) {
    for (std::size_t i = given.row_begin[r]; i < given.row_begin[r + 1]; ++i) {
      costs[r * static_cast<std::size_t>(given.columns) + given.column[i]] +=
          in_sense(given.value[i], sense);
    }
  }
  return costs;
}

bool has_entries(const PetscMatrix& matrix, std::size_t row) {
  for (std::size_t i = matrix.row_begin[row]; i < matrix.row_begin[row + 1]; ++i) {
    if (matrix.value[i] != 0.0) return true;
  }
  return false;
}

/// Takes the entries over; rows of zeros are left out, and with them their entries.
GroupedTable table_of(PetscMatrix transitions, const ModelShape& shape,
                      const std::vector<double>& costs) {
  GroupedTable table;
  Outcomes& outcomes = table.outcomes;
  table.state_begin.reserve(shape.states + 1);
  table.action.reserve(transitions.rows());
  outcomes.row_begin.reserve(transitions.rows() + 1);
  outcomes.cost.reserve(transitions.value.size());
  std::size_t kept = 0;
  for (std::size_t x = 0; x < shape.states; ++x) {
    for (std::size_t a = 0; a < shape.actions; ++a) {
      const std::size_t row = x * shape.actions + a;
      if (!has_entries(transitions, row)) continue;
      for (std::size_t i = transitions.row_begin[row]; i < transitions.row_begin[row + 1]; ++i) {
        transitions.value[kept] = transitions.value[i];
        transitions.column[kept] = transitions.column[i];
        ++kept;
      }
      table.action.push_back(static_cast<ActionIndex>(a));
      outcomes.cost.resize(kept, costs[row]);
      outcomes.row_begin.push_back(kept);
    }
    table.state_begin.push_back(table.action.size());
  }
  transitions.value.resize(kept);
  transitions.column.resize(kept);
  outcomes.probability = std::move(transitions.value);
  outcomes.next = std::move(transitions.column);
  return table;
}

}  // namespace

bool is_petsc_matrix(const std::string& path) {
  constexpr std::string_view narrow("\x00\x12\x7b\x50", 4);
  constexpr std::string_view wide("\x00\x00\x00\x00\x00\x12\x7b\x50", 8);
  const std::string text = beginning_of(path, wide.size());
  return text.starts_with(narrow) || text == wide;
}

LoadedModel read_petsc_model(const PetscModelFiles& files, const ReadOptions& options) {
  LoadedModel loaded{.model = {}, .sense = files.sense};
  detail::Workers(options.threads).run([&] {
    PetscMatrix transitions = read_petsc_matrix(files.transitions);
    const ModelShape shape = shape_of(transitions);
    const std::vector<double> costs =
        costs_of(read_petsc_matrix(files.stage_costs), shape, files.sense);
    const std::string name = transitions.file;
    try {
      loaded.model = Mdp::build(table_of(std::move(transitions), shape, costs));
    } catch (const InvalidModel& error) {
      throw InvalidInput(fmt::format("{}: {}", name, error.what()));
    }
  });
  return loaded;
}

}  // namespace shortfall::io
