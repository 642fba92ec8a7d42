// Feature maps for averagers: nonnegative, with sum 1, the same as sparse and as dense features.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <pcg_random.hpp>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/features/aggregation.hpp"
#include "shortfall/features/hats.hpp"
#include "shortfall/features/normalised_radial.hpp"
#include "shortfall/features/tile_coding.hpp"
#include "shortfall/mdp/random_bits.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::features::averager_maps {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pointwise;
using ::testing::ThrowsMessage;
using Numbers = std::vector<double>;

static_assert(SparseFeatureMap<Aggregation, StateIndex>);
static_assert(SparseFeatureMap<TileCoding, Numbers> && SparseFeatureMap<Hats, std::array<int, 2>>);
static_assert(SparseFeatureMap<NormalisedRadial, std::span<const double>>);

template <class Map, class State>
Numbers dense(const Map& map, const State& x) {
  Numbers phi(map.dimension(), -1.0);
  map.write(x, phi);
  return phi;
}

/// The properties that averagers rely on, at one point.
template <class Map, class State>
void expect_averager(const Map& map, const State& x) {
  const Numbers phi = dense(map, x);
  ActiveFeatures active(map.max_active());
  map.write_active(x, active);
  ASSERT_LE(active.size(), map.max_active());
  check_sparse(active, map.dimension());
  check_averager(active);
  Numbers scattered(map.dimension(), -1.0);
  write_dense(active, scattered);
  EXPECT_EQ(scattered, phi);
  double sum = 0.0;
  for (const double value : phi) {
    EXPECT_GE(value, 0.0);
    sum += value;
  }
  // At most 70 terms are active, each rounded, and their sum.
  EXPECT_NEAR(sum, 1.0, 200 * std::numeric_limits<double>::epsilon());
  for (const double value : active.view().value) EXPECT_GT(value, 0.0);
}

TEST(SparseFeatures, KnowTheirActiveEntries) {
  ActiveFeatures active(4);
  active.assign(Numbers{0.0, 0.25, 0.0, 0.75});
  EXPECT_THAT(active.view().index, ElementsAre(1, 3));
  EXPECT_THAT(active.view().value, ElementsAre(0.25, 0.75));
  EXPECT_TRUE(is_averager(active.view().value));
  EXPECT_TRUE(is_averager({}));
  EXPECT_TRUE(is_averager(Numbers(3, 1.0 / 3.0)));
  EXPECT_TRUE(is_averager(Numbers{1.0, 1e-12}));
  EXPECT_FALSE(is_averager(Numbers{1.0, 1.1e-12}));
  EXPECT_FALSE(is_averager(Numbers{0.5, -1e-300}));
  EXPECT_FALSE(is_averager(Numbers{std::numeric_limits<double>::quiet_NaN()}));
  EXPECT_FALSE(is_averager(Numbers{infinity}));
}

TEST(Aggregation, IsOneInTheCellOfAState) {
  const Aggregation map({0, 2, 1, 0});
  EXPECT_EQ(map.dimension(), 3u);
  EXPECT_THAT(dense(map, StateIndex{1}), ElementsAre(0, 0, 1));
  for (StateIndex x = 0; x < 4; ++x) expect_averager(map, x);
  EXPECT_THROW((void)dense(map, StateIndex{4}), InvalidInput);
  EXPECT_THROW(Aggregation({}), InvalidInput);
  EXPECT_THAT(
      [] {
        Aggregation({0, 2, 0});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("no state in cell 1 of 3")));
  EXPECT_THAT(
      [] {
        Aggregation({0, 4'000'000'000u});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("no state in cell 1 of 4000000001")));
}

TEST(TileCoding, HasTheTilesOfTheHeader) {
  const TileCoding map({.low = {0.0}, .high = {4.0}, .tiles = {2}, .tilings = 2});
  EXPECT_EQ(map.dimension(), 5u);
  EXPECT_EQ(dense(map, Numbers{1.5}), (Numbers{0.5, 0, 0, 0.5, 0}));
  EXPECT_EQ(dense(map, Numbers{0.9}), (Numbers{0.5, 0, 0.5, 0, 0}));
  EXPECT_EQ(dense(map, Numbers{4.0}), (Numbers{0, 0.5, 0, 0, 0.5}));
  // Outside as at the nearest point.
  EXPECT_EQ(dense(map, Numbers{1e300}), dense(map, Numbers{4.0}));
  EXPECT_EQ(dense(map, Numbers{-7.0}), dense(map, Numbers{0.0}));
}

TEST(TileCoding, ShiftsEachCoordinateByAnotherMultiple) {
  // T = 4: shifts t/4 and 3t/4. d = 2·3 + 3 · 3·4.
  const TileCoding map({.low = {0, 0}, .high = {2, 3}, .tiles = {2, 3}, .tilings = 4});
  EXPECT_EQ(map.dimension(), 6u + 3 * 12u);
  ActiveFeatures active(4);
  map.write_active(std::array{0.8, 1.5}, active);
  // Grid 1: (1.05, 2.25), grid 2: (1.3, 2.0), grid 3: (1.55, 1.75); 12 tiles each, four per row.
  EXPECT_THAT(active.view().index, ElementsAre(1, 6 + 6, 18 + 6, 30 + 5));
  EXPECT_THAT(active.view().value, ElementsAre(0.25, 0.25, 0.25, 0.25));
}

TEST(TileCoding, WithOneGridIsAnAggregation) {
  const TileCoding map({.low = {-1, 0}, .high = {1, 1}, .tiles = {4, 1}, .tilings = 1});
  EXPECT_EQ(map.dimension(), 4u);
  EXPECT_EQ(dense(map, Numbers{0.1, 0.5}), (Numbers{0, 0, 1, 0}));
}

TEST(Hats, HaveTheValuesOfTheHeader) {
  const Hats map({{0, 1}, {0, 10}});
  EXPECT_THAT(dense(map, Numbers{0.25, 4.0}),
              Pointwise(DoubleNear(1e-15), Numbers{0.45, 0.3, 0.15, 0.1}));
  EXPECT_EQ(dense(map, std::array{1, 0}), (Numbers{0, 0, 1, 0}));
  EXPECT_EQ(dense(map, std::array{9, -9}), (Numbers{0, 0, 1, 0}));
  const Hats one_knot({{3.0}, {0, 2, 8}});
  EXPECT_EQ(one_knot.max_active(), 2u);
  EXPECT_EQ(dense(one_knot, Numbers{-5.0, 5.0}), (Numbers{0, 0.5, 0.5}));
}

TEST(Hats, AreExactForFunctionsThatAreLinearInEachCoordinate) {
  const Hats map({{-1, 0.5, 3}, {0, 1}, {-2, -1.5, 0, 7}});
  const auto function = [](const Numbers& x) {
    return 2.0 - x[0] + 3.0 * x[1] + 0.5 * x[2] + x[0] * x[1] - 0.25 * x[0] * x[1] * x[2];
  };
  Numbers theta;
  for (const double a : map.knots()[0]) {
    for (const double b : map.knots()[1]) {
      for (const double c : map.knots()[2]) theta.push_back(function({a, b, c}));
    }
  }
  pcg64 bits(2);
  for (int n = 0; n < 200; ++n) {
    const Numbers x{-1.0 + 4.0 * draw_uniform(bits), draw_uniform(bits),
                    -2.0 + 9.0 * draw_uniform(bits)};
    const Numbers phi = dense(map, x);
    double value = 0.0;
    for (std::size_t i = 0; i < phi.size(); ++i) value += phi[i] * theta[i];
    EXPECT_NEAR(value, function(x), 1e-13);  // of numbers up to 30
  }
}

TEST(Hats, OnAUniformGridHaveEqualDistances) {
  const Numbers low{0.0, -1.0}, high{1.0, 1.0};
  const std::vector<std::size_t> nodes{3, 5};
  const Hats map = Hats::uniform(low, high, nodes);
  EXPECT_EQ(map.knots(), (std::vector<Numbers>{{0, 0.5, 1}, {-1, -0.5, 0, 0.5, 1}}));
}

TEST(NormalisedRadial, HasTheValuesOfTheHeader) {
  const NormalisedRadial map({.centres = {0.0, 1.0}, .widths = {1.0}});
  const double other = std::exp(-0.5);
  EXPECT_THAT(dense(map, Numbers{0.0}),
              Pointwise(DoubleNear(1e-15), Numbers{1 / (1 + other), other / (1 + other)}));
  EXPECT_EQ(dense(map, Numbers{0.5}), (Numbers{0.5, 0.5}));
}

TEST(NormalisedRadial, SumsToOneFarFromEveryCentre) {
  const NormalisedRadial map({.centres = {0, 0, 3, 4, 9, 1}, .widths = {0.5, 2.0}});
  for (const double far : {1e2, 1e6, 1e100, 1e150}) {
    for (const double sign : {-1.0, 1.0}) expect_averager(map, Numbers{sign * far, far});
  }
  EXPECT_EQ(dense(map, Numbers{1e6, 0.0}), (Numbers{0, 0, 1}));
  EXPECT_THROW((void)dense(map, Numbers{1e200, 0.0}), InvalidInput);
}

TEST(NormalisedRadial, CutsOffWhatIsSmall) {
  // Squares 0, 4, 16: weights 1, e^-2 = 0.135, e^-8 = 3e-4.
  const Numbers centres{0.0, 2.0, 4.0};
  const NormalisedRadial few({.centres = centres, .widths = {1.0}, .cutoff = 1e-3});
  const NormalisedRadial all({.centres = centres, .widths = {1.0}, .cutoff = 0.0});
  EXPECT_EQ(dense(few, Numbers{0.0})[2], 0.0);
  EXPECT_NEAR(dense(all, Numbers{0.0})[2], std::exp(-8.0) / (1 + std::exp(-2.0) + std::exp(-8.0)),
              1e-17);
  const NormalisedRadial above({.centres = centres, .widths = {1.0}, .cutoff = 0.14});
  EXPECT_EQ(dense(above, Numbers{0.0}), (Numbers{1, 0, 0}));
}

TEST(AveragerMaps, ArePartitionsOfUnityEverywhere) {
  const TileCoding tiles({.low = {-1, 0, 2}, .high = {1, 5, 3}, .tiles = {3, 7, 2}, .tilings = 10});
  const Hats hats({{-1, 0, 0.1, 1}, {0, 5}, {2, 2.5, 2.75, 3}});
  pcg64 bits(7);
  NormalisedRadialOptions options{.centres = {}, .widths = {0.3, 1.0, 0.2}};
  for (int i = 0; i < 40; ++i) {
    for (const double scale : {2.0, 5.0, 1.0}) options.centres.push_back(scale * draw_normal(bits));
  }
  const NormalisedRadial radial(options);
  for (int n = 0; n < 500; ++n) {
    // Also outside the box, and on knots and edges.
    const auto draw = [&](double low, double high) {
      const double x = low + (high - low) * (1.4 * draw_uniform(bits) - 0.2);
      return n % 3 == 0 ? std::round(2.0 * x) / 2.0 : x;
    };
    const Numbers x{draw(-1, 1), draw(0, 5), draw(2, 3)};
    expect_averager(tiles, x);
    expect_averager(hats, x);
    expect_averager(radial, x);
  }
}

TEST(AveragerMaps, RejectInvalidInput) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto tiles = [](Numbers low, Numbers high, std::vector<std::size_t> count,
                        std::size_t tilings = 8) {
    return TileCoding({std::move(low), std::move(high), std::move(count), tilings});
  };
  EXPECT_THROW(tiles({}, {}, {}), InvalidInput);
  EXPECT_THROW(tiles({0.0}, {0.0}, {2}), InvalidInput);
  EXPECT_THROW(tiles({1.0}, {0.0}, {2}), InvalidInput);
  EXPECT_THROW(tiles({0.0}, {infinity}, {2}), InvalidInput);
  EXPECT_THROW(tiles({-1e308}, {1e308}, {2}), InvalidInput);
  EXPECT_THROW(tiles({nan}, {1.0}, {2}), InvalidInput);
  EXPECT_THROW(tiles({0.0, 0.0}, {1.0}, {2, 2}), InvalidInput);
  EXPECT_THROW(tiles({0.0}, {1.0}, {2, 2}), InvalidInput);
  EXPECT_THROW(tiles({0.0}, {1.0}, {0}), InvalidInput);
  EXPECT_THROW(tiles({0.0}, {1.0}, {2}, 0), InvalidInput);
  EXPECT_THROW(tiles({0.0}, {1.0}, {1u << 30}, 8), InvalidInput);
  EXPECT_THROW(tiles({0, 0}, {1, 1}, {std::size_t{1} << 40, std::size_t{1} << 40}), InvalidInput);
  EXPECT_THROW(tiles(Numbers(17, 0.0), Numbers(17, 1.0), std::vector<std::size_t>(17, 1)),
               InvalidInput);
  EXPECT_THROW(Hats(std::vector<Numbers>{}), InvalidInput);
  EXPECT_THROW(Hats(std::vector<Numbers>(1)), InvalidInput);
  EXPECT_THROW(Hats({{0.0, 0.0}}), InvalidInput);
  EXPECT_THROW(Hats({{1.0, 0.0}}), InvalidInput);
  EXPECT_THROW(Hats({{0.0, nan}}), InvalidInput);
  EXPECT_THROW(Hats({{-1e308, 1e308}}), InvalidInput);
  const Numbers zero{0.0}, unit{1.0};
  EXPECT_THROW(Hats::uniform(zero, unit, std::vector<std::size_t>{1}), InvalidInput);
  EXPECT_THROW(Hats::uniform(unit, zero, std::vector<std::size_t>{3}), InvalidInput);
  EXPECT_THROW(NormalisedRadial({.centres = {}, .widths = {1.0}}), InvalidInput);
  EXPECT_THROW(NormalisedRadial({.centres = {1.0}, .widths = {}}), InvalidInput);
  EXPECT_THROW(NormalisedRadial({.centres = {1.0}, .widths = {0.0}}), InvalidInput);
  EXPECT_THROW(NormalisedRadial({.centres = {1.0}, .widths = {-1.0}}), InvalidInput);
  EXPECT_THROW(NormalisedRadial({.centres = {nan}, .widths = {1.0}}), InvalidInput);
  EXPECT_THROW(NormalisedRadial({.centres = {1, 2, 3}, .widths = {1.0, 1.0}}), InvalidInput);
  EXPECT_THROW(NormalisedRadial({.centres = {1.0}, .widths = {1.0}, .cutoff = 1.0}), InvalidInput);
  const Hats hats({{0, 1}});
  EXPECT_THAT([&] { (void)dense(hats, Numbers{nan}); },
              ThrowsMessage<InvalidInput>(HasSubstr("coordinate 1 is nan")));
  EXPECT_THAT(
      [&] {
        (void)dense(hats, Numbers{0.0, 1.0});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("a point with 2 coordinates; accepted: 1")));
}

}  // namespace
}  // namespace shortfall::features::averager_maps
