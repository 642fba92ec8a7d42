// `shortfall show` on every kind of file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/stream_checkpoint.hpp"
#include "installation.hpp"
#include "shortfall/checkpoint/checkpoint.hpp"
#include "tests/apps/command_runner.hpp"
#include "tests/apps/stream_for_tests.hpp"

namespace shortfall::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Show, OfLearnHasWhatTheRunPrinted) {
  const Workplace place;
  place.write("stream.csv", StreamForTests(3, 500).csv());
  for (const std::string options :
       {"--algorithm newton --loss expectile:0.7 --gamma 0.5 --warmup 50",
        "--algorithm td --loss entropic:0.01 --gamma 0.25 --step 0.05 --average-from 100",
        "--algorithm td-lambda --loss piecewise:-1:-1,0:0,1:3 --gamma 1 --lambda 0.125"}) {
    const Outcome run = place.run("learn --json --checkpoint state stream.csv " + options);
    ASSERT_LE(run.exit_code, 1) << run.err;  // 1: values have not settled
    const nlohmann::json shown = place.run("show state --json").json();
    EXPECT_EQ(shown.at("kind"), "learn");
    EXPECT_EQ(shown.at("version"), 3);
    for (const char* const key : {"theta", "updates", "status"}) {
      EXPECT_EQ(shown.at(key), run.json().at(key)) << key;
    }
    for (const char* const key : {"algorithm", "loss", "gamma"}) {
      EXPECT_EQ(shown.at("options").at(key), run.json().at(key)) << key;
    }
    if (run.json().contains("distance_to_singularity")) {
      EXPECT_EQ(shown.at("distance_to_singularity"), run.json().at("distance_to_singularity"));
    }
    const nlohmann::json& stream = shown.at("stream");
    EXPECT_EQ(stream.at("source"), "file");
    EXPECT_EQ(stream.at("rows"), 500);
    EXPECT_EQ(stream.at("next_row"), 501);
    EXPECT_EQ(stream.at("bytes"), place.read("stream.csv").size());
    EXPECT_TRUE(stream.at("seq").is_null());
    std::remove(place.path("state").c_str());
  }
}

TEST(Show, HasTheLastSequenceNumber) {
  const Workplace place;
  place.write("stream.ndjson",
              "{\"x\":[1],\"y\":[1],\"cost\":1,\"seq\":41}\n"
              "{\"x\":[1],\"y\":[1],\"cost\":1,\"seq\":77}\n");
  ASSERT_EQ(place.run("learn stream.ndjson --loss mean --gamma 0.5 --algorithm td --checkpoint s")
                .exit_code,
            0);
  EXPECT_EQ(place.run("show s --json").json().at("stream").at("seq"), 77);
  EXPECT_THAT(place.run("show s").out, AllOf(HasSubstr("seq           77"), HasSubstr("ndjson")));
}

TEST(Show, KnowsTrainingsAndSolutions) {
  const Workplace place;
  place.write("plan.toml",
              "[inventory]\nshelf_life = 2\ncapacity = 4\n"
              "[demand]\ndistribution = \"poisson\"\nmean = 1.5\nmax = 4\n"
              "[arrival]\nfresh = true\n"
              "[cost]\norder = 1\nholding = 1\nshortage = 20\nwastage = 5\n"
              "[risk]\nloss = \"expectile:0.9\"\ngamma = 0.6\n");
  const Outcome solved = place.run("inventory solve plan.toml --json --save solution");
  ASSERT_EQ(solved.exit_code, 0) << solved.err;
  const nlohmann::json solution = place.run("show solution --json").json();
  EXPECT_EQ(solution.at("kind"), "inventory solution");
  for (const char* const key : {"states", "value_at_empty", "order_at_empty", "error_bound"}) {
    EXPECT_EQ(solution.at(key), solved.json().at(key)) << key;
  }
  const Outcome trained = place.run(
      "inventory train plan.toml --json --algorithm td --iterations 2 --samples 2000 --checkpoint "
      "training");
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const nlohmann::json training = place.run("show training --json").json();
  EXPECT_EQ(training.at("kind"), "inventory train");
  EXPECT_EQ(training.at("updates"), 2);
  EXPECT_EQ(training.at("options").at("samples"), 2000);
  EXPECT_EQ(training.at("value_at_empty"), trained.json().at("value_at_empty"));
  EXPECT_EQ(training.at("optimal_at_empty"), trained.json().at("optimal_at_empty"));
  const Outcome learned =
      place.run("learn - --loss mean --gamma 0.5 --algorithm td --checkpoint training",
                "x1,y1,cost\n1,1,1\n");
  EXPECT_EQ(learned.exit_code, 2);
  EXPECT_THAT(learned.err, HasSubstr("training: this is a checkpoint of shortfall inventory train; "
                                     "accepted: one of shortfall learn, or another file"));
}

TEST(Show, RefusesWhatItDoesNotKnow) {
  const Workplace place;
  place.write("stream.csv", "x1,y1,cost\n1,1,1\n");
  ASSERT_EQ(
      place.run("learn stream.csv --loss mean --gamma 0.5 --algorithm td --checkpoint s").exit_code,
      0);
  const std::string state = place.read("s");
  const auto refused = [&](const std::string& name, const std::string& part) {
    const Outcome outcome = place.run("show --json " + name);
    EXPECT_EQ(outcome.exit_code, 2) << part;
    EXPECT_TRUE(outcome.out.empty());
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(name), HasSubstr(part), HasSubstr("accepted: ")));
  };
  refused("stream.csv", "neither a checkpoint nor a saved solution");
  refused("nowhere", "there is no such file");
  refused("/tmp", "this is a directory");
  const std::size_t version_at = std::string("shortfall checkpoint\n").size();
  std::string older = state;
  older[version_at] = 1;
  place.write("older", older);
  refused("older",
          "version 1, written by an older shortfall; accepted: version 2 to 3; use the "
          "shortfall that wrote it, or start over with another file");
  std::string damaged = state;
  damaged[version_at + 30] = static_cast<char>(damaged[version_at + 30] ^ 1);
  place.write("damaged", damaged);
  refused("damaged", "damaged: its checksum does not match");
  place.write("cut", state.substr(0, state.size() - 3));
  refused("cut", "truncated");
  io::StateWriter other;
  other(std::string("backgammon"));
  io::write_checkpoint(place.path("other"), other.bytes());
  refused("other", "a checkpoint of kind \"backgammon\"");
  io::write_checkpoint(place.path("archive"), std::string("\4\0\0\0\0\0\0\0\1\2\3\377", 12));
  refused("archive", "an archive that another program wrote with the library");
}

/// The checkpoint "s" of `learn`, changed and with a right checksum, as "forged".
template <class Change>
void forge(const Workplace& place, const Change& change) {
  const std::string bytes = io::read_checkpoint(place.path("s")).value();
  io::StateReader before("s", bytes);
  std::string kind;
  before(kind);
  learn::StreamCheckpoint checkpoint;
  std::string learner;
  checkpoint.archive(before);
  before(learner);
  change(checkpoint);
  io::StateWriter forged;
  forged(kind);
  checkpoint.archive(forged);
  forged(learner);
  io::write_checkpoint(place.path("forged"), forged.bytes());
}

void set_option(learn::StreamCheckpoint& checkpoint, const std::string& name,
                const std::string& value) {
  for (auto& [known, text] : checkpoint.options) {
    if (known == name) text = value;
  }
}

class ShowForged : public ::testing::Test {
 protected:
  ShowForged() {
    place.write("stream.csv", "x1,y1,cost\n1,1,1\n");
    const std::string options = "--loss mean --gamma 0.5 --algorithm newton --warmup 1";
    EXPECT_EQ(place.run("learn stream.csv --checkpoint s " + options).exit_code, 0);
  }

  void expect_refused(const std::string& part) const {
    const Outcome outcome = place.run("show forged --json");
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("forged: "), HasSubstr(part)));
  }

  Workplace place;
};

TEST_F(ShowForged, CountsAreDigits) {
  for (const std::string count : {".5", "1e5", "-1", "9223372036854775808", "", "7 "}) {
    forge(place, [&](auto& checkpoint) { set_option(checkpoint, "--warmup", count); });
    expect_refused("warmup is " + count + "; accepted: a count");
  }
}

// A file of a few kilobytes that asks for gigabytes.
TEST_F(ShowForged, FeaturesBeyondTheStateAreRefused) {
  for (const std::string algorithm : {"td", "newton"}) {
    forge(place, [&](learn::StreamCheckpoint& checkpoint) {
      set_option(checkpoint, "--algorithm", algorithm);
      checkpoint.position.dimension = algorithm == "td" ? 100'000'000 : 3'000;
    });
    expect_refused("the state of a learner with");
  }
}

TEST_F(ShowForged, OptionsThatAreNotNumbersInJsonAreText) {
  forge(place,
        [](learn::StreamCheckpoint& checkpoint) { set_option(checkpoint, "--lambda", ".5"); });
  EXPECT_EQ(place.run("show forged --json").json().at("options").at("lambda"), ".5");
}

TEST_F(ShowForged, ResultsThatAreNotJsonOrNestedTooDeeplyAreRefused) {
  const auto refused = [&](const std::string& result, const std::string& part) {
    io::StateWriter state;
    state(std::string("reproduce"));
    io::archive(state, io::RecordedOptions{});
    state(result);
    io::write_checkpoint(place.path("forged"), state.bytes());
    expect_refused(part);
  };
  refused("{", "the result is not JSON");
  refused(std::string(1'000'000, '['), "the result is nested too deeply");
}

// A forged content with a right checksum must not crash it.
TEST(Show, SurvivesEveryCutOfAContent) {
  const Workplace place;
  place.write("stream.csv", "seq,x1,y1,cost\n3,1,1,1\n");
  ASSERT_EQ(place
                .run("learn stream.csv --loss mean --gamma 0.5 --algorithm newton --warmup 1 "
                     "--checkpoint s --predictions p.csv")
                .exit_code,
            0);
  const std::string bytes = io::read_checkpoint(place.path("s")).value();
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 12) {
    io::write_checkpoint(place.path("cut"), bytes.substr(0, size));
    EXPECT_EQ(place.run("show cut").exit_code, 2) << size;
  }
}

}  // namespace
}  // namespace shortfall::testing
