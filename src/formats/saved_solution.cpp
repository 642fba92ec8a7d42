#include "shortfall/formats/saved_solution.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "checkpoint/sealed_file.hpp"
#include "errors/require.hpp"
#include "formats/plan_identity.hpp"
#include "shortfall/checkpoint/checkpoint.hpp"
#include "text/text.hpp"

namespace shortfall::io {
namespace {

constexpr SealedFormat solution_format{
    .first_line = "shortfall inventory solution\n",
    .name = "saved solution",
    .accepted = "a file written by: shortfall inventory solve PLAN.toml --save FILE",
    .version = solution_version};

void write_parts(StateWriter& state, const std::vector<PlanPart>& parts) {
  state(std::uint64_t{parts.size()});
  for (const PlanPart& part : parts) {
    state(part.name);
    state(part.text);
    state(part.numbers);
  }
}

/// A list whose length the file gives.
template <class T>
std::vector<T> read_list(StateReader& state, std::uint64_t size) {
  state.expect(size > (std::uint64_t{1} << 60) ? size : size * sizeof(T));
  std::vector<T> list(size);
  for (T& number : list) state(number);
  return list;
}

std::vector<PlanPart> read_parts(StateReader& state) {
  std::uint64_t count = 0;
  state(count);
  state.expect(count);
  std::vector<PlanPart> parts(count);
  for (PlanPart& part : parts) {
    state(part.name);
    state(part.text);
    std::uint64_t size = 0;
    state(size);
    part.numbers = read_list<double>(state, size);
  }
  return parts;
}

/// The bytes of an existing file.
std::string read_solution_file(const std::string& path) {
  std::optional<Sealed> sealed = read_sealed(path, solution_format);
  if (!sealed) reject({.file = path}, "there is no such file", solution_format.accepted);
  return std::move(sealed->bytes);
}

/// Reads what follows the plan and precedes the values.
void read_outcome(StateReader& state, Status& status, double& error_bound, int& iterations) {
  std::int64_t count = 0;
  state(status);
  state(error_bound);
  state(count);
  state.check([&] {
    require(is_success(status) && error_bound >= 0.0 && count >= 0 &&
                count <= std::numeric_limits<int>::max(),
            "a status, error bound or number of iterations is out of range; accepted: those of "
            "solve()");
  });
  iterations = static_cast<int>(count);
}

void check_values(std::span<const double> values) {
  require(std::ranges::all_of(values, [](double v) { return std::isfinite(v); }),
          "a value is not finite; accepted: those of solve()");
}

void check_unchanged(const std::string& path, const std::vector<PlanPart>& solved,
                     const InventoryConfiguration& plan, OptionStyle style) {
  const std::vector<std::string> found = changes(solved, plan_parts(plan));
  if (found.empty()) return;
  constexpr std::size_t most = 3;
  const std::span shown = std::span(found).first(std::min(found.size(), most));
  reject({.file = path},
         fmt::format("the plan has changed since it was solved: {}{}", fmt::join(shown, "; "),
                     found.size() > most ? fmt::format("; and {} more", found.size() - most) : ""),
         style == OptionStyle::argument ? "the plan that was solved, or a new solution"
                                        : "the plan that was solved, or a new solve --save");
}

}  // namespace

void write_solution(const std::string& path, const InventoryConfiguration& plan,
                    const Solution& solution) {
  const std::size_t states = plan.model.states();
  require(plan.criterion.loss.to_string() != "custom",
          "a loss that is a function cannot be saved; accepted: a loss by name");
  require(is_success(solution.status), "a solution that is {}; accepted: converged or small-change",
          to_string(solution.status));
  require(solution.values.size() == states && solution.policy.size() == states,
          "a solution of {} states for a plan of {}; accepted: the solution of the plan",
          solution.values.size(), states);
  StateWriter state;
  write_parts(state, plan_parts(plan));
  state(solution.status);
  state(solution.error_bound);
  state(std::int64_t{solution.iterations});
  state(solution.values);
  state(solution.policy);
  write_sealed(path, solution_format, state.bytes());
}

Solution read_solution(const std::string& path, const InventoryConfiguration& plan,
                       OptionStyle style) {
  const std::string bytes = read_solution_file(path);
  StateReader state(path, bytes);
  check_unchanged(path, read_parts(state), plan, style);
  Solution solution;
  read_outcome(state, solution.status, solution.error_bound, solution.iterations);
  const std::uint64_t states = plan.model.states();
  state.expect(states * (sizeof(double) + sizeof(ActionIndex)));
  solution.values.resize(states);
  solution.policy.resize(states);
  state(solution.values, "values");
  state(solution.policy, "orders");
  state.finish();
  state.check([&] {
    plan.model.check_orders(solution.policy);
    check_values(solution.values);
  });
  return solution;
}

SolutionSummary summarise_solution(const std::string& path) {
  const std::string bytes = read_solution_file(path);
  StateReader state(path, bytes);
  SolutionSummary summary;
  constexpr std::size_t most_numbers = 14;
  for (const PlanPart& part : read_parts(state)) {
    const std::size_t count = part.numbers.size();
    const std::string numbers = count > most_numbers
                                    ? fmt::format("{} numbers", count)
                                    : fmt::format("{}", fmt::join(part.numbers, ", "));
    summary.plan.emplace_back(part.name, part.text.empty() ? numbers : part.text);
  }
  read_outcome(state, summary.status, summary.error_bound, summary.iterations);
  state(summary.states);
  const auto values = read_list<double>(state, summary.states);
  std::uint64_t orders_count = 0;
  state(orders_count);
  const auto orders = read_list<ActionIndex>(state, orders_count);
  state.finish();
  state.check([&] {
    require(!values.empty() && orders.size() == values.size(),
            "{} values and {} orders; accepted: one of each for every state", values.size(),
            orders.size());
    check_values(values);
    require(std::ranges::min(orders) >= 0, "an order is negative; accepted: 0 or more");
  });
  summary.value_at_empty = values.front();
  summary.order_at_empty = orders.front();
  return summary;
}

}  // namespace shortfall::io
