#include "shortfall/mdp/library/catalogue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/ergodicity.hpp"

namespace shortfall::library::catalogue_tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Catalogue, HasModelsWithWhatBelongsToThem) {
  for (const std::string_view name : catalogue_names()) {
    const CatalogueModel found = catalogue_model(name);
    EXPECT_EQ(found.name, name);
    EXPECT_FALSE(found.about.empty());
    if (found.policy) found.model.check_policy(*found.policy);
    if (found.features.cols() > 0) {
      EXPECT_EQ(static_cast<std::size_t>(found.features.rows()), found.model.states()) << name;
    }
    ASSERT_TRUE(found.gamma.has_value()) << name;
    EXPECT_TRUE(*found.gamma < 1.0 || found.model.has_terminal_states()) << name;
  }
  EXPECT_THAT([] { (void)catalogue_model("maze"); },
              ThrowsMessage<InvalidInput>(AllOf(HasSubstr("'maze'"), HasSubstr("riverswim"))));
}

TEST(Catalogue, HasPoliciesThatVisitAllStates) {
  for (const std::string_view name : {"forest", "random", "riverswim"}) {
    const CatalogueModel found = catalogue_model(name);
    EXPECT_TRUE(check_ergodicity(under_policy(found.model, *found.policy)).is_ergodic()) << name;
  }
}

/// Waiting is optimal for the mean at γ = 0.9: see ForestParameters.
TEST(Catalogue, HasTheForestPolicyThatIsOptimalForTheMean) {
  const CatalogueModel forest = catalogue_model("forest");
  EXPECT_EQ(solve(forest.model, {Mean(), *forest.gamma}).policy, *forest.policy);
}

}  // namespace
}  // namespace shortfall::library::catalogue_tests
