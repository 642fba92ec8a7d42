// Allocations that do not fit in memory are refused in advance.
#include "shortfall/memory/memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shortfall/errors/error.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "tests/inventory/model/models_for_tests.hpp"

namespace shortfall {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Memory, IsRefusedBeyondTheLimitOfTheProcess) {
  const double allowed = memory_allowed();
  EXPECT_GT(allowed, 1e8);
  EXPECT_NO_THROW(check_memory(allowed, "it", "less"));
  EXPECT_THAT([&] { check_memory(1.001 * allowed, "it", "less of it"); },
              ThrowsMessage<InvalidInput>(AllOf(HasSubstr("it needs"), HasSubstr("GB of memory"),
                                                HasSubstr("accepted: at most the"),
                                                HasSubstr("use less of it"))));
}

TEST(Memory, IsRefusedToNewtonWithTooManyFeatures) {
  // Two matrices of 10¹² numbers: 16 terabytes.
  const auto newton = [](std::size_t d) {
    const learn::AnyLearner learner(
        d, {.algorithm = learn::Algorithm::newton, .loss = Mean(), .gamma = 0.9});
  };
  EXPECT_THAT([&] { newton(1'000'000); },
              ThrowsMessage<InvalidInput>(AllOf(HasSubstr("Newton with 1000000 features"),
                                                HasSubstr("2.4e+04 GB"), HasSubstr("TD"))));
  EXPECT_NO_THROW(newton(100));
}

}  // namespace
}  // namespace shortfall
