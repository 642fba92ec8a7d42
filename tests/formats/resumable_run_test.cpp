#include "checkpoint/resumable_run.hpp"

#include <filesystem>
#include <string>

#include "tests/files_for_tests.hpp"

namespace shortfall::io {
namespace {

namespace resumable {

auto state_of(double value) {
  return [value](StateWriter& state) {
    archive(state, RecordedOptions{{"--gamma", "0.9"}, {"--loss", "mean"}});
    state(value);
  };
}

void expect_no_failure() {
  ADD_FAILURE() << "a state that is written does not fail";
}

}  // namespace resumable

class ResumableRunTest : public FileTest {
 protected:
  /// What a run of this kind finds with these options.
  double loaded(const std::string& kind, const RecordedOptions& options) const {
    const ResumableRun run(path("c"), kind);
    double value = 0.0;
    EXPECT_TRUE(run.load([&](StateReader& state) {
      run.check_recorded(options, state);
      state(value);
    }));
    return value;
  }
  void save(double value) const {
    EXPECT_TRUE(ResumableRun(path("c"), "learn")
                    .save(resumable::state_of(value), resumable::expect_no_failure));
  }
};

TEST_F(ResumableRunTest, HasNothingToResumeWithoutAFileOrBeforeItIsWritten) {
  const auto read = [](StateReader&) { ADD_FAILURE() << "there is no state"; };
  EXPECT_FALSE(ResumableRun("", "learn").has_checkpoint());
  EXPECT_FALSE(ResumableRun("", "learn").load(read));
  EXPECT_FALSE(ResumableRun(path("c"), "learn").load(read));
}

TEST_F(ResumableRunTest, ResumesWithTheOptionsItWasMadeWith) {
  save(2.5);
  EXPECT_EQ(loaded("learn", {{"--gamma", "0.9"}}), 2.5);
  EXPECT_EQ(loaded("learn", {{"--loss", "mean"}, {"--gamma", "0.9"}}), 2.5);
}

TEST_F(ResumableRunTest, NamesTheFirstOptionThatHasChanged) {
  save(2.5);
  expect_rejected(
      [&] {
        loaded("learn", {{"--loss", "mean"}, {"--gamma", "0.8"}});
      },
      {"gamma is 0.8", "was made with 0.9", "; accepted: "});
  expect_rejected(
      [&] {
        loaded("learn", {{"--forget", "50"}});
      },
      {"forget is 50", "was made with none"});
}

TEST_F(ResumableRunTest, RefusesTheCheckpointOfAnotherCommand) {
  save(2.5);
  expect_rejected(
      [&] { loaded("inventory train", {}); },
      {"a checkpoint of shortfall learn", "accepted: one of shortfall inventory train"});
}

TEST_F(ResumableRunTest, RefusesAStateWithMoreThanIsRead) {
  save(2.5);
  const ResumableRun run(path("c"), "learn");
  expect_rejected([&] { run.load([](StateReader&) {}); }, {path("c"), "; accepted: "});
}

TEST_F(ResumableRunTest, ReportsTheFirstOfSeveralFailuresToSave) {
  int failures = 0;
  const auto count = [&] { ++failures; };
  ResumableRun run(path("c"), "learn");
  // A directory cannot be replaced by a file.
  std::filesystem::create_directories(path("c") + "/in");
  EXPECT_FALSE(run.save(resumable::state_of(1.0), count));
  EXPECT_FALSE(run.save(resumable::state_of(2.0), count));
  EXPECT_EQ(failures, 1);
  EXPECT_THAT(run.save_error(), ::testing::HasSubstr(path("c")));
  std::filesystem::remove_all(path("c"));
  EXPECT_TRUE(run.save(resumable::state_of(3.0), count));
  EXPECT_EQ(run.save_error(), "");
  std::filesystem::create_directories(path("d"));
  std::filesystem::remove(path("c"));
  std::filesystem::rename(path("d"), path("c"));
  EXPECT_FALSE(run.save(resumable::state_of(4.0), count));
  EXPECT_EQ(failures, 2) << "after a success, the next failure is a first one";
}

}  // namespace
}  // namespace shortfall::io
