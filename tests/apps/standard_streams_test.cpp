// Standard streams that are closed, full or no longer read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "installation.hpp"
#include "tests/apps/command_runner.hpp"
#include "tests/apps/stream_for_tests.hpp"

namespace shortfall::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string solve = "\"$shortfall\" solve " SHORTFALL_EXAMPLES
                          "/forest.csv --loss mean "
                          "--gamma 0.9 --policy-out policy.csv";
const std::string learn = "\"$shortfall\" learn --json --loss mean --gamma 0.9 --algorithm td";

class StandardStreams : public ::testing::Test {
 protected:
  StandardStreams() { place.write("stream.csv", StreamForTests(2, 50).csv()); }

  Workplace place;
};

TEST_F(StandardStreams, ARunWithoutStandardOutputIsRefusedBeforeItBegins) {
  for (const std::string closed : {">&-", "1</dev/null"}) {
    for (const std::string& command :
         {learn + " stream.csv --checkpoint state", solve, std::string("\"$shortfall\" --help")}) {
      EXPECT_EQ(place.run_script(command + " 2>err " + closed), 2) << command << closed;
      EXPECT_THAT(place.read("err"),
                  AllOf(HasSubstr("standard output is closed"), HasSubstr("accepted")));
    }
  }
  EXPECT_EQ(place.run_script(solve + " >&- 2>&-"), 2);
  EXPECT_EQ(place.file_count(), 2u) << "the stream and the messages, but no state and no policy";
}

TEST_F(StandardStreams, ClosedStandardErrorDiscardsMessages) {
  const std::string command = learn + " stream.csv --checkpoint state";
  ASSERT_EQ(place.run_script(command + " >first 2>err"), 0);
  // The second run prints that it resumes from the checkpoint.
  EXPECT_EQ(place.run_script(command + " >second 2>&-"), 0);
  EXPECT_EQ(place.read("second"), place.read("first"));
  EXPECT_EQ(place.run_script(command + " >third 0<&- 2>&-"), 0);
  EXPECT_EQ(place.read("third"), place.read("first"));
  EXPECT_EQ(place.run_script("test ! -e .state.lock"), 0);
}

TEST_F(StandardStreams, ClosedStandardInputIsNotEmptyInput) {
  for (const std::string closed : {"<&-", "0>/dev/null"}) {
    EXPECT_EQ(place.run_script(learn + " --checkpoint state - >out 2>err " + closed), 2);
    EXPECT_THAT(place.read("out"), IsEmpty());
    EXPECT_THAT(place.read("err"), AllOf(HasSubstr("standard input: it is not open for reading"),
                                         HasSubstr("accepted: a text file")));
  }
  EXPECT_EQ(place.run_script("\"$shortfall\" risk --loss mean 2>err <&-"), 2);
  EXPECT_THAT(place.read("err"), HasSubstr("standard input: it is not open for reading"));
  EXPECT_EQ(place.run_script(solve + " >out <&-"), 0) << "which does not read it";
}

TEST_F(StandardStreams, AFullDiskIsAnErrorForEveryOutput) {
  for (const std::string& command :
       {learn + " stream.csv", solve, std::string("\"$shortfall\" --help"),
        std::string("\"$shortfall\" --version"), std::string("\"$shortfall\" solve --help")}) {
    EXPECT_EQ(place.run_script(command + " >/dev/full 2>err"), 2) << command;
    EXPECT_THAT(place.read("err"), HasSubstr("standard output: No space left on device"));
  }
}

TEST_F(StandardStreams, FilesAreWrittenEvenIfStandardOutputIsClosed) {
  const std::string inventory_solve =
      "\"$shortfall\" inventory solve " SHORTFALL_EXAMPLES
      "/platelets.toml --set inventory.capacity=4 --set inventory.max_order=4 "
      "--policy-out policy.csv";
  for (const std::string& command : {solve, inventory_solve}) {
    // The command starts once the reading end of its output is closed.
    const std::string script =
        "mkfifo closed && "
        "( read word <closed; " +
        command +
        " 2>err; echo $? >code ) | "
        "( exec <&-; echo go >closed ); rm closed";
    EXPECT_EQ(place.run_script(script), 0);
    EXPECT_EQ(place.read("code"), "2\n");
    EXPECT_THAT(place.read("err"), HasSubstr("standard output: Broken pipe"));
    const std::string written = place.read("policy.csv");
    EXPECT_EQ(place.run_script(command + " >report"), 0);
    EXPECT_EQ(place.read("policy.csv"), written);
    EXPECT_EQ(place.run_script("rm policy.csv"), 0);
  }
}

}  // namespace
}  // namespace shortfall::testing
