#include "benchmarks/peer_models.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "benchmarks/grouped_builder.hpp"
#include "shortfall/error.hpp"

namespace shortfall::benchmarks {
namespace {

/// One number for each size.
using BySize = std::array<std::size_t, 3>;
std::size_t of_size(const BySize& numbers, ModelSize size) {
  return numbers[static_cast<std::size_t>(size)];
}

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

/// Successors from all states, or within `reach` of the state.
Mdp random_successors(const Shape& shape, std::uint64_t stream) {
  GroupedBuilder builder;
  UniformDraws draws(stream);
  for (std::size_t x = 0; x < shape.states; ++x) {
    for (std::size_t a = 0; a < shape.actions; ++a)
      add_random_row(builder, draws, shape.successors,
                     [&](auto) { return draws.below(shape.states); });
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

constexpr BySize wide_states{1000, 10000, 16000};
constexpr BySize narrow_states{2000, 20000, 300000};

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

/// A step in one of four directions, to a side with probability 0.2; walls hold it back. The cost
/// is that of the cell that is entered, so the best cell of a wide neighbourhood attracts.
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

/// Arrivals with probability 0.4, services with 0.1 to 0.5. Waiting costs up to 1, a faster service
/// more than a slower one.
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

/// Steps of 1, 2 or 3 around a ring. The longer the step, the more likely it ends in the last
/// state, which is never left and costs 1 per stage.
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

/// Steps to nearby states, of which every hundredth is terminal.
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

/// A row has at least m outcomes with probability 1/m, up to 5000.
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

/// Ten classes of states, visited in turn. A class has costs of its own, so the change of a sweep
/// goes around with the classes and never becomes the same in all states.
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

constexpr PeerModel all_peer_models[] = {
    {"wide-random", "6 actions, 100 successors among all states", wide_random},
    {"wide-nearby", "6 actions, 100 successors within 100", wide_nearby},
    {"narrow-random", "4 actions, 8 successors among all states", narrow_random},
    {"narrow-nearby", "4 actions, 8 successors within 10", narrow_nearby},
    {"dense", "4 actions, every state a successor", dense},
    {"grid", "4 directions, steps that slip", grid},
    {"queue", "5 rates of service, steps of one", queue},
    {"trap", "a ring with 3 speeds and a trap", ring_with_a_trap},
    {"episodes", "4 actions, every hundredth state terminal", episodes},
    {"uneven", "4 actions, rows of 1 to 5000 outcomes", uneven_rows},
    {"one-action", "1 action, 10 successors within 10", one_action},
    {"periodic", "3 actions, ten classes visited in turn", periodic}};

}  // namespace

std::span<const PeerModel> peer_models() {
  return all_peer_models;
}

const PeerModel& find_peer_model(std::string_view name) {
  std::string names;
  for (const PeerModel& model : all_peer_models) {
    if (model.name == name) return model;
    names += (names.empty() ? "" : ", ") + std::string(model.name);
  }
  throw InvalidInput("unknown model " + std::string(name) + "; accepted: " + names);
}

}  // namespace shortfall::benchmarks
