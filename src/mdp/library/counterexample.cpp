#include "shortfall/mdp/library/counterexample.hpp"

#include <cmath>
#include <utility>

#include "errors/require.hpp"

namespace shortfall::library {

Counterexample counterexample(double p, DeltaRoot root) {
  require(p > 0.0 && p <= 1.0,
          "counterexample: the probability p of a change of state is {}; accepted: a "
          "number in (0, 1]",
          p);
  TransitionTable table;
  for (const StateIndex x : {StateIndex{0}, StateIndex{1}}) {
    table.add(x, 0, x, Probability(1.0 - p), 0.0);
    table.add(x, 0, 1 - x, Probability(p), 0.0);
  }
  const double sign = root == DeltaRoot::larger ? 1.0 : -1.0;
  Eigen::MatrixXd features(2, 1);
  features << 1.0, (891.0 + sign * std::sqrt(465917.0)) / 182.0;
  return {Mdp::build(std::move(table)), Expectile(10.0 / 11.0), 0.9, std::move(features)};
}

}  // namespace shortfall::library
