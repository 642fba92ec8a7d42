#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "shortfall/learn/any_learner.hpp"
#include "shortfall/names/names.hpp"

namespace shortfall::inventory {

/// Features of a stock: see StockFeatures.
struct FeatureSet {
  enum class Kind {
    polynomial,  ///< those of the paper
    relu,        ///< random hinges in place of the products
    fourier,     ///< random waves in place of the products
    hats         ///< StockHats, for averagers
  };
  Kind kind = Kind::polynomial;
  std::size_t count = 0;   ///< D of relu and fourier; 0 for the others
  std::uint64_t seed = 1;  ///< for relu and fourier

  bool operator==(const FeatureSet&) const = default;
};

inline constexpr Names<FeatureSet::Kind, 4> feature_set_names{
    {{"polynomial", FeatureSet::Kind::polynomial},
     {"relu", FeatureSet::Kind::relu},
     {"fourier", FeatureSet::Kind::fourier},
     {"hats", FeatureSet::Kind::hats}}};

/// The largest D.
inline constexpr std::size_t max_random_features = 1'000;

/// What parse_feature_set accepts, for messages.
std::string accepted_feature_sets();

/// Parses `polynomial`, `hats`, `relu:D`, `fourier:D`, `relu:D,SEED` or `fourier:D,SEED`, with D
/// from 1 to max_random_features. Returns nullopt for anything else.
std::optional<FeatureSet> parse_feature_set(std::string_view spec);

/// As parse_feature_set reads it; the seed is left out if it is 1.
std::string to_string(const FeatureSet& set);

/// The features with which `algorithm` learns if none are given: hats for averagers, otherwise
/// polynomial.
FeatureSet default_features(learn::Algorithm algorithm);

/// `set`, or the default. Throws InvalidInput unless `algorithm` learns with it. Averagers accept
/// hats alone: the others may be negative, or sum to more than 1. Hats are for averagers alone: the
/// nodes that no stock reaches make the matrix of Newton singular.
FeatureSet features_for(learn::Algorithm algorithm, const std::optional<FeatureSet>& set);

}  // namespace shortfall::inventory
