#include "shortfall/theory/operator_h.hpp"

#include <cstddef>
#include <vector>

#include "errors/require.hpp"
#include "theory/residual.hpp"

namespace shortfall::theory {

detail::Residual detail::residual(const Chain& chain, const AnyLoss& loss, double gamma,
                                  const Eigen::Ref<const Eigen::VectorXd>& values) {
  Residual result{Eigen::VectorXd::Zero(values.size()), Eigen::VectorXd::Zero(values.size())};
  std::vector<double> targets(chain.outcomes().longest_row());
  for (std::size_t x = 0; x < chain.states(); ++x) {
    if (chain.is_terminal(x)) continue;
    const Outcomes::Row row = chain.law(x);
    const std::size_t count = row.next.size();
    for (std::size_t i = 0; i < count; ++i) {
      const StateIndex y = row.next[i];
      targets[i] = row.cost[i] + (chain.is_terminal(y) ? 0.0 : gamma * values[y]);
    }
    const auto state = static_cast<Eigen::Index>(x);
    const LossPoint point =
        expected_loss(loss, {{targets.data(), count}, row.probability}, values[state]);
    result.value[state] = point.value;
    result.mean_slope[state] = point.left_slope;
  }
  return result;
}

Eigen::VectorXd expected_residual(const Chain& chain, const AnyLoss& loss, double gamma,
                                  const Eigen::Ref<const Eigen::VectorXd>& values) {
  require(gamma >= 0.0 && gamma <= 1.0, "gamma = {}; accepted: a number in [0, 1]", gamma);
  require(static_cast<std::size_t>(values.size()) == chain.states(),
          "{} values; accepted: one for each of {} states", values.size(), chain.states());
  return detail::residual(chain, loss, gamma, values).value;
}

Eigen::VectorXd operator_h(const Chain& chain, const AnyLoss& loss, double gamma, double alpha,
                           const Eigen::Ref<const Eigen::VectorXd>& values) {
  Eigen::VectorXd image = values + alpha * expected_residual(chain, loss, gamma, values);
  for (std::size_t x = 0; x < chain.states(); ++x) {
    if (chain.is_terminal(x)) image[static_cast<Eigen::Index>(x)] = 0.0;
  }
  return image;
}

}  // namespace shortfall::theory
