#include "shortfall/formats/saved_solution.hpp"

#include <cmath>
#include <string>

#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/models.hpp"
#include "tests/fuzz/reader.hpp"
#include "tests/fuzz/seals.hpp"

namespace shortfall::fuzz {
namespace {

void expect_solution(const Solution& solution) {
  const io::InventoryConfiguration& plan = small_inventory();
  plan.model.check_orders(solution.policy);
  const std::string copy = scratch_path();
  io::write_solution(copy, plan, solution);
  const Solution again = io::read_solution(copy, plan);
  expect(again.values == solution.values && again.policy == solution.policy &&
             again.error_bound == solution.error_bound && again.status == solution.status,
         "a solution that is written reads back");
}

void read_as_solution(const std::string& bytes) {
  const MemoryFile file(bytes);
  const std::string path = file.path();
  io::SolutionSummary summary;
  const bool shown = is_accepted(path, [&] { summary = io::summarise_solution(path); });
  if (shown) {
    expect(summary.states > 0, "a solution has states");
    expect(std::isfinite(summary.value_at_empty), "values are finite");
    expect(summary.error_bound >= 0.0 && summary.iterations >= 0 && summary.order_at_empty >= 0,
           "bounds, iterations and orders are nonnegative");
  }
  Solution solution;
  if (!is_accepted(path, [&] { solution = io::read_solution(path, small_inventory()); })) return;
  expect(shown, "what is read can be shown");
  expect_solution(solution);
}

}  // namespace

void read_saved_solution(std::string_view bytes) {
  read_as_solution(std::string(bytes));
  read_as_solution(resealed(bytes));
}

}  // namespace shortfall::fuzz
