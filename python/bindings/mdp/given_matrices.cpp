#include "bindings/mdp/given_matrices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/interruptible.hpp"
#include "bindings/mdp/csr.hpp"
#include "bindings/mdp/tables.hpp"
#include "errors/require.hpp"
#include "parallel/threads.hpp"

namespace shortfall::python {

namespace {

using Shape = std::pair<std::size_t, std::size_t>;

Shape shape_of(py::handle matrix) {
  const auto shape = matrix.attr("shape").cast<py::tuple>();
  if (shape.size() == 2) return shape.cast<Shape>();
  throw InvalidInput(fmt::format("a matrix has {} dimensions; accepted: 2", shape.size()));
}

void check_square(py::handle matrix, std::size_t states, std::string_view name) {
  const auto [rows, columns] = shape_of(matrix);
  require(rows == states && columns == states, "{} has a matrix of {} by {}; accepted: {} by {}",
          name, rows, columns, states, states);
}

/// Any iterable of matrices. Sparse ones are converted to CSR, the others to arrays.
std::vector<py::object> matrices_of(py::handle iterable) {
  std::vector<py::object> matrices;
  for (const py::handle matrix : iterable) {
    matrices.push_back(is_sparse(matrix) ? py::object(matrix.attr("tocsr")())
                                         : py::object(py::cast<Doubles>(matrix)));
  }
  return matrices;
}

/// Whether it is a list with sparse matrices, which cannot be one array.
bool lists_sparse(py::handle amounts) {
  if (py::isinstance<py::array>(amounts) || !py::isinstance<py::sequence>(amounts)) return false;
  for (const py::handle matrix : amounts) {
    if (is_sparse(matrix)) return true;
  }
  return false;
}

/// c(x) or c(x, a) as N × A; nothing if `amounts` are matrices.
std::optional<Doubles> amounts_by_row(py::handle amounts, std::size_t states, std::size_t actions) {
  if (is_sparse(amounts) || lists_sparse(amounts)) return {};
  const auto given = py::cast<Doubles>(amounts);
  if (given.ndim() == 3) return {};
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

/// Sorted by successor and without duplicates, which SciPy does not guarantee.
py::object canonical(const py::object& matrix) {
  if (!is_sparse(matrix) || matrix.attr("has_canonical_format").cast<bool>()) return matrix;
  py::object other = matrix.attr("copy")();
  other.attr("sum_duplicates")();
  return other;
}

bool is_wide(const py::object& matrix) {
  if (is_sparse(matrix))
    return matrix.attr("indices").attr("dtype").attr("itemsize").cast<int>() > 4;
  return py::cast<py::array>(matrix).size() > std::numeric_limits<std::int32_t>::max();
}

}  // namespace

bool GivenMatrices::are_wide() const {
  return std::ranges::any_of(transitions, is_wide) || std::ranges::any_of(by_outcome, is_wide);
}

GivenMatrices given_matrices(py::handle transitions, py::handle amounts) {
  require(!is_sparse(transitions),
          "transitions is a single matrix; accepted: a list with one matrix per action");
  GivenMatrices given{.transitions = matrices_of(transitions)};
  require(!given.transitions.empty(), "transitions is empty; accepted: one matrix per action");
  given.states = shape_of(given.transitions.front()).first;
  const std::size_t actions = given.transitions.size();
  for (const py::object& matrix : given.transitions)
    check_square(matrix, given.states, "transitions");
  given.by_row = amounts_by_row(amounts, given.states, actions);
  if (given.by_row) return given;
  given.by_outcome = matrices_of(amounts);
  require(given.by_outcome.size() == actions,
          "{} matrices of amounts; accepted: one for each of {} actions", given.by_outcome.size(),
          actions);
  for (py::object& matrix : given.by_outcome) {
    check_square(matrix, given.states, "amounts");
    matrix = canonical(matrix);
  }
  return given;
}

namespace {

/// Costs: one number per state and action, or one matrix per action.
template <class Index>
struct Amounts {
  Doubles by_row;  ///< N × A; empty if there are matrices
  std::vector<Csr<Index>> by_outcome;

  bool vary_with_outcome() const { return !by_outcome.empty(); }
};

/// Appends the costs of the entries `next` of a row. `amounts` must be sorted; outcomes that they
/// do not list cost 0.
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

/// Invalid ids, including negative ones, stay invalid, so that Mdp::build reports them.
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

/// Interleaves the rows of all matrices state by state.
template <class Index>
class Layout {
 public:
  Layout(std::vector<Csr<Index>> transitions, Amounts<Index> amounts, std::size_t states,
         io::Sense sense)
      : transitions_(std::move(transitions)),
        amounts_(std::move(amounts)),
        states_(states),
        sense_(sense) {}

  /// Does not need the interpreter lock.
  GroupedTable table() const {
    GroupedTable table = outline();
    Outcomes& outcomes = table.outcomes;
    const std::size_t count = outcomes.row_begin.back();
    // One array per thread, appended in order, so that each page is touched once.
    detail::parallel_invoke({[&] {
                               outcomes.probability.reserve(count);
                               for_each_row([&](std::size_t, std::size_t, const Row<Index>& row) {
                                 outcomes.probability.insert(outcomes.probability.end(),
                                                             row.value.begin(), row.value.end());
                               });
                             },
                             [&] {
                               outcomes.next.reserve(count);
                               for_each_row([&](std::size_t, std::size_t, const Row<Index>& row) {
                                 for (const Index x : row.next)
                                   outcomes.next.push_back(state_of(x));
                               });
                             },
                             [&] {
                               outcomes.cost.reserve(count);
                               for_each_row(
                                   [&](std::size_t x, std::size_t a, const Row<Index>& row) {
                                     append_cost(x, a, row, outcomes.cost);
                                   });
                             }});
    return table;
  }

 private:
  /// The actions of each state and the number of outcomes of each action.
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

template <class Index>
std::vector<Csr<Index>> csr_of_all(const std::vector<py::object>& matrices, std::size_t states) {
  std::vector<Csr<Index>> result;
  result.reserve(matrices.size());
  for (const py::object& matrix : matrices) result.push_back(csr_of<Index>(matrix, states));
  return result;
}

template <class Index>
Mdp build(const GivenMatrices& given, io::Sense sense) {
  const Layout<Index> layout(
      csr_of_all<Index>(given.transitions, given.states),
      {given.by_row.value_or(Doubles()), csr_of_all<Index>(given.by_outcome, given.states)},
      given.states, sense);
  return without_interpreter([&] { return Mdp::build(layout.table()); });
}

}  // namespace

io::LoadedModel model_of_matrices(py::handle transitions, py::handle amounts, io::Sense sense) {
  const GivenMatrices given = given_matrices(transitions, amounts);
  return {given.are_wide() ? build<std::int64_t>(given, sense) : build<std::int32_t>(given, sense),
          sense};
}

}  // namespace shortfall::python
