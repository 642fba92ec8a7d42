#pragma once

#include "inventory/kernel/cycle.hpp"

/// Passes with coarse deliveries between exact ones. With T the exact operator and T~ the coarse
/// one, each round measures the correction c = T V - T~ V in one exact pass, and then finds the
/// fixed point of T~ + c, whose passes cost a tenth of an exact one at shelf life 8:
///
///   V ← fixed point of T~ + (T V - T~ V).
///
/// Its only fixed point is that of T. Exact passes alone reduce the error by a factor of two or
/// three; rounds reduce it by twenty or more, since T - T~ hardly depends on V. Nothing here is
/// certified: bounds come from exact passes, whatever the values that these begin with.
namespace shortfall::inventory {

/// How far coarse deliveries are trusted, as a part of the highest cost of a period: values from
/// uncorrected passes need not be settled further.
inline constexpr double coarse_accuracy = 5e-5;

/// The part of the last exact change that coarse passes may leave: less would be lost on the
/// difference between exact and coarse deliveries.
inline constexpr double settled_part = 0.01;

enum class Task { evaluate, improve };

/// Whether coarse passes save time, judging by the current orders. If these are small or rare, most
/// of the time of a pass is spent on the targets, coarse or not. Improving gains more, since it
/// tries larger orders.
inline bool coarse_passes_pay(const Cycle& cycle, Task task) {
  const double least_saving = task == Task::evaluate ? 8.0 : 2.5;
  return cycle.has_coarse_deliveries() && cycle.coarse_saving() >= least_saving;
}

/// Coarse passes of the current orders until their values are within `change` of settled, or stall.
void settle_coarsely(Cycle& cycle, double change);

/// Policy iteration with coarse deliveries and no correction, until all orders together would
/// change the values by at most `change`. It costs less than one exact pass over all orders.
void choose_orders_coarsely(Cycle& cycle, double change);

/// Exact improvements over the likely orders, each followed by coarse passes, until the next pass
/// should reach the tolerance, or progress is slow.
void improve_likely_orders_coarsely(Cycle& cycle, double tolerance);

/// The pace at which exact passes must reduce the bound for coarse ones to be worth it: at least
/// that of exact passes alone.
inline bool is_slow(double change, double last_change) {
  return change > 0.5 * last_change;
}

}  // namespace shortfall::inventory
