#include "tests/fuzz/models.hpp"

#include <algorithm>
#include <cmath>

#include "shortfall/risk/compensated_sum.hpp"
#include "tests/formats/inventory_for_tests.hpp"
#include "tests/fuzz/reader.hpp"

namespace shortfall::fuzz {
namespace {

Mdp make_small_model() {
  TransitionTable table;
  table.state_base = 1;
  table.action_base = 1;
  table.add(0, 0, 1, Probability(0.5), 3.25);
  table.add(0, 0, 0, Probability(0.5), -1.0);
  table.add(0, 1, 2, Probability(1.0), 100.0);
  table.add(1, 0, 0, Probability(0.25), 0.0);
  table.add(1, 0, 2, Probability(0.75), 7.0);
  return Mdp::build(std::move(table));
}

}  // namespace

const Mdp& small_model() {
  static const Mdp model = make_small_model();
  return model;
}

const io::InventoryConfiguration& small_inventory() {
  static const io::InventoryConfiguration configuration =
      io::InventoryToml(io::small_inventory, "small").configuration();
  return configuration;
}

void expect_model(const Mdp& model) {
  const Outcomes& outcomes = model.outcomes();
  expect(model.states() > 0 && outcomes.size() > 0, "a model has states and outcomes");
  for (std::size_t r = 0; r < outcomes.rows(); ++r) {
    const Outcomes::Row row = outcomes.row(r);
    expect(std::abs(compensated_sum(row.probability) - 1.0) <= rescaled_tolerance,
           "the probabilities of a row sum to one");
    expect(std::ranges::all_of(row.probability, [](double p) { return p > 0.0 && p <= 1.0; }),
           "probabilities are in (0, 1]");
    expect(std::ranges::all_of(row.cost, [](double c) { return std::isfinite(c); }),
           "costs are finite");
    expect(std::ranges::all_of(row.next, [&](StateIndex y) { return y < model.states(); }),
           "next states are states of the model");
  }
}

bool is_same(const Mdp& a, const Mdp& b) {
  const Outcomes& x = a.outcomes();
  const Outcomes& y = b.outcomes();
  return a.state_begin() == b.state_begin() && a.actions_of_rows() == b.actions_of_rows() &&
         a.state_base() == b.state_base() && a.action_base() == b.action_base() &&
         x.row_begin == y.row_begin && x.next == y.next && x.cost == y.cost &&
         x.probability == y.probability && x.cost_error == y.cost_error &&
         x.probability_error == y.probability_error;
}

}  // namespace shortfall::fuzz
