#include "benchmarks/sparse_model.hpp"

#include <pcg_random.hpp>
#include <vector>

namespace shortfall::benchmarks {

Mdp sparse_model() {
  constexpr StateIndex states = 10000;
  constexpr ActionIndex actions = 6;
  constexpr int successors = 100;
  pcg64 random(1);
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1.0p-53; };
  TransitionTable table;
  std::vector<double> weight(successors);
  for (StateIndex x = 0; x < states; ++x) {
    for (ActionIndex a = 0; a < actions; ++a) {
      double sum = 0.0;
      for (double& w : weight) sum += w = unit();
      for (const double w : weight) {
        table.add(x, a, static_cast<StateIndex>(random() % states), Probability(w / sum),
                  10.0 * unit());
      }
    }
  }
  return Mdp::build(std::move(table));
}

}  // namespace shortfall::benchmarks
