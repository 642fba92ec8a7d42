#include "shortfall/formats/policy_csv.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/input_file.hpp"
#include "formats/rows.hpp"
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

/// The weights found so far, one for each row of the model, and the lines they come from.
class Weights {
 public:
  Weights(const Mdp& model, std::string_view file)
      : model_(model),
        file_(file),
        weight_(model.outcomes().rows()),
        line_of_row_(model.outcomes().rows()),
        line_of_state_(model.states()) {}

  void set_only(const Row& row, std::size_t line) {
    const std::size_t x = state_of(row, line);
    reject_repeated(line_of_state_[x], line, "one row per state");
    set(x, row_of(x, row, line), 1.0, line);
  }

  void set_one_of(const Row& row, std::size_t line) {
    const std::size_t x = state_of(row, line);
    const std::size_t r = row_of(x, row, line);
    reject_repeated(line_of_row_[r], line, "one row for each state and action");
    set(x, r, row.probability, line);
  }

  /// All weights. Throws InvalidInput unless those of each non-terminal state sum to one.
  std::vector<double> take() {
    for (std::size_t x = 0; x < model_.states(); ++x) {
      if (model_.is_terminal(x)) continue;
      if (line_of_state_[x] == 0) {
        reject({file_}, fmt::format("state {} has no row", x + model_.state_base()),
               "a row for each non-terminal state");
      }
      double sum = 0.0;
      for (std::size_t r = model_.state_begin()[x]; r < model_.state_begin()[x + 1]; ++r) {
        sum += weight_[r];
      }
      if (std::abs(sum - 1.0) <= probability_tolerance) continue;
      reject(place(line_of_state_[x], column::probability),
             fmt::format("the probabilities of state {} sum to {}", x + model_.state_base(), sum),
             fmt::format("1 within {}", probability_tolerance));
    }
    return std::move(weight_);
  }

 private:
  Place place(std::size_t line, std::size_t name) const {
    return {file_, line, column::names[name]};
  }

  std::size_t state_of(const Row& row, std::size_t line) const {
    const StateIndex base = model_.state_base();
    if (row.state < base || row.state - base >= model_.states()) {
      reject(place(line, column::state), fmt::format("found {}", row.state),
             fmt::format("a state of the model, {} to {}", base, base + model_.states() - 1));
    }
    if (model_.is_terminal(row.state - base)) {
      reject(place(line, column::state), fmt::format("state {} is terminal", row.state),
             "rows of states that have actions");
    }
    return row.state - base;
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

  void set(std::size_t x, std::size_t r, double weight, std::size_t line) {
    weight_[r] = weight;
    line_of_row_[r] = line;
    if (line_of_state_[x] == 0) line_of_state_[x] = line;
  }

  const Mdp& model_;
  std::string_view file_;
  std::vector<double> weight_;
  std::vector<std::size_t> line_of_row_;    // 0: none yet
  std::vector<std::size_t> line_of_state_;  // its first
};

/// The deterministic policy with these weights, all 0 or 1.
Policy deterministic(const Mdp& model, const std::vector<double>& weight) {
  Policy policy(model.states(), no_action);
  for (std::size_t x = 0; x < model.states(); ++x) {
    for (std::size_t r = model.state_begin()[x]; r < model.state_begin()[x + 1]; ++r) {
      if (weight[r] > 0.0) policy[x] = model.action_of_row(r);
    }
  }
  return policy;
}

}  // namespace

std::variant<Policy, RandomisedPolicy> read_policy_csv(const std::string& path, const Mdp& model) {
  const InputFile file(path);
  const Place first_line{file.name(), 1};
  std::string_view body = file.text();
  const Header header = read_header(take_line(body, first_line), first_line, header_rule);
  const bool randomised = header.has(column::probability);
  Weights weights(model, file.name());
  for_each_row<Row>(
      {.text = without_blank_end(body)}, {file.name(), header, first_row_line},
      [&](auto& text, Row& row) { return read_row(text, header, row); },
      [&](std::size_t i, const Row& row) {
        const std::size_t line = i + first_row_line;
        randomised ? weights.set_one_of(row, line) : weights.set_only(row, line);
      });
  std::vector<double> weight = weights.take();
  if (randomised) return RandomisedPolicy{.weight = std::move(weight)};
  return deterministic(model, weight);
}

}  // namespace shortfall::io
