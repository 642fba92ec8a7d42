// The laws of demand and their derivatives, against plain sums in extended precision.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "inventory/fit/demand_counts.hpp"
#include "tests/inventory/fit/demand_for_tests.hpp"

namespace shortfall::inventory {
namespace {

using detail::DemandTerms;

long double plain_log_tail(unsigned k, long double mean, long double n) {
  long double sum = 0;
  for (unsigned j = k; j < k + 2000; ++j) sum += std::exp(plain_log_probability(j, mean, n));
  return std::log(sum);
}

TEST(DemandTermsTest, TermsAndDerivativesEqualPlainSums) {
  for (const long double n : {0.7L, 11.0L, 400.0L}) {
    for (const long double mean : {0.4L, 6.0L, 30.0L}) {
      for (const unsigned k : {0U, 1U, 5U, 12U, 60U}) {
        const auto alpha = static_cast<double>(1.0L / n);
        const auto mu = static_cast<double>(mean);
        const DemandTerms terms(alpha, 60);
        constexpr long double h = 1e-6L;
        for (const bool tail : {false, true}) {
          const auto plain = [&](long double m, long double size) {
            return tail ? plain_log_tail(k, m, size) : plain_log_probability(k, m, size);
          };
          const auto term = tail ? terms.at_least(k, mu) : terms.exactly(k, mu);
          const auto by_mean =
              (plain(mean * std::exp(h), n) - plain(mean * std::exp(-h), n)) / (2 * h);
          const auto step = h / n;
          const auto by_alpha =
              (plain(mean, 1 / (1 / n + step)) - plain(mean, 1 / (1 / n - step))) / (2 * step);
          SCOPED_TRACE(fmt::format("n {} mean {} k {} {}", static_cast<double>(n), mu, k, tail));
          // Where P(D >= k) is nearly one, its logarithm is nearly zero, so the error is absolute.
          EXPECT_NEAR(term.value, static_cast<double>(plain(mean, n)),
                      1e-12 * (1 + std::abs(term.value)));
          EXPECT_NEAR(term.by_log_mean, static_cast<double>(by_mean),
                      1e-9 * (1 + std::abs(term.by_log_mean)));
          EXPECT_NEAR(term.by_dispersion, static_cast<double>(by_alpha),
                      1e-7 * (1 + std::abs(term.by_dispersion)));
        }
      }
    }
  }
}

TEST(DemandTermsTest, NoDispersionIsThePoissonLaw) {
  const DemandTerms poisson(0.0, 30);
  const DemandTerms nearly(1e-9, 30);
  for (const std::size_t k : std::vector<std::size_t>{0, 3, 9, 30}) {
    EXPECT_NEAR(
        poisson.exactly(k, 5.0).value,
        static_cast<double>(k) * std::log(5.0) - 5.0 - std::lgamma(static_cast<double>(k) + 1.0),
        1e-12);
    EXPECT_NEAR(poisson.at_least(k, 5.0).value, nearly.at_least(k, 5.0).value, 1e-6);
    EXPECT_NEAR(poisson.at_least(k, 5.0).by_dispersion, nearly.at_least(k, 5.0).by_dispersion,
                1e-4);
  }
}

TEST(DemandTermsTest, TailsAreIncompleteGammaAndBetaFunctions) {
  // On both sides of the mode, next to it and so far away that P(D = k) underflows.
  for (const double alpha : {0.0, 0.002, 0.3, 50.0}) {
    const DemandTerms terms(alpha, 3000);
    for (const double mean : {0.01, 4.0, 900.0}) {
      for (const std::size_t k :
           std::vector<std::size_t>{1, 2, 5, 20, 150, 890, 901, 985, 993, 3000}) {
        const auto units = static_cast<long double>(k);
        const long double x = static_cast<long double>(alpha) * mean;
        const long double tail = alpha == 0.0
                                     ? boost::math::gamma_p(units, 1.0L * mean)
                                     : boost::math::ibeta(units, 1.0L / alpha, x / (1 + x));
        if (tail < std::numeric_limits<long double>::min()) continue;
        SCOPED_TRACE(fmt::format("alpha {} mean {} k {}", alpha, mean, k));
        const double value = terms.at_least(k, mean).value;
        // Sums of k terms, and 1 minus a sum may cancel three digits.
        EXPECT_NEAR(value, static_cast<double>(std::log(tail)),
                    1e-13 * (10.0 + static_cast<double>(k)) * (1 + std::abs(value)));
      }
    }
  }
}

}  // namespace
}  // namespace shortfall::inventory
