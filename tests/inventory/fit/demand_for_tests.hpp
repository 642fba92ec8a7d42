#pragma once

#include <cmath>

namespace shortfall::inventory {

/// log P(D = k) of the negative binomial law, in extended precision.
inline long double plain_log_probability(unsigned k, long double mean, long double n) {
  return std::lgamma(n + k) - std::lgamma(n) - std::lgamma(k + 1.0L) +
         n * std::log(n / (n + mean)) + k * std::log(mean / (n + mean));
}

}  // namespace shortfall::inventory
