#include "shortfall/inventory/model/demand.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::inventory {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

constexpr double relative_error = demand_error;

double sum_of(const std::vector<double>& law, std::size_t from = 0) {
  return std::accumulate(law.begin() + static_cast<std::ptrdiff_t>(from), law.end(), 0.0);
}

double mean_of(const std::vector<double>& law) {
  double mean = 0.0;
  for (std::size_t d = 0; d < law.size(); ++d) mean += static_cast<double>(d) * law[d];
  return mean;
}

/// Computed with 50 decimal digits from P(0) = pⁿ and P(k+1) = P(k) (1-p) (n+k)/(k+1).
TEST(NegativeBinomialDemand, HasTheProbabilitiesOfThePublishedModel) {
  const std::vector<double> law = negative_binomial_demand(11.064622, 6.165049, 20);
  ASSERT_EQ(law.size(), 21);
  const std::vector<std::pair<std::size_t, double>> known{{0, 0.0074443390731439386782},
                                                          {1, 0.029472859640035625061},
                                                          {6, 0.12881157853645814195},
                                                          {12, 0.022271148679046539391},
                                                          {19, 0.00052718811952572629374}};
  for (const auto& [d, p] : known) EXPECT_NEAR(law[d], p, p * relative_error) << d;
  // The tail is one minus the others.
  EXPECT_NEAR(law[20], 0.00059283450406493576452, relative_error);
  EXPECT_NEAR(sum_of(law), 1.0, 21 * std::numeric_limits<double>::epsilon());
}

TEST(NegativeBinomialDemand, HasTheMeanAndVarianceOfItsParameters) {
  const std::vector<double> law = negative_binomial_demand(11.064622, 6.165049, 150);
  double variance = 0.0;
  for (std::size_t d = 0; d < law.size(); ++d) {
    variance += std::pow(static_cast<double>(d) - 6.165049, 2) * law[d];
  }
  EXPECT_NEAR(mean_of(law), 6.165049, 150 * relative_error);
  EXPECT_NEAR(variance, 6.165049 + 6.165049 * 6.165049 / 11.064622, 150 * 150 * relative_error);
}

TEST(NegativeBinomialDemand, IsGeometricForOne) {
  const std::vector<double> law = negative_binomial_demand(1.0, 3.0, 3);
  EXPECT_NEAR(law[0], 0.25, relative_error);
  EXPECT_NEAR(law[1], 0.1875, relative_error);
  EXPECT_NEAR(law[2], 0.140625, relative_error);
  EXPECT_NEAR(law[3], 0.421875, relative_error);  // 0.75³: the rest
}

/// P(k) differs by a factor exp(((k - mean)² - k) / 2n + ..), here within 3e-10 of one.
TEST(NegativeBinomialDemand, IsNearlyPoissonForHugeN) {
  const std::vector<double> law = negative_binomial_demand(1e12, 4.0, 20);
  const std::vector<double> limit = poisson_demand(4.0, 20);
  for (std::size_t d = 0; d < law.size(); ++d) {
    ASSERT_NEAR(law[d], limit[d], 3e-10 * limit[d] + relative_error) << d;
  }
}

TEST(PoissonDemand, HasTheProbabilitiesOfMeanTwo) {
  const std::vector<double> law = poisson_demand(2.0, 5);
  const std::vector<double> known{0.1353352832366127,  0.2706705664732254,  0.2706705664732254,
                                  0.18044704431548358, 0.09022352215774179, 0.05265301734371116};
  ASSERT_EQ(law.size(), known.size());
  for (std::size_t d = 0; d < law.size(); ++d) EXPECT_NEAR(law[d], known[d], relative_error) << d;
}

TEST(Demand, PutsAllMassAboveTheMaximumOnTheMaximum) {
  for (const auto& family :
       {+[](std::size_t max) { return poisson_demand(6.0, max); },
        +[](std::size_t max) { return negative_binomial_demand(3.0, 6.0, max); }}) {
    const std::vector<double> wide = family(100);
    const std::vector<double> narrow = family(5);
    ASSERT_EQ(narrow.size(), 6);
    for (std::size_t d = 0; d < 5; ++d) EXPECT_EQ(narrow[d], wide[d]);
    EXPECT_NEAR(narrow[5], sum_of(wide, 5), relative_error);
    EXPECT_THAT(family(0), ElementsAre(1.0));
  }
}

/// The tail summed term by term, all of them positive: a different method from the library's.
long double summed_tail(const auto& ratio, long double first, std::size_t from) {
  long double probability = first;
  long double sum = 0.0L;
  for (std::size_t k = 0; k < 4000000; ++k) {
    if (k >= from) sum += probability;
    if (k >= from && probability < 1e-25L * sum) break;
    probability *= ratio(static_cast<long double>(k));
  }
  return sum;
}

TEST(Demand, KeepsTheDigitsOfTailsFarBelowRoundingError) {
  for (const std::size_t max : {1u, 5u, 25u, 60u, 100u}) {
    for (const long double mean : {1e-3L, 1.5L, 6.165L, 40.0L}) {
      const auto value = static_cast<double>(mean);
      const auto poisson = [&](long double k) { return value / (k + 1); };
      const long double tail =
          summed_tail(poisson, std::exp(-static_cast<long double>(value)), max);
      if (tail > 1e-300L) {
        EXPECT_NEAR(static_cast<double>(poisson_demand(value, max).back() / tail), 1.0,
                    demand_error)
            << "Poisson, mean " << value << ", max " << max;
      }
      for (const double n : {0.05, 1.0, 11.064622, 1e6}) {
        const long double size = n;
        const long double go = value / (size + value);
        const auto binomial = [&](long double k) { return (size + k) / (k + 1) * go; };
        const long double first = std::exp(-size * std::log1p(value / size));
        const long double rest = summed_tail(binomial, first, max);
        if (!(rest > 1e-300L)) continue;
        EXPECT_NEAR(static_cast<double>(negative_binomial_demand(n, value, max).back() / rest), 1.0,
                    demand_error)
            << "n " << n << ", mean " << value << ", max " << max;
      }
    }
  }
}

TEST(Demand, ThatUnderflowsKeepsPositiveProbability) {
  EXPECT_EQ(poisson_demand(0.01, 200).back(), std::numeric_limits<double>::denorm_min());
}

TEST(Demand, WithMeanZeroIsZero) {
  EXPECT_THAT(poisson_demand(0.0, 2), ElementsAre(1.0, 0.0, 0.0));
  EXPECT_THAT(negative_binomial_demand(2.0, 0.0, 2), ElementsAre(1.0, 0.0, 0.0));
}

TEST(Demand, FarAboveTheMaximumIsTheMaximum) {
  EXPECT_EQ(poisson_demand(1e6, 1000).back(), 1.0);
  EXPECT_NEAR(negative_binomial_demand(50.0, 1e9, 1000).back(), 1.0, relative_error);
  EXPECT_THAT(poisson_demand(1e300, 10),
              Each(::testing::AllOf(::testing::Ge(0.0), ::testing::Le(1.0))));
}

TEST(EmpiricalDemand, IsRescaledToSumToOne) {
  EXPECT_THAT(empirical_demand(std::vector{0.25, 0.0, 0.75}), ElementsAre(0.25, 0.0, 0.75));
  const std::vector<double> law = empirical_demand(std::vector{0.5, 0.5 + 9e-7});
  EXPECT_NEAR(sum_of(law), 1.0, relative_error);
  EXPECT_NEAR(law[0], 0.5 / (1.0 + 9e-7), relative_error);
}

TEST(EmpiricalDemand, RejectsInvalidLaws) {
  const auto refuses = [](const std::vector<double>& probabilities, const char* message) {
    EXPECT_THAT([&] { empirical_demand(probabilities); },
                ThrowsMessage<InvalidInput>(HasSubstr(message)));
  };
  refuses({}, "0 demand probabilities; accepted: 1 to 1001, of 0, 1, ..");
  refuses(std::vector<double>(1002, 1.0 / 1002), "1002 demand probabilities; accepted: 1 to 1001");
  refuses({0.5, -0.1, 0.6}, "probability of demand 1 = -0.1; accepted: a number, at least 0");
  refuses({nan}, "probability of demand 0 = nan; accepted: a number, at least 0");
  refuses({0.5, 0.25}, "demand probabilities sum to 0.75; accepted: 1 within 1e-06");
  refuses({0.5, 0.5 + 2e-6}, "demand probabilities sum to 1.00000");
  refuses({infinity}, "demand probabilities sum to inf");
  EXPECT_EQ(empirical_demand(std::vector<double>(1001, 1.0 / 1001)).size(), 1001);
}

TEST(Demand, RejectsParametersOutOfRange) {
  const auto refuses = [](double n, double mean, std::size_t max, const char* message) {
    EXPECT_THAT([&] { negative_binomial_demand(n, mean, max); },
                ThrowsMessage<InvalidInput>(HasSubstr(message)));
  };
  refuses(0.0, 1.0, 5, "n of the negative binomial = 0; accepted: above 0");
  refuses(-1.0, 1.0, 5, "n of the negative binomial = -1; accepted: above 0");
  refuses(nan, 1.0, 5, "n of the negative binomial = nan; accepted: above 0");
  refuses(infinity, 1.0, 5, "n of the negative binomial = inf; accepted: above 0");
  refuses(1.0, -0.5, 5, "mean demand = -0.5; accepted: a number, at least 0");
  refuses(1.0, infinity, 5, "mean demand = inf; accepted: a number, at least 0");
  refuses(1.0, 1.0, 1001, "largest demand = 1001; accepted: 0 to 1000");
  EXPECT_EQ(negative_binomial_demand(1.0, 1.0, 1000).size(), 1001);
  EXPECT_THAT([] { poisson_demand(nan, 5); },
              ThrowsMessage<InvalidInput>(HasSubstr("mean demand = nan")));
  EXPECT_THAT([] { poisson_demand(1.0, 1001); },
              ThrowsMessage<InvalidInput>(HasSubstr("largest demand = 1001")));
}

/// Even without demand, for which no law is computed.
TEST(Demand, RejectsAMaximumThatIsTooLargeForAnyMean) {
  EXPECT_THAT([] { poisson_demand(0.0, 1001); },
              ThrowsMessage<InvalidInput>(HasSubstr("largest demand = 1001")));
}

}  // namespace
}  // namespace shortfall::inventory
