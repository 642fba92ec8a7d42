#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "shortfall/inventory/train/train.hpp"
#include "tests/inventory/model/models_for_tests.hpp"

namespace shortfall::testing {

/// With γ = 0.6, as published.
inline Criterion expectile(double tau) {
  return {Expectile(tau), 0.6};
}

inline inventory::Model model_of(inventory::Arrival arrival, std::size_t capacity,
                                 std::vector<std::vector<double>> demand) {
  return inventory::Model({.capacity = capacity,
                           .max_order = {capacity},
                           .arrival = {std::move(arrival)},
                           .demand = std::move(demand),
                           .cost = {paper_costs}});
}

/// Seven days, the last two with little demand.
inline inventory::Model week_of(inventory::Arrival arrival, std::size_t capacity) {
  std::vector<std::vector<double>> demand;
  for (const double mean : {6.0, 6.0, 5.0, 6.0, 5.0, 2.0, 1.0}) {
    demand.push_back(inventory::poisson_demand(mean, 15));
  }
  return model_of(std::move(arrival), capacity, std::move(demand));
}

/// Few samples: the same code paths, and fast under sanitizers.
inline inventory::TrainingOptions few_samples(
    learn::Algorithm algorithm = learn::Algorithm::newton) {
  return {.algorithm = algorithm, .samples = 4'000, .trajectories = 4, .warmup = 200};
}

}  // namespace shortfall::testing
