#include "shortfall/features/orthonormal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <pcg_random.hpp>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/features/polynomial.hpp"
#include "shortfall/features/tabular.hpp"
#include "shortfall/mdp/random_bits.hpp"

namespace shortfall::features {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

static_assert(FeatureMap<Orthonormal<Polynomial>, std::vector<double>>);
static_assert(FeatureMap<Orthonormal<Tabular>, StateIndex>);

constexpr double unit = std::numeric_limits<double>::epsilon();

/// (1/n) Σ φ̃ φ̃ᵀ over the sample.
Eigen::MatrixXd transformed_square(const Dense& sample, const Orthonormalisation& change) {
  const auto r = static_cast<Eigen::Index>(change.rank());
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(r, r);
  Eigen::VectorXd phi(r);
  for (std::size_t x = 0; x < sample.states(); ++x) {
    change.apply(sample.row(x), {phi.data(), change.rank()});
    sum += phi * phi.transpose();
  }
  return sum / static_cast<double>(sample.states());
}

/// Largest entry of |A - I|.
double distance_from_identity(const Eigen::MatrixXd& a) {
  return (a - Eigen::MatrixXd::Identity(a.rows(), a.cols())).cwiseAbs().maxCoeff();
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

/// 200 states uniform on [0, 1]².
std::vector<std::vector<double>> random_states(std::uint64_t seed) {
  pcg64 bits(seed);
  std::vector<std::vector<double>> states(200, std::vector<double>(2));
  for (auto& x : states) {
    for (double& entry : x) entry = draw_uniform(bits);
  }
  return states;
}

const Polynomial cubic({.variables = 2, .degree = 3});

/// Ten monomials up to degree three on the unit square: their mean square has a condition below
/// 1e5, and rounding in its Cholesky factor and the sum of 200 terms is magnified by no more.
constexpr double cubic_tolerance = 1e5 * 200.0 * unit;

/// The sample {1, 3} of one feature: mean square 5, so T = 1/√5.
TEST(Orthonormalisation, DividesASingleFeatureByTheRootOfItsMeanSquare) {
  const Orthonormalisation change(Dense({1, 3}, 1));
  std::vector<double> out(1);
  change.apply(std::vector<double>{2.0}, out);
  EXPECT_NEAR(out[0], 2.0 / std::sqrt(5.0), 4.0 * unit);
  EXPECT_NEAR(change.from_orthonormal(std::vector<double>{1.0})[0], 1.0 / std::sqrt(5.0),
              4.0 * unit);
  EXPECT_NEAR(change.to_orthonormal(std::vector<double>{1.0})[0], std::sqrt(5.0), 8.0 * unit);
}

/// On {-1, 1}: 1 and x are already orthonormal. On {0, 2}, x has mean 1 and deviation 1, so that
/// Gram-Schmidt turns it into x - 1.
TEST(Orthonormalisation, IsGramSchmidtInTheOrderOfTheFeatures) {
  std::vector<double> out(2);
  const Orthonormalisation none(Dense({1, -1, 1, 1}, 2));
  none.apply(std::vector<double>{1.0, 0.25}, out);
  EXPECT_THAT(out, ElementsAre(1.0, 0.25));
  const Orthonormalisation centred(Dense({1, 0, 1, 2}, 2));
  centred.apply(std::vector<double>{1.0, 5.0}, out);
  EXPECT_NEAR(out[0], 1.0, 4.0 * unit);
  EXPECT_NEAR(out[1], 4.0, 32.0 * unit);
}

TEST(Orthonormalisation, MakesTheMeanSquareOfTheSampleTheIdentity) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Dense sample = Dense::of(cubic, random_states(seed));
    const Orthonormalisation change(sample);
    ASSERT_EQ(change.rank(), 10);
    EXPECT_LT(distance_from_identity(transformed_square(sample, change)), cubic_tolerance);
    // Coordinates from another sample do not make it the identity.
    EXPECT_GT(distance_from_identity(transformed_square(
                  sample, Orthonormalisation(Dense::of(cubic, random_states(seed + 10))))),
              0.01);
  }
}

/// A the mean square of φ and D its diagonal: T (A + εD) Tᵀ = I, so that T A Tᵀ ≤ I, and its
/// eigenvalues are at least λ/(λ + ε) with λ the smallest one of D^-½ A D^-½.
TEST(Orthonormalisation, WithARidgeMakesTheMeanSquareAtMostTheIdentity) {
  const Dense sample = Dense::of(cubic, random_states(4));
  const Eigen::MatrixXd phi = sample.matrix();
  const Eigen::MatrixXd square = phi.transpose() * phi / 200.0;
  const Eigen::VectorXd scale = square.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd correlation = scale.asDiagonal() * square * scale.asDiagonal();
  const double smallest =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(correlation).eigenvalues()(0);
  for (const double ridge : {1e-6, 1e-3, 0.5}) {
    const Eigen::MatrixXd found = transformed_square(sample, Orthonormalisation(sample, ridge));
    const Eigen::VectorXd eigenvalues =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(found).eigenvalues();
    EXPECT_LT(eigenvalues.maxCoeff(), 1.0 + cubic_tolerance) << ridge;
    EXPECT_GT(eigenvalues.minCoeff(), smallest / (smallest + ridge) - cubic_tolerance) << ridge;
    // Its largest eigenvalue is at least that of a single feature, 1/(1 + ε) for the intercept.
    EXPECT_GT(eigenvalues.maxCoeff(), 1.0 / (1.0 + ridge) - cubic_tolerance) << ridge;
    EXPECT_LT(eigenvalues.minCoeff(), 1.0 - ridge / 2.0) << ridge;
  }
}

/// The ridge enters by its definition: T (A + εD) Tᵀ = I.
TEST(Orthonormalisation, WithARidgeIsThatOfTheMeanSquarePlusItsDiagonal) {
  const double ridge = 0.25;
  const Dense sample({1, 0, 1, 1, 1, 3, 1, 4}, 2);  // A = (1, 2; 2, 6.5)
  const Orthonormalisation change(sample, ridge);
  Eigen::Matrix2d t;
  for (Eigen::Index k = 0; k < 2; ++k) {
    const Eigen::Vector2d e = Eigen::Vector2d::Unit(k);
    change.apply({e.data(), 2}, {t.data() + 2 * k, 2});
  }
  EXPECT_EQ(t(0, 1), 0.0);
  Eigen::Matrix2d ridged;
  ridged << 1.25, 2.0, 2.0, 8.125;
  EXPECT_LT(distance_from_identity(t * ridged * t.transpose()), 32.0 * unit);
}

/// x, 2x, x², x on {0, 1, 2}: the second and the last depend on earlier ones.
TEST(Orthonormalisation, LeavesOutFeaturesThatDependOnEarlierOnes) {
  const Dense sample({0, 0, 0, 0, 1, 2, 1, 1, 2, 4, 4, 2}, 4);
  const Orthonormalisation change(sample);
  EXPECT_EQ(change.dimension(), 4);
  EXPECT_EQ(change.rank(), 2);
  EXPECT_THAT(change.kept(), ElementsAre(0, 2));
  EXPECT_LT(distance_from_identity(transformed_square(sample, change)), 1e3 * unit);
}

TEST(Orthonormalisation, LeavesOutAZeroFeatureButNotASmallOne) {
  const Orthonormalisation change(Dense({0, 1e-100, 1, 0, 2e-100, 1}, 3));
  EXPECT_THAT(change.kept(), ElementsAre(1, 2));
}

/// 1 and 1 + d, with d = ±δ: the part of the second that is not in the first is δ² of its square.
TEST(Orthonormalisation, TreatsFeaturesAsDependentBelowItsTolerance) {
  const auto rank = [](double square) {
    const double delta = std::sqrt(square);
    return Orthonormalisation(Dense({1, 1 + delta, 1, 1 - delta}, 2)).rank();
  };
  EXPECT_EQ(rank(0.5 * Orthonormalisation::dependence_tolerance), 1);
  EXPECT_EQ(rank(2.0 * Orthonormalisation::dependence_tolerance), 2);
}

TEST(Orthonormalisation, KeepsOnlyTheInterceptIfTheSampleIsASingleState) {
  const Dense sample =
      Dense::of(cubic, std::vector<std::vector<double>>(50, std::vector<double>{0.3, 7.0}));
  for (const double ridge : {0.0, 1e-3}) {
    const Orthonormalisation change(sample, ridge);
    EXPECT_THAT(change.kept(), ElementsAre(0));
    std::vector<double> out(1);
    change.apply(sample.row(0), out);
    EXPECT_NEAR(out[0], 1.0 / std::sqrt(1.0 + ridge), 4.0 * unit);
  }
}

/// On {0, 1}: x, 2x and x² are the same function, and any θ gives a multiple of it.
TEST(Orthonormalisation, RepresentsTheSameFunctionOnTheSampleWithFeaturesLeftOut) {
  const Dense sample({0, 0, 0, 1, 2, 1}, 3);
  for (const double ridge : {0.0, 0.1}) {
    const Orthonormalisation change(sample, ridge);
    EXPECT_THAT(change.kept(), ElementsAre(0));
    const std::vector<double> theta{1.0, -3.0, 9.0};  // 1 - 6 + 9 = 4 at x = 1
    const std::vector<double> there = change.to_orthonormal(theta);
    std::vector<double> phi(1);
    change.apply(sample.row(1), phi);
    EXPECT_NEAR(dot(there, phi), 4.0, 16.0 * unit);
    const std::vector<double> back = change.from_orthonormal(there);
    EXPECT_EQ(back[1], 0.0);
    EXPECT_EQ(back[2], 0.0);
    EXPECT_NEAR(back[0], 4.0, 16.0 * unit);
  }
}

TEST(Orthonormalisation, ConvertsWeightsOfTheSameFunctionBothWays) {
  const Dense sample = Dense::of(cubic, random_states(5));
  for (const double ridge : {0.0, 1e-3, 1.0}) {
    const Orthonormalisation change(sample, ridge);
    std::vector<double> theta(10);
    for (std::size_t j = 0; j < 10; ++j) theta[j] = j % 2 == 0 ? 1.0 + double(j) : -double(j);
    const std::vector<double> there = change.to_orthonormal(theta);
    const std::vector<double> back = change.from_orthonormal(there);
    std::vector<double> phi(10);
    for (std::size_t x = 0; x < sample.states(); ++x) {
      change.apply(sample.row(x), phi);
      // Values below 55, coordinates of a condition up to the root of that of the mean square.
      EXPECT_NEAR(dot(there, phi), dot(theta, sample.row(x)), 55.0 * cubic_tolerance);
      EXPECT_NEAR(dot(back, sample.row(x)), dot(there, phi), 55.0 * cubic_tolerance);
    }
    // With nothing left out, θ is unique and is recovered.
    for (std::size_t j = 0; j < 10; ++j) EXPECT_NEAR(back[j], theta[j], 55.0 * cubic_tolerance);
  }
}

/// Second method: T is linear, and its columns are the images of unit vectors.
TEST(Orthonormal, WritesTheTransformedFeaturesOfTheMap) {
  const auto states = random_states(6);
  const Orthonormalisation change(Dense::of(cubic, states), 1e-3);
  const Orthonormal<Polynomial> map(cubic, change);
  ASSERT_EQ(map.dimension(), 10);
  Eigen::MatrixXd t(10, 10);
  for (Eigen::Index k = 0; k < 10; ++k) {
    const Eigen::VectorXd e = Eigen::VectorXd::Unit(10, k);
    change.apply({e.data(), 10}, {t.data() + 10 * k, 10});
  }
  EXPECT_TRUE(t.isLowerTriangular(0.0));
  Eigen::VectorXd phi(10);
  Eigen::VectorXd out = Eigen::VectorXd::Constant(10, std::nan(""));
  const std::vector<double> elsewhere{-2.0, 3.0};  // not in the sample's square
  cubic.write(elsewhere, {phi.data(), 10});
  map.write(elsewhere, {out.data(), 10});
  const double scale = t.cwiseAbs().maxCoeff() * phi.cwiseAbs().maxCoeff();
  EXPECT_LT((out - t * phi).cwiseAbs().maxCoeff(), 10.0 * scale * unit);
  EXPECT_GT(out.cwiseAbs().maxCoeff(), 1.0);
}

TEST(Orthonormal, HasTheDimensionOfTheRemainingFeatures) {
  const Orthonormalisation change(Dense({1, 1, 2, 1, 1, 5}, 3));
  const Dense phi({1, 7, 3}, 3);
  const Orthonormal<Dense> map(phi, change);
  EXPECT_EQ(map.dimension(), 2);
  EXPECT_EQ(map.map().dimension(), 3);
  EXPECT_THAT(map.change().kept(), ElementsAre(0, 2));
  std::vector<double> with(2);
  std::vector<double> without(2);
  map.write(StateIndex{0}, with);
  change.apply(std::vector<double>{1, -7, 3}, without);  // features left out do not count
  EXPECT_EQ(with, without);
}

TEST(Orthonormalisation, RejectsEmptyAndZeroSamples) {
  EXPECT_THAT([] { Orthonormalisation(Dense({}, 2)); },
              ThrowsMessage<InvalidInput>(HasSubstr("a sample of 0 rows; accepted: one or more")));
  EXPECT_THAT(
      [] {
        Orthonormalisation(Dense({0, 0, 0, 0}, 2));
      },
      ThrowsMessage<InvalidInput>(HasSubstr("all features of the sample are zero")));
  EXPECT_THAT(
      [] {
        Orthonormalisation(Dense({1e200, 1}, 2));
      },
      ThrowsMessage<InvalidInput>(HasSubstr("too large to be squared")));
}

TEST(Orthonormalisation, RejectsARidgeThatIsNegativeOrNotFinite) {
  const Dense sample({1, 2}, 1);
  EXPECT_THAT([&] { Orthonormalisation(sample, -0.5); },
              ThrowsMessage<InvalidInput>(
                  HasSubstr("ridge = -0.5; accepted: a finite number, at least 0")));
  EXPECT_THAT([&] { Orthonormalisation(sample, std::nan("")); },
              ThrowsMessage<InvalidInput>(HasSubstr("ridge = nan")));
  EXPECT_THAT([&] { Orthonormalisation(sample, std::numeric_limits<double>::infinity()); },
              ThrowsMessage<InvalidInput>(HasSubstr("ridge = inf")));
}

TEST(Orthonormal, RejectsAMapOfAnotherDimensionAndOneThatIsTooLarge) {
  const auto tabular = [](std::size_t states, std::size_t sampled) {
    std::vector<double> entries(sampled, 1.0);
    return
        [=] { Orthonormal<Tabular>(Tabular(states), Orthonormalisation(Dense(entries, sampled))); };
  };
  EXPECT_THAT(
      tabular(3, 2),
      ThrowsMessage<InvalidInput>(HasSubstr(
          "3 features, but the coordinates are for 2; accepted: the same number, at most 1024")));
  EXPECT_THAT(
      tabular(1025, 1025),
      ThrowsMessage<InvalidInput>(HasSubstr("1025 features, but the coordinates are for 1025")));
  EXPECT_NO_THROW(tabular(1024, 1024)());
}

/// Entries of small integers, some columns dependent by chance or for lack of rows.
RC_GTEST_PROP(Orthonormalisation, KeepsWhatCanBeRepresentedOnAnySample, ()) {
  const auto d = *rc::gen::inRange<std::size_t>(1, 6);
  const auto n = *rc::gen::inRange<std::size_t>(1, 8);
  std::vector<double> entries;
  for (std::size_t i = 0; i < n * d; ++i) entries.push_back(*rc::gen::inRange(-3, 4));
  RC_PRE(std::any_of(entries.begin(), entries.end(), [](double entry) { return entry != 0.0; }));
  const double ridge = *rc::gen::element(0.0, 1e-3, 1.0);
  const Dense sample(entries, d);
  const Orthonormalisation change(sample, ridge);

  const Eigen::MatrixXd phi = sample.matrix();
  RC_ASSERT(static_cast<Eigen::Index>(change.rank()) ==
            Eigen::FullPivLU<Eigen::MatrixXd>(phi).rank());
  // Determinants of integers up to 7 · 9 in a 5 × 5 Gram matrix: pivots are at least 1 / 63⁴, so
  // that the condition is below 1e9 and rounding below 1e-6 at worst.
  const Eigen::MatrixXd square = transformed_square(sample, change);
  if (ridge == 0.0) RC_ASSERT(distance_from_identity(square) < 1e-6);
  RC_ASSERT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(square).eigenvalues().maxCoeff() <
            1.0 + 1e-6);
  std::vector<double> theta;
  for (std::size_t j = 0; j < d; ++j) theta.push_back(*rc::gen::inRange(-9, 10));
  const std::vector<double> there = change.to_orthonormal(theta);
  const std::vector<double> back = change.from_orthonormal(there);
  std::vector<double> tilde(change.rank());
  for (std::size_t x = 0; x < n; ++x) {
    change.apply(sample.row(x), tilde);
    RC_ASSERT(std::abs(dot(there, tilde) - dot(theta, sample.row(x))) < 1e-6);
    RC_ASSERT(std::abs(dot(back, sample.row(x)) - dot(theta, sample.row(x))) < 1e-6);
  }
}

}  // namespace
}  // namespace shortfall::features
