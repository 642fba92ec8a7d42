#include "studies/counterexample_chain.hpp"

#include <array>
#include <cstddef>

#include "shortfall/mdp/stationary.hpp"
#include "shortfall/theory/mean_field.hpp"

namespace shortfall::studies {

using library::DeltaRoot;

int sign_of_drift(double drift) {
  return drift > drift_rounding ? 1 : drift < -drift_rounding ? -1 : 0;
}

CounterexampleChain::CounterexampleChain(double probability, DeltaRoot delta)
    : p(probability),
      root(delta),
      example(library::counterexample(probability, delta)),
      chain(under_policy(example.model, {0, 0})),
      q(stationary_law(chain).probability) {}

std::string CounterexampleChain::root_name() const {
  return root == DeltaRoot::smaller ? "smaller" : "larger";
}

double CounterexampleChain::drift(double theta, double gamma) const {
  const theory::MeanField field(chain, example.loss, gamma, example.features, q);
  return field.drift(Eigen::VectorXd::Constant(1, theta))[0];
}

learn::PolynomialStep CounterexampleChain::steps(double factor) const {
  return learn::PolynomialStep(8.0 * factor / example.features.squaredNorm(), 1000.0);
}

std::vector<double> CounterexampleChain::expected_iterates(
    const std::vector<std::uint64_t>& record_at, double factor) const {
  struct Move {
    double probability;
    double growth;  ///< a(x, x')
  };
  std::array<std::array<Move, 2>, 2> moves{};
  for (std::size_t x = 0; x < 2; ++x) {
    const Outcomes::Row law = chain.law(x);
    const double phi = example.features(static_cast<Eigen::Index>(x), 0);
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      const double error = example.gamma * example.features(law.next[i], 0) - phi;
      moves[x][law.next[i]] = {law.probability[i], phi * example.loss.at(error).value};
    }
  }
  learn::PolynomialStep step = steps(factor);
  std::array<double, 2> mean = {q[0], q[1]};
  std::vector<double> found;
  std::uint64_t n = 0;
  for (const std::uint64_t end : record_at) {
    for (; n < end; ++n) {
      const double eta = step(n);
      std::array<double, 2> next{};
      for (std::size_t x = 0; x < 2; ++x) {
        for (std::size_t y = 0; y < 2; ++y) {
          next[y] += mean[x] * moves[x][y].probability * (1.0 + eta * moves[x][y].growth);
        }
      }
      mean = next;
    }
    found.push_back(mean[0] + mean[1]);
  }
  return found;
}

}  // namespace shortfall::studies
