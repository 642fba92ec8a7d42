// Commands that would exceed a memory limit report it before they start.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "installation.hpp"
#include "tests/apps/command_runner.hpp"

namespace shortfall::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class MemoryLimit : public ::testing::Test {
 protected:
  /// Under a limit of 1.5 million kilobytes.
  void expect_refused(const std::string& arguments, const std::string& need) const {
    if (is_sanitized()) GTEST_SKIP() << "sanitizers reserve terabytes";
    const std::string command = "\"$shortfall\" " + arguments + " --threads 1 >out 2>err";
    EXPECT_EQ(place.run_script("ulimit -v 1500000 && " + command), 2) << arguments;
    EXPECT_THAT(place.read("out"), IsEmpty());
    EXPECT_THAT(place.read("err"),
                AllOf(HasSubstr(need), HasSubstr("accepted: at most the 1.54 GB")));
  }

  /// One transition with `d` features.
  std::string row(int d) const {
    std::string zeros = "0";
    for (int i = 1; i < d; ++i) zeros += ",0";
    return place.write("rows.ndjson", "{\"x\":[" + zeros + "],\"y\":[" + zeros + "],\"cost\":1}\n");
  }

  Workplace place;
};

TEST_F(MemoryLimit, HoldsForNewton) {
  const std::string learn = "learn --loss mean --gamma 0.9 --algorithm newton " + row(20000);
  expect_refused(learn, "rows.ndjson: Newton with 20000 features needs 9.6 GB of memory");
  // Two matrices would fit, but a checkpoint holds them twice again: 1.2 and 3.5 GB.
  row(8500);
  expect_refused(learn + " --checkpoint state", "a checkpoint of newton with 8500 features needs");
}

TEST_F(MemoryLimit, HoldsForStages) {
  expect_refused("solve " SHORTFALL_EXAMPLES
                 "/forest.csv --loss mean --gamma 0.9 --horizon 100000000 --policy-out policy.csv",
                 "keeping 100000000 stages of 3 states needs");
}

TEST_F(MemoryLimit, HoldsForSimulations) {
  expect_refused("inventory simulate " SHORTFALL_EXAMPLES
                 "/platelets.toml --policy static --periods 10 --replications 100000000",
                 "a simulation with 100000000 replications needs 2.4 GB of memory");
}

}  // namespace
}  // namespace shortfall::testing
