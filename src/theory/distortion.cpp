#include "shortfall/theory/distortion.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "errors/require.hpp"

namespace shortfall::theory {

double distortion_coefficient(const Chain& chain, SlopeBounds slopes) {
  const auto [lower, upper] = slopes;
  require(lower > 0.0 && upper >= lower && upper < std::numeric_limits<double>::infinity(),
          "slopes in [{}, {}]; accepted: a loss with slopes bounded away from 0 and from infinity",
          lower, upper);
  // A row may reach a state by several outcomes; the result depends on the smallest P(x'|x) of all.
  double rarest = 1.0;
  std::vector<double> reached(chain.states(), 0.0);
  for (std::size_t x = 0; x < chain.states(); ++x) {
    const Outcomes::Row row = chain.law(x);
    for (std::size_t i = 0; i < row.next.size(); ++i) reached[row.next[i]] += row.probability[i];
    for (const StateIndex y : row.next) {
      if (!chain.is_terminal(y) && reached[y] > 0.0) rarest = std::min(rarest, reached[y]);
      reached[y] = 0.0;
    }
  }
  return upper / (lower + (upper - lower) * rarest) - 1.0;
}

double distortion_gamma_limit(const Chain& chain, SlopeBounds slopes) {
  return 1.0 / std::sqrt(1.0 + distortion_coefficient(chain, slopes));
}

}  // namespace shortfall::theory
