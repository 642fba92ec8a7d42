// `solve` and `evaluate` with --sweep and with names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/apps/command_runner.hpp"

namespace shortfall::testing::solver_sweeps {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class SolverSweep : public ::testing::Test {
 protected:
  Workplace place;
  /// Three states; in the first, a safe action at cost 2 or a risky one at cost 0 or 3.
  std::string model = place.write("model.csv",
                                  "idstatefrom,idaction,idstateto,probability,cost\n"
                                  "1,1,2,1,2\n1,2,2,0.5,0\n1,2,3,0.5,3\n"
                                  "2,1,1,1,1\n3,1,1,1,2\n");
};

/// A point of a sweep starts from its neighbour's values, but is as exact as one solved alone.
TEST_F(SolverSweep, HasThePointsOfSingleRuns) {
  place.write("p.csv", "idstate,idaction\n1,2\n2,1\n3,1\n");
  for (const std::string command : {"solve model.csv", "evaluate model.csv --policy p.csv"}) {
    const Outcome outcome =
        place.run(command + " --sweep tau=0.1:0.9:0.2 --sweep gamma=0.5,0.99 --json");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const nlohmann::json points = outcome.json().at("sweep");
    ASSERT_EQ(points.size(), 10u);
    for (const nlohmann::json& point : points) {
      const std::string loss = point.at("loss").get<std::string>();
      EXPECT_EQ(loss, "expectile:" + point.at("set").at("tau").dump());
      const nlohmann::json alone =
          place
              .run(command + " --loss " + loss + " --gamma " + point.at("gamma").dump() + " --json")
              .json();
      const double bound =
          point.at("error_bound").get<double>() + alone.at("error_bound").get<double>();
      EXPECT_EQ(point.at("policy"), alone.at("policy"));
      for (std::size_t x = 0; x < 3; ++x) {
        EXPECT_NEAR(point.at("values").at(x).get<double>(), alone.at("values").at(x).get<double>(),
                    bound);
      }
    }
  }
}

TEST_F(SolverSweep, FailsAsAWholeIfAPointHasNoAnswer) {
  const std::string limits = " --max-iterations 2 --method value-iteration --tolerance 1e-9 --json";
  const Outcome outcome = place.run("solve model.csv --gamma 0.9 --sweep tau=0.5,0.9" + limits);
  EXPECT_EQ(outcome.exit_code, 1);
  const nlohmann::json points = outcome.json().at("sweep");
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points.at(1).at("status"), "iteration-limit");
  EXPECT_THAT(outcome.err, HasSubstr("model.csv, tau=0.9: not converged"));
}

TEST_F(SolverSweep, RefusesValuesByTheNameOfTheSweep) {
  const auto message = [&](const std::string& arguments) {
    const Outcome outcome = place.run("solve model.csv " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr("accepted")) << arguments;
    return outcome.err;
  };
  EXPECT_THAT(message("--loss mean --sweep gamma=0.5,1.5"), HasSubstr("--sweep gamma is 1.5"));
  EXPECT_THAT(message("--loss mean --gamma 1.5"), HasSubstr("--gamma is 1.5"));
  EXPECT_THAT(message("--gamma 0.5 --loss mean --sweep tau=0.1"),
              HasSubstr("--loss and --sweep tau"));
  EXPECT_THAT(message("--gamma 0.5 --sweep tau=0.5,0.5"),
              HasSubstr("--sweep tau=0.5,0.5: 0.5 is given twice"));
  EXPECT_THAT(message("--gamma 0.5 --sweep tau=0.5,0.50"), HasSubstr("0.5 and 0.50 are the same"));
  EXPECT_THAT(message("--gamma 0.5 --sweep loss=expectile:0.5,expectile:0.50"),
              HasSubstr("loss=expectile:0.5 and loss=expectile:0.50 are the same"));
}

TEST_F(SolverSweep, CountsOneStateAsOne) {
  place.write("one.csv", "idstatefrom,idaction,idstateto,probability,cost\n1,1,1,1,2\n");
  EXPECT_THAT(place.run("solve one.csv --loss mean --gamma 0.5").out,
              HasSubstr("one.csv: 1 state, 1 state-action pair, 1 outcome\n"));
}

TEST_F(SolverSweep, ShowsNamesInTheTables) {
  place.write("s.csv", "id,name\n1,at the crossing\n3,\"wet, cold\"\n");
  place.write("a.csv", "id,name\n2,short cut\n");
  const std::string names = " --state-names s.csv --action-names a.csv";
  const Outcome text = place.run("solve model.csv --loss mean --gamma 0.5" + names);
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("at the crossing  short cut"), HasSubstr("wet, cold")));
  const nlohmann::json document =
      place.run("solve model.csv --loss mean --gamma 0.5 --json" + names).json();
  EXPECT_EQ(document.at("state_names"), nlohmann::json({"at the crossing", "2", "wet, cold"}));
  EXPECT_EQ(document.at("action_names"), nlohmann::json({"1", "short cut"}));
  EXPECT_EQ(document.at("policy").at(0), 2);  // ids
  EXPECT_THAT(place.run("solve model.csv --sweep tau=0.5,0.9 --gamma 0.5" + names).out,
              HasSubstr("value of at the crossing"));
}

}  // namespace
}  // namespace shortfall::testing::solver_sweeps
