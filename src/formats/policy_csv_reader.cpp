#include "shortfall/formats/policy_csv.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/checksum.hpp"
#include "files/line_windows.hpp"
#include "formats/policy_csv_part.hpp"
#include "formats/rows.hpp"
#include "shortfall/formats/read_options.hpp"
#include "text/csv.hpp"

namespace shortfall::io {
namespace {

constexpr std::size_t first_row_line = 2;

namespace column {
enum : std::size_t { state, action, probability };
constexpr std::array<std::string_view, 3> names = {"idstate", "idaction", "probability"};
}  // namespace column

constexpr HeaderRule header_rule{
    .known = column::names,
    .required = 2,
    .accepted = "idstate,idaction or idstate,idaction,probability, in any order"};

/// A row as in the file: ids with their bases.
struct Row {
  std::uint32_t state = 0;
  std::uint32_t action = 0;
  double probability = 0.0;
};

template <class Text>
bool read_row(Text& text, const Header& header, Row& row) {
  constexpr std::uint32_t largest_state = std::numeric_limits<StateIndex>::max();
  constexpr std::uint32_t largest_action = std::numeric_limits<ActionIndex>::max();
  for (const std::size_t name : header.columns) {
    if (!text.next_field()) return false;
    if (!(name == column::state    ? text.id(row.state, largest_state)
          : name == column::action ? text.id(row.action, largest_action)
                                   : text.probability(row.probability))) {
      return false;
    }
  }
  return text.line_end();
}

enum class Kind { deterministic, randomised };

/// The policy of some states as far as it was read, and the lines it comes from.
class PolicyRows {
 public:
  PolicyRows(const StatesOfModel& states, std::string_view file, Kind kind)
      : states_(states), model_(states.rows), file_(file), line_of_state_(model_.states()) {
    if (kind == Kind::deterministic) {
      policy_.assign(model_.states(), no_action);
    } else {
      weight_.resize(model_.outcomes().rows());
      line_of_row_.resize(weight_.size());
    }
  }

  void set_only(const Row& row, std::size_t line) {
    const auto x = state_of(row, line);
    if (!x) return;
    reject_repeated(line_of_state_[*x], line, "one row per state");
    policy_[*x] = model_.action_of_row(row_of(*x, row, line));
    line_of_state_[*x] = line;
  }

  void set_one_of(const Row& row, std::size_t line) {
    const auto x = state_of(row, line);
    if (!x) return;
    const std::size_t r = row_of(*x, row, line);
    reject_repeated(line_of_row_[r], line, "one row for each state and action");
    weight_[r] = row.probability;
    line_of_row_[r] = line;
    if (line_of_state_[*x] == 0) line_of_state_[*x] = line;
  }

  Policy take_policy() {
    for (std::size_t x = 0; x < model_.states(); ++x) check_has_row(x);
    return std::move(policy_);
  }

  /// Throws InvalidInput unless the weights of each non-terminal state sum to one.
  RandomisedPolicy take_weights() {
    for (std::size_t x = 0; x < model_.states(); ++x) {
      check_has_row(x);
      if (model_.is_terminal(x)) continue;
      double sum = 0.0;
      for (std::size_t r = model_.state_begin()[x]; r < model_.state_begin()[x + 1]; ++r) {
        sum += weight_[r];
      }
      if (std::abs(sum - 1.0) <= probability_tolerance) continue;
      reject(place(line_of_state_[x], column::probability),
             fmt::format("the probabilities of state {} sum to {}", id_of(x), sum),
             fmt::format("1 within {}", probability_tolerance));
    }
    return {std::move(weight_)};
  }

 private:
  Place place(std::size_t line, std::size_t name) const {
    return {file_, line, column::names[name]};
  }

  std::size_t id_of(std::size_t x) const { return x + states_.first + model_.state_base(); }

  /// Nothing for a state of another part.
  std::optional<std::size_t> state_of(const Row& row, std::size_t line) const {
    const StateIndex base = model_.state_base();
    if (row.state < base || row.state - base >= states_.total) {
      reject(place(line, column::state), fmt::format("found {}", row.state),
             fmt::format("a state of the model, {} to {}", base, base + states_.total - 1));
    }
    const std::size_t x = row.state - base;
    if (x < states_.first || x - states_.first >= model_.states()) return std::nullopt;
    if (model_.is_terminal(x - states_.first)) {
      reject(place(line, column::state), fmt::format("state {} is terminal", row.state),
             "rows of states that have actions");
    }
    return x - states_.first;
  }

  std::size_t row_of(std::size_t x, const Row& row, std::size_t line) const {
    const auto r = model_.find_row(x, static_cast<ActionIndex>(row.action) - model_.action_base());
    if (r) return *r;
    std::string actions = fmt::format("an action of state {}:", row.state);
    for (std::size_t k = model_.state_begin()[x]; k < model_.state_begin()[x + 1]; ++k) {
      actions += fmt::format("{} {}", actions.back() == ':' ? "" : ",",
                             model_.action_of_row(k) + model_.action_base());
    }
    reject(place(line, column::action), fmt::format("found {}", row.action), actions);
  }

  void reject_repeated(std::size_t line_before, std::size_t line, std::string_view accepted) const {
    if (line_before == 0) return;
    reject({file_, line}, fmt::format("this repeats line {}", line_before), accepted);
  }

  void check_has_row(std::size_t x) const {
    if (model_.is_terminal(x) || line_of_state_[x] != 0) return;
    reject({file_}, fmt::format("state {} has no row", id_of(x)),
           "a row for each non-terminal state");
  }

  const StatesOfModel& states_;
  const Mdp& model_;
  std::string_view file_;
  Policy policy_;                           // of one kind
  std::vector<double> weight_;              // of the other, by row of the model
  std::vector<std::size_t> line_of_row_;    // of that, too; 0: none yet
  std::vector<std::size_t> line_of_state_;  // its first
};

/// `rows` counts those that were read, also if an exception ends the reading.
PolicyPart read_part(const std::string& path, const StatesOfModel& states, std::size_t& rows) {
  LineWindows file(path, chunks_per_window * ReadOptions().chunk_bytes);
  const Place first_line{file.name(), 1};
  std::string_view window = file.next();
  PolicyPart part{.policy = {}, .identity = {window.size(), checksum(window)}};
  const Header header = read_header(take_line(window, first_line), first_line, header_rule);
  const bool randomised = header.has(column::probability);
  PolicyRows policy(states, file.name(), randomised ? Kind::randomised : Kind::deterministic);
  const auto read = [&](auto& text, Row& row) { return read_row(text, header, row); };
  const auto store = [&](std::size_t i, const Row& row) {
    const std::size_t line = i + first_row_line;
    randomised ? policy.set_one_of(row, line) : policy.set_only(row, line);
    rows = i + 1;
  };
  const RowContext context{file.name(), header, first_row_line};
  do {
    for_each_row<Row>({.text = window, .first_row = rows}, context, read, store);
    window = file.next();
    part.identity[0] += window.size();
    part.identity[1] = checksum(window, static_cast<std::uint32_t>(part.identity[1]));
  } while (!window.empty());
  if (randomised) {
    part.policy = policy.take_weights();
  } else {
    part.policy = policy.take_policy();
  }
  return part;
}

}  // namespace

PolicyPart read_policy_part(const std::string& path, const StatesOfModel& states) {
  std::size_t rows = 0;
  try {
    return read_part(path, states, rows);
  } catch (const InvalidInput& error) {
    throw InvalidPolicy(error.what(), rows);
  }
}

std::variant<Policy, RandomisedPolicy> read_policy_csv(const std::string& path, const Mdp& model) {
  return read_policy_part(path, {model, 0, model.states()}).policy;
}

}  // namespace shortfall::io
