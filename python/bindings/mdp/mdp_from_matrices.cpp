#include "mdp/mdp_from_matrices.hpp"

#include <fmt/format.h>
#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "mdp/csr.hpp"
#include "mdp/tables.hpp"

namespace shortfall::python {
namespace {

using Shape = std::pair<std::size_t, std::size_t>;

Shape shape_of(py::handle matrix) {
  const auto shape = matrix.attr("shape").cast<py::tuple>();
  if (shape.size() != 2) {
    throw InvalidInput(fmt::format("a matrix has {} dimensions; accepted: 2", shape.size()));
  }
  return shape.cast<Shape>();
}

void check_square(py::handle matrix, std::size_t states, std::string_view name) {
  const auto [rows, columns] = shape_of(matrix);
  if (rows == states && columns == states) return;
  throw InvalidInput(fmt::format("{} has a matrix of {} by {}; accepted: {} by {}", name, rows,
                                 columns, states, states));
}

std::vector<py::object> matrices_of(py::handle sequence) {
  std::vector<py::object> matrices;
  for (const py::handle matrix : sequence) {
    matrices.push_back(py::reinterpret_borrow<py::object>(matrix));
  }
  return matrices;
}

bool is_wide(const py::object& matrix) {
  return is_sparse(matrix) && matrix.attr("indices").attr("dtype").attr("itemsize").cast<int>() > 4;
}

/// What an outcome costs: a number for each state and action, or a matrix for each action.
template <class Index>
struct Amounts {
  Doubles by_row;  ///< N × A; empty where there are matrices
  std::vector<Csr<Index>> by_outcome;

  bool vary_with_outcome() const { return !by_outcome.empty(); }
};

/// Appends what the entries `next` of a row cost, `amounts` being in increasing order. An outcome
/// that they do not list costs 0.
template <class Index>
void append_amounts(const Row<Index>& amounts, std::span<const Index> next, io::Sense sense,
                    std::vector<double>& cost) {
  const bool same = amounts.next.data() == next.data() || std::ranges::equal(amounts.next, next);
  if (same && sense == io::Sense::cost) {
    cost.insert(cost.end(), amounts.value.begin(), amounts.value.end());
    return;
  }
  if (same) {
    for (const double c : amounts.value) cost.push_back(in_sense(c, sense));
    return;
  }
  for (const Index x_next : next) {
    const auto at = std::ranges::lower_bound(amounts.next, x_next);
    const bool listed = at != amounts.next.end() && *at == x_next;
    const auto index = static_cast<std::size_t>(at - amounts.next.begin());
    cost.push_back(listed ? in_sense(amounts.value[index], sense) : 0.0);
  }
}

/// Ids out of range, negative ones too, stay so, for Mdp::build to name them.
template <class Index>
StateIndex state_of(Index x) {
  constexpr std::int64_t largest = std::numeric_limits<StateIndex>::max();
  if constexpr (sizeof(Index) <= sizeof(StateIndex)) return static_cast<StateIndex>(x);
  return static_cast<StateIndex>(x < 0 || x > largest ? largest : x);
}

/// Whether the state has the action.
template <class Index>
bool has_outcomes(const Row<Index>& row) {
  return std::ranges::any_of(row.value, [](double p) { return p != 0.0; });
}

/// Lays the rows of all matrices out state by state.
template <class Index>
class Layout {
 public:
  Layout(std::vector<Csr<Index>> transitions, Amounts<Index> amounts, std::size_t states,
         io::Sense sense)
      : transitions_(std::move(transitions)),
        amounts_(std::move(amounts)),
        states_(states),
        sense_(sense) {}

  /// Not the interpreter's business: it only reads what is held here.
  GroupedTable table() const {
    GroupedTable table = outline();
    Outcomes& outcomes = table.outcomes;
    const std::size_t count = outcomes.row_begin.back();
    // One array a thread, filled as it grows: its pages are touched once, and by several cores.
    tbb::parallel_invoke(
        [&] {
          outcomes.probability.reserve(count);
          for_each_row([&](std::size_t, std::size_t, const Row<Index>& row) {
            outcomes.probability.insert(outcomes.probability.end(), row.value.begin(),
                                        row.value.end());
          });
        },
        [&] {
          outcomes.next.reserve(count);
          for_each_row([&](std::size_t, std::size_t, const Row<Index>& row) {
            const auto states = row.next | std::views::transform(state_of<Index>);
            outcomes.next.insert(outcomes.next.end(), states.begin(), states.end());
          });
        },
        [&] {
          outcomes.cost.reserve(count);
          for_each_row([&](std::size_t x, std::size_t a, const Row<Index>& row) {
            append_cost(x, a, row, outcomes.cost);
          });
        });
    return table;
  }

 private:
  /// Which state has which actions, and how many outcomes.
  GroupedTable outline() const {
    GroupedTable table;
    for (std::size_t x = 0; x < states_; ++x) {
      for (std::size_t a = 0; a < transitions_.size(); ++a) {
        const Row<Index> row = row_of(transitions_[a], x);
        if (!has_outcomes(row)) continue;
        table.action.push_back(static_cast<ActionIndex>(a));
        table.outcomes.row_begin.push_back(table.outcomes.row_begin.back() + row.next.size());
      }
      table.state_begin.push_back(table.action.size());
    }
    return table;
  }

  template <class Work>
  void for_each_row(const Work& work) const {
    for (std::size_t x = 0; x < states_; ++x) {
      for (std::size_t a = 0; a < transitions_.size(); ++a) {
        const Row<Index> row = row_of(transitions_[a], x);
        if (has_outcomes(row)) work(x, a, row);
      }
    }
  }

  void append_cost(std::size_t x, std::size_t a, const Row<Index>& row,
                   std::vector<double>& cost) const {
    if (amounts_.vary_with_outcome()) {
      append_amounts(row_of(amounts_.by_outcome[a], x), row.next, sense_, cost);
      return;
    }
    const double c = amounts_.by_row.data()[x * transitions_.size() + a];
    cost.insert(cost.end(), row.next.size(), in_sense(c, sense_));
  }

  std::vector<Csr<Index>> transitions_;
  Amounts<Index> amounts_;
  std::size_t states_;
  io::Sense sense_;
};

/// c(x) or c(x, a) as N × A; nothing where `amounts` are matrices.
std::optional<Doubles> amounts_by_row(py::handle amounts, std::size_t states, std::size_t actions) {
  if (is_sparse(amounts)) return std::nullopt;
  const bool list_of_matrices = py::isinstance<py::sequence>(amounts) && py::len(amounts) > 0 &&
                                is_sparse(amounts.cast<py::sequence>()[0].cast<py::object>());
  if (list_of_matrices) return std::nullopt;
  const auto given = amounts.cast<Doubles>();
  if (given.ndim() == 3) return std::nullopt;
  if (given.ndim() == 2 && static_cast<std::size_t>(given.shape(0)) == states &&
      static_cast<std::size_t>(given.shape(1)) == actions) {
    return given;
  }
  if (given.ndim() == 1 && static_cast<std::size_t>(given.size()) == states) {
    Doubles repeated(std::vector<std::size_t>{states, actions});
    for (std::size_t x = 0; x < states; ++x) {
      std::fill_n(repeated.mutable_data() + x * actions, actions, given.data()[x]);
    }
    return repeated;
  }
  throw InvalidInput(
      fmt::format("amounts of shape {}; accepted: ({},), ({}, {}), ({}, {}, {}) or {} matrices",
                  py::str(py::object(given.attr("shape"))).cast<std::string>(), states, states,
                  actions, actions, states, states, actions));
}

/// Each amount once and in order of successors, as SciPy's matrices may not have them.
py::object canonical(const py::object& matrix) {
  if (!is_sparse(matrix) || matrix.attr("has_canonical_format").cast<bool>()) return matrix;
  const py::object other = matrix.attr("copy")();
  other.attr("sum_duplicates")();
  return other;
}

std::vector<py::object> compressed_matrices(py::handle sequence, std::size_t states,
                                            std::string_view name) {
  std::vector<py::object> matrices = matrices_of(sequence);
  for (py::object& matrix : matrices) {
    matrix = is_sparse(matrix) ? py::object(matrix.attr("tocsr")()) : matrix.cast<Doubles>();
    check_square(matrix, states, name);
  }
  return matrices;
}

template <class Index>
std::vector<Csr<Index>> csr_of_all(const std::vector<py::object>& matrices) {
  std::vector<Csr<Index>> result;
  for (const py::object& matrix : matrices) result.push_back(csr_of<Index>(matrix));
  return result;
}

template <class Index>
Mdp build(const std::vector<py::object>& transitions, std::optional<Doubles> by_row,
          const std::vector<py::object>& by_outcome, std::size_t states, io::Sense sense) {
  const Layout<Index> layout(
      csr_of_all<Index>(transitions),
      {by_row ? std::move(*by_row) : Doubles(), csr_of_all<Index>(by_outcome)}, states, sense);
  const py::gil_scoped_release without_interpreter;
  return Mdp::build(layout.table());
}

}  // namespace

io::LoadedModel model_of_matrices(py::handle transitions, py::handle amounts, io::Sense sense) {
  if (is_sparse(transitions)) {
    throw InvalidInput("one matrix of transitions; accepted: a list of them, one an action");
  }
  std::vector<py::object> given = matrices_of(transitions);
  if (given.empty()) throw InvalidInput("no matrix of transitions; accepted: one an action");
  if (!is_sparse(given.front())) given.front() = given.front().cast<Doubles>();
  const std::size_t states = shape_of(given.front()).first;
  const std::vector<py::object> rows = compressed_matrices(transitions, states, "transitions");
  std::optional<Doubles> by_row = amounts_by_row(amounts, states, rows.size());
  std::vector<py::object> by_outcome;
  if (!by_row) by_outcome = compressed_matrices(amounts, states, "amounts");
  std::ranges::transform(by_outcome, by_outcome.begin(), canonical);
  if (!by_row && by_outcome.size() != rows.size()) {
    throw InvalidInput(fmt::format("{} matrices of amounts; accepted: one for each of {} actions",
                                   by_outcome.size(), rows.size()));
  }
  const bool wide = std::ranges::any_of(rows, is_wide) || std::ranges::any_of(by_outcome, is_wide);
  return {wide ? build<std::int64_t>(rows, std::move(by_row), by_outcome, states, sense)
               : build<std::int32_t>(rows, std::move(by_row), by_outcome, states, sense),
          sense};
}

}  // namespace shortfall::python
