#include "shortfall/mdp/library/random_mdp.hpp"

#include <utility>
#include <vector>

#include "errors/require.hpp"
#include "mdp/library/parameters.hpp"
#include "shortfall/mdp/random_bits.hpp"

namespace shortfall::library {
namespace {

constexpr double cost_mean = 10.0;
constexpr double cost_deviation = 10.0;

Mdp random_model(const RandomMdpSize& size, pcg64& generator) {
  TransitionTable table;
  std::vector<double> weight(size.states);
  for (StateIndex x = 0; x < size.states; ++x) {
    for (std::uint32_t a = 0; a < size.actions; ++a) {
      double sum = 0.0;
      for (double& w : weight) sum += w = draw_uniform(generator);
      const double cost = cost_mean + cost_deviation * draw_normal(generator);
      for (StateIndex y = 0; y < size.states; ++y) {
        table.add(x, static_cast<ActionIndex>(a), y, Probability(weight[y] / sum), cost);
      }
    }
  }
  return Mdp::build(std::move(table));
}

/// Gram-Schmidt, each column twice, which makes the columns orthogonal to rounding (Giraud, Langou,
/// Rozložník, van den Eshof, Numerische Mathematik 101, 2005). Eigen's Householder QR would work as
/// well, at three times the compile time of this file.
Eigen::MatrixXd random_orthonormal(Eigen::Index rows, Eigen::Index columns, pcg64& generator) {
  Eigen::MatrixXd q(rows, columns);
  for (Eigen::Index j = 0; j < columns; ++j) {
    for (Eigen::Index i = 0; i < rows; ++i) q(i, j) = draw_normal(generator);
    for (int pass = 0; pass < 2; ++pass) {
      for (Eigen::Index k = 0; k < j; ++k) q.col(j) -= q.col(k).dot(q.col(j)) * q.col(k);
    }
    q.col(j).normalize();
  }
  return q;
}

}  // namespace

RandomMdp random_mdp(const RandomMdpSize& size, pcg64& generator) {
  check_count("random_mdp: the number of states", size.states, 1);
  check_count("random_mdp: the number of actions", size.actions, 1);
  check_count("random_mdp: the number of features", size.features, 1);
  require(size.features <= size.states,
          "random_mdp: {} features on {} states; accepted: at most one per state", size.features,
          size.states);
  Mdp model = random_model(size, generator);
  Policy policy(size.states);
  for (ActionIndex& action : policy) {
    action = static_cast<ActionIndex>(draw_index(generator, size.actions));
  }
  return {std::move(model), std::move(policy),
          random_orthonormal(size.states, size.features, generator)};
}

}  // namespace shortfall::library
