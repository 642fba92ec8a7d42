#include "studies/averager_problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <pcg_random.hpp>
#include <utility>

#include "shortfall/mdp/random_streams.hpp"
#include "shortfall/mdp/stationary.hpp"
#include "shortfall/portable_math.hpp"

namespace shortfall::studies {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

double uniform_number(pcg64& bits, double from, double to) {
  return from + (to - from) * std::ldexp(static_cast<double>(bits() >> 11), -53);
}

std::size_t uniform_count(pcg64& bits, std::size_t from, std::size_t to) {
  return from + static_cast<std::size_t>(bits() % (to - from + 1));
}

/// A step to the right from every state, round the end, and a loop in the first make it ergodic.
Chain draw_chain(pcg64& bits, std::size_t states) {
  const bool local = bits() % 2 == 0;
  Outcomes outcomes;
  for (std::size_t x = 0; x < states; ++x) {
    std::vector<std::size_t> next{(x + 1) % states};
    if (x == 0) next.push_back(0);
    for (std::size_t more = uniform_count(bits, 0, 3); more > 0; --more) {
      const std::size_t by = local ? uniform_count(bits, 0, 4) : uniform_count(bits, 0, states - 1);
      next.push_back(local ? std::clamp<std::size_t>(x + by, 2, states + 1) - 2 : by);
    }
    const double of_state = uniform_number(bits, -1.0, 1.0);
    double sum = 0.0;
    const std::size_t begin = outcomes.size();
    for (const std::size_t y : next) {
      outcomes.probability.push_back(uniform_number(bits, 0.05, 1.0));
      outcomes.cost.push_back(of_state + uniform_number(bits, -0.5, 0.5));
      outcomes.next.push_back(static_cast<StateIndex>(y));
      sum += outcomes.probability.back();
    }
    for (std::size_t o = begin; o < outcomes.size(); ++o) outcomes.probability[o] /= sum;
    outcomes.row_begin.push_back(outcomes.size());
  }
  outcomes.sort_rows();
  return Chain(std::move(outcomes));
}

/// The weight of cell i at a point of [0, 1], before a row is divided by its sum.
double weight_at(std::string_view features, double point, Index i, Index cells, double width,
                 pcg64& bits) {
  const double grid = point * static_cast<double>(cells - 1);
  const double distance = std::abs(grid - static_cast<double>(i));
  if (features == "hats") return std::max(0.0, 1.0 - distance);
  if (features == "radial") return portable::exp(-0.5 * distance * distance / (width * width));
  if (features == "stochastic") return -portable::log1p(-uniform_number(bits, 0.0, 1.0));
  const auto group = static_cast<Index>(point * static_cast<double>(cells));
  return std::min(group, cells - 1) == i ? 1.0 : 0.0;
}

MatrixXd draw_features(pcg64& bits, std::string_view features, Index states) {
  const auto cells =
      static_cast<Index>(uniform_count(bits, 2, std::min<std::size_t>(5, std::size_t(states) / 2)));
  const double width = uniform_number(bits, 0.4, 1.2);  // in distances of the grid
  MatrixXd phi(states, cells);
  for (Index x = 0; x < states; ++x) {
    const double point = static_cast<double>(x) / static_cast<double>(states - 1);
    for (Index i = 0; i < cells; ++i) {
      phi(x, i) = weight_at(features, point, i, cells, width, bits);
    }
    phi.row(x) /= phi.row(x).sum();
  }
  return phi;
}

}  // namespace

AveragerProblem averager_problem(std::string_view features, std::uint64_t seed,
                                 std::uint64_t model) {
  pcg64 bits = stream_generator(seed, model);
  const std::size_t states = uniform_count(bits, 6, 14);
  Chain chain = draw_chain(bits, states);
  std::vector<double> q = stationary_law(chain).probability;
  MatrixXd phi = draw_features(bits, features, static_cast<Index>(states));
  return {std::move(chain), std::move(q), std::move(phi)};
}

}  // namespace shortfall::studies
