#include <algorithm>

#include "benchmarks/peer_structures.hpp"
#include "benchmarks/random_structure.hpp"

namespace shortfall::benchmarks::structures {
namespace {

/// A row of `count` outcomes with random weights and costs; `successor(j)` is the j-th next state.
template <class Successor>
void add_random_row(GroupedBuilder& builder, UniformDraws& draws, std::size_t count,
                    const Successor& successor) {
  for (std::size_t j = 0; j < count; ++j) {
    const std::size_t next = successor(j);
    const double weight = draws.unit() + 1e-3;
    builder.add(next, weight, draws.unit());
  }
  builder.end_row();
}

/// A state between x - reach and x + reach, on a circle of n states.
std::size_t nearby(UniformDraws& draws, std::size_t x, std::size_t reach, std::size_t n) {
  return (x + n - reach % n + draws.below(2 * reach + 1)) % n;
}

struct Shape {
  std::size_t states;
  std::size_t actions;
  std::size_t successors;
};

Mdp random_successors(const Shape& shape, std::uint64_t stream) {
  GroupedBuilder builder;
  UniformDraws draws(stream);
  for (std::size_t x = 0; x < shape.states; ++x) {
    for (std::size_t a = 0; a < shape.actions; ++a) {
      add_random_row(builder, draws, shape.successors,
                     [&](auto) { return draws.below(shape.states); });
    }
    builder.end_state();
  }
  return builder.build();
}

Mdp nearby_successors(const Shape& shape, std::size_t reach, std::uint64_t stream) {
  GroupedBuilder builder;
  UniformDraws draws(stream);
  for (std::size_t x = 0; x < shape.states; ++x) {
    for (std::size_t a = 0; a < shape.actions; ++a) {
      add_random_row(builder, draws, shape.successors,
                     [&](auto) { return nearby(draws, x, reach, shape.states); });
    }
    builder.end_state();
  }
  return builder.build();
}

constexpr std::array<std::size_t, 3> wide_states{1000, 10000, 16000};
constexpr std::array<std::size_t, 3> narrow_states{2000, 20000, 300000};

}  // namespace

Mdp wide_random(ModelSize size) {
  return random_successors({of_size(wide_states, size), 6, 100}, 1);
}
Mdp wide_nearby(ModelSize size) {
  return nearby_successors({of_size(wide_states, size), 6, 100}, 100, 2);
}
Mdp narrow_random(ModelSize size) {
  return random_successors({of_size(narrow_states, size), 4, 8}, 3);
}
Mdp narrow_nearby(ModelSize size) {
  return nearby_successors({of_size(narrow_states, size), 4, 8}, 10, 4);
}

Mdp dense(ModelSize size) {
  const std::size_t states = of_size({150, 500, 1550}, size);
  GroupedBuilder builder;
  UniformDraws draws(5);
  for (std::size_t x = 0; x < states; ++x) {
    for (std::size_t a = 0; a < 4; ++a)
      add_random_row(builder, draws, states, [](std::size_t j) { return j; });
    builder.end_state();
  }
  return builder.build();
}

Mdp episodes(ModelSize size) {
  const std::size_t states = of_size({3000, 30000, 300000}, size);
  GroupedBuilder builder;
  UniformDraws draws(9);
  for (std::size_t x = 0; x < states; ++x) {
    for (std::size_t a = 0; a < (x % 100 == 99 ? 0 : 4); ++a)
      add_random_row(builder, draws, 8, [&](auto) { return nearby(draws, x, 20, states); });
    builder.end_state();
  }
  return builder.build();
}

Mdp uneven_rows(ModelSize size) {
  const std::size_t states = of_size({2600, 26000, 250000}, size);
  GroupedBuilder builder;
  UniformDraws draws(10);
  for (std::size_t x = 0; x < states; ++x) {
    for (std::size_t a = 0; a < 4; ++a) {
      const auto count = static_cast<std::size_t>(std::min(5000.0, 1.0 / (1.0 - draws.unit())));
      add_random_row(builder, draws, count, [&](auto) { return draws.below(states); });
    }
    builder.end_state();
  }
  return builder.build();
}

Mdp one_action(ModelSize size) {
  return nearby_successors({of_size({10000, 100000, 1000000}, size), 1, 10}, 10, 11);
}

Mdp periodic(ModelSize size) {
  const std::size_t states = of_size({4000, 40000, 400000}, size);
  constexpr std::size_t period = 10;
  GroupedBuilder builder;
  UniformDraws draws(12);
  for (std::size_t x = 0; x < states; ++x) {
    const std::size_t class_of_next = (x + 1) % period;
    const double toll = static_cast<double>(x % period) / period;
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t j = 0; j < 8; ++j) {
        const std::size_t next = class_of_next + period * draws.below(states / period);
        const double weight = draws.unit() + 1e-3;
        builder.add(next, weight, 0.5 * (toll + draws.unit()));
      }
      builder.end_row();
    }
    builder.end_state();
  }
  return builder.build();
}

}  // namespace shortfall::benchmarks::structures
