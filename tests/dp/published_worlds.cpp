#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "tests/dp/published_constructors.hpp"

namespace shortfall::testing {
namespace {

/// A place on a grid whose states are numbered by row from the top.
struct Place {
  int row;
  int column;
};

/// One step up, right, down or left: actions 0 to 3.
Place step(Place from, int direction) {
  constexpr std::array<Place, 4> moves{{{-1, 0}, {0, 1}, {1, 0}, {0, -1}}};
  const Place& move = moves[static_cast<std::size_t>(direction % 4)];
  return {from.row + move.row, from.column + move.column};
}

bool is_on_grid(Place place, int rows, int columns) {
  return place.row >= 0 && place.row < rows && place.column >= 0 && place.column < columns;
}

Place step_on_grid(Place from, int direction, int rows, int columns) {
  const Place to = step(from, direction);
  return is_on_grid(to, rows, columns) ? to : from;
}

StateIndex number(Place place, int columns) {
  return static_cast<StateIndex>(columns * place.row + place.column);
}

/// F(x) = p F(2x) up to 1/2, p + (1-p) F(2x - 1) beyond, for x in hundredths. Each step reduces the
/// truncation error by 0.6. F(1/4) = 0.16, F(1/2) = 0.4, F(3/4) = 0.64.
double bold_play(int capital, int steps) {
  if (capital == 100) return 1.0;
  if (capital == 0 || steps == 0) return 0.0;
  return capital <= 50 ? 0.4 * bold_play(2 * capital, steps - 1)
                       : 0.4 + 0.6 * bold_play(2 * capital - 100, steps - 1);
}

}  // namespace

Mdp five_by_five() {
  TransitionTable table;
  for (StateIndex x = 0; x < 25; ++x) {
    const Place place{static_cast<int>(x) / 5, static_cast<int>(x) % 5};
    for (ActionIndex a = 0; a < 4; ++a) {
      if (x == number({0, 1}, 5)) {
        table.add(x, a, number({4, 1}, 5), Probability(1.0), -10.0);
      } else if (x == number({0, 3}, 5)) {
        table.add(x, a, number({2, 3}, 5), Probability(1.0), -5.0);
      } else {
        const double cost = is_on_grid(step(place, a), 5, 5) ? 0.0 : 1.0;
        table.add(x, a, number(step_on_grid(place, a, 5, 5), 5), Probability(1.0), cost);
      }
    }
  }
  return Mdp::build(std::move(table));
}

Mdp four_by_four() {
  TransitionTable table;
  for (StateIndex x = 1; x < 15; ++x) {
    const Place place{static_cast<int>(x) / 4, static_cast<int>(x) % 4};
    for (ActionIndex a = 0; a < 4; ++a) {
      table.add(x, a, number(step_on_grid(place, a, 4, 4), 4), Probability(1.0), 1.0);
    }
  }
  return Mdp::build(std::move(table));
}

Mdp frozen_lake() {
  constexpr std::string_view lake = "SFFFFHFHFFFHHFFG";
  TransitionTable table;
  for (StateIndex x = 0; x < 16; ++x) {
    if (lake[x] == 'H' || lake[x] == 'G') continue;
    const Place place{static_cast<int>(x) / 4, static_cast<int>(x) % 4};
    for (ActionIndex a = 0; a < 4; ++a) {
      for (const int turn : {0, 1, 3}) {
        const StateIndex next = number(step_on_grid(place, a + turn, 4, 4), 4);
        table.add(x, a, next, Probability(1 / 3.), lake[next] == 'G' ? -1.0 : 0.0);
      }
    }
  }
  return Mdp::build(std::move(table));
}

Mdp four_by_three_world() {
  constexpr StateIndex wall = 5;
  constexpr StateIndex good_exit = 3;
  constexpr StateIndex bad_exit = 7;
  const auto without_wall = [](StateIndex x) { return x > wall ? x - 1 : x; };
  TransitionTable table;
  for (StateIndex x = 0; x < 12; ++x) {
    if (x == wall || x == good_exit || x == bad_exit) continue;
    const Place place{static_cast<int>(x) / 4, static_cast<int>(x) % 4};
    for (ActionIndex a = 0; a < 4; ++a) {
      for (const auto& [turn, p] : {std::pair(0, 0.8), std::pair(1, 0.1), std::pair(3, 0.1)}) {
        StateIndex next = number(step_on_grid(place, a + turn, 3, 4), 4);
        if (next == wall) next = x;
        const double exit = next == good_exit ? 1.0 : next == bad_exit ? -1.0 : 0.0;
        table.add(without_wall(x), a, without_wall(next), Probability(p), 0.04 - exit);
      }
    }
  }
  return Mdp::build(std::move(table));
}

Mdp random_walk() {
  TransitionTable table;
  for (StateIndex x = 1; x <= 5; ++x) {
    table.add(x, 0, x - 1, Probability(0.5), 0.0);
    table.add(x, 0, x + 1, Probability(0.5), x == 5 ? -1.0 : 0.0);
  }
  return Mdp::build(std::move(table));
}

Mdp gamblers_problem() {
  TransitionTable table;
  for (StateIndex capital = 1; capital < 100; ++capital) {
    for (StateIndex stake = 1; stake <= std::min(capital, 100 - capital); ++stake) {
      const auto a = static_cast<ActionIndex>(stake - 1);
      table.add(capital, a, capital + stake, Probability(0.4), capital + stake == 100 ? -1.0 : 0.0);
      table.add(capital, a, capital - stake, Probability(0.6), 0.0);
    }
  }
  return Mdp::build(std::move(table));
}

std::vector<double> gamblers_values() {
  std::vector<double> values(1, 0.0);
  for (int capital = 1; capital < 100; ++capital) values.push_back(bold_play(capital, 60));
  values.push_back(0.0);
  return values;
}

Mdp cliff_walking() {
  constexpr StateIndex start = 36;
  constexpr StateIndex goal = 37;
  TransitionTable table;
  for (StateIndex x = 0; x <= start; ++x) {
    const Place place{static_cast<int>(x) / 12, static_cast<int>(x) % 12};
    for (ActionIndex a = 0; a < 4; ++a) {
      const Place to = step_on_grid(place, a, 4, 12);
      const bool falls = to.row == 3 && to.column > 0 && to.column < 11;
      const StateIndex next = to.row < 3 ? number(to, 12) : to.column == 11 ? goal : start;
      table.add(x, a, next, Probability(1.0), falls ? 100.0 : 1.0);
    }
  }
  return Mdp::build(std::move(table));
}

std::vector<double> cliff_values() {
  std::vector<double> values;
  for (int x = 0; x < 36; ++x) {
    const int row = x / 12;
    values.push_back(11 - x % 12 + 3 - row);
  }
  values.push_back(13.0);
  values.push_back(0.0);
  return values;
}

}  // namespace shortfall::testing
