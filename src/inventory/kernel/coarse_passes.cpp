#include "inventory/kernel/coarse_passes.hpp"

#include <limits>

namespace shortfall::inventory {
namespace {

constexpr double no_change_yet = std::numeric_limits<double>::infinity();

}  // namespace

void settle_coarsely(Cycle& cycle, double change) {
  constexpr int max_passes = 100;
  constexpr int max_stalls = 3;
  int stalls = 0;
  double last_change = no_change_yet;
  for (int pass = 0; pass < max_passes && stalls < max_stalls; ++pass) {
    cycle.sweep_coarsely({.accuracy = 0.0, .max_passes = 1});
    if (cycle.is_stopped()) return;
    const CycleBound bound = cycle.bound();
    if (!bound.finite) return;
    cycle.advance(bound);
    if (bound.change <= change) return;
    if (bound.change > 0.95 * last_change) ++stalls;
    last_change = bound.change;
  }
}

void choose_orders_coarsely(Cycle& cycle, double change) {
  constexpr int max_rounds = 20;
  double last_change = no_change_yet;
  for (int round = 0; round < max_rounds; ++round) {
    cycle.improve_coarsely();
    if (cycle.is_stopped()) return;
    const CycleBound bound = cycle.bound();
    if (!bound.finite) return;
    cycle.advance(bound);
    if (bound.change <= change || is_slow(bound.change, last_change)) return;
    settle_coarsely(cycle, 3.0 * settled_part * bound.change);
    if (cycle.is_stopped()) return;
    last_change = bound.change;
  }
}

void improve_likely_orders_coarsely(Cycle& cycle, double tolerance) {
  constexpr int max_rounds = 20;
  constexpr double safety = 3.0;
  constexpr double part_of_roots = 1e-3;  // of the last change
  double accuracy = part_of_roots * coarse_accuracy * cycle.highest_cost() / settled_part;
  double last_error = no_change_yet;
  double last_change = no_change_yet;
  for (int round = 0; round < max_rounds; ++round) {
    cycle.improve(Cycle::Choice::likely, {.accuracy = accuracy, .max_passes = 100});
    if (cycle.is_stopped()) return;
    const CycleBound bound = cycle.bound();
    if (!bound.finite) return;
    cycle.advance(bound);
    if (bound.error <= 0.5 * tolerance || is_slow(bound.change, last_change)) return;
    settle_coarsely(cycle, settled_part * bound.change);
    if (cycle.is_stopped()) return;
    if (safety * bound.error * (bound.error / last_error) <= tolerance && round > 0) return;
    accuracy = part_of_roots * bound.change;
    last_error = bound.error;
    last_change = bound.change;
  }
}

}  // namespace shortfall::inventory
