#include "shortfall/learn/greedy.hpp"

namespace shortfall::learn {

SampledRisk::SampledRisk(AnyLoss loss, std::size_t samples)
    : loss_(std::move(loss)),
      costs_(samples),
      probabilities_(samples, 1.0 / static_cast<double>(samples)) {}

double SampledRisk::risk() const {
  return shortfall_risk(loss_, {.atoms = costs_, .probabilities = probabilities_});
}

bool SampledRisk::is_below(double v) const {
  return expected_loss(loss_, {.atoms = costs_, .probabilities = probabilities_}, v).value < 0.0;
}

}  // namespace shortfall::learn
