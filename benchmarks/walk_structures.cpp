#include <algorithm>
#include <utility>
#include <vector>

#include "benchmarks/peer_structures.hpp"
#include "benchmarks/random_structure.hpp"

namespace shortfall::benchmarks::structures {

Mdp grid(ModelSize size) {
  const std::size_t side = of_size({100, 300, 900}, size);
  UniformDraws draws(6);
  std::vector<double> toll(side * side);
  for (double& t : toll) t = draws.unit();
  const auto step = [side](std::size_t x, std::size_t direction) {
    const std::size_t column = x % side;
    const std::size_t row = x / side;
    switch (direction % 4) {
      case 0:
        return column + 1 < side ? x + 1 : x;
      case 1:
        return row + 1 < side ? x + side : x;
      case 2:
        return column > 0 ? x - 1 : x;
      default:
        return row > 0 ? x - side : x;
    }
  };
  GroupedBuilder builder;
  for (std::size_t x = 0; x < side * side; ++x) {
    for (std::size_t a = 0; a < 4; ++a) {
      for (const auto& [turn, probability] : {std::pair{0, 0.8}, {1, 0.1}, {3, 0.1}}) {
        const std::size_t next = step(x, a + static_cast<std::size_t>(turn));
        builder.add(next, probability, toll[next]);
      }
      builder.end_row();
    }
    builder.end_state();
  }
  return builder.build();
}

Mdp queue(ModelSize size) {
  const std::size_t states = of_size({7000, 70000, 650000}, size);
  GroupedBuilder builder;
  for (std::size_t x = 0; x < states; ++x) {
    const double waiting = static_cast<double>(x) / static_cast<double>(states);
    for (int a = 1; a <= 5; ++a) {
      const double served = 0.1 * a;
      const double cost = waiting + 0.02 * a * a;
      builder.add(x > 0 ? x - 1 : 0, served, cost);
      builder.add(x, 0.6 - served, cost);
      builder.add(std::min(x + 1, states - 1), 0.4, cost);
      builder.end_row();
    }
    builder.end_state();
  }
  return builder.build();
}

Mdp ring_with_a_trap(ModelSize size) {
  const std::size_t states = of_size({10000, 100000, 1000000}, size);
  const std::size_t trap = states - 1;
  GroupedBuilder builder;
  UniformDraws draws(8);
  for (std::size_t x = 0; x < trap; ++x) {
    const double toll = draws.unit();
    for (std::size_t a = 1; a <= 3; ++a) {
      const double danger = 1e-5 * static_cast<double>(a * a);
      builder.add((x + a - 1) % trap, 0.2, toll);
      builder.add((x + a) % trap, 0.8 - danger, toll);
      builder.add(trap, danger, toll);
      builder.end_row();
    }
    builder.end_state();
  }
  builder.add(trap, 1.0, 1.0);
  builder.end_row();
  builder.end_state();
  return builder.build();
}

}  // namespace shortfall::benchmarks::structures
