#include "shortfall/formats/law_csv.hpp"

#include <string>

#include "tests/files_for_tests.hpp"

namespace shortfall::io {
namespace {

using ::testing::ElementsAre;

class LawCsv : public FileTest {
 protected:
  LoadedLaw read(const std::string& text) { return read_law_csv(file(text)); }
  void expect_refused(const std::string& text, std::initializer_list<std::string_view> parts) {
    const std::string name = file(text);
    expect_rejected([&] { read_law_csv(name); }, {name});
    expect_rejected([&] { read_law_csv(name); }, parts);
  }
};

TEST_F(LawCsv, IsAColumnOfNumbersOfEqualWeight) {
  for (const std::string text :
       {"1\n-2.5\n3e2\n4\n", "value\n1\n-2.5\n3e2\n4\n",
        "\xEF\xBB\xBFvalue\r\n1\r\n-2.5\r\n3e2\r\n4", "+1\n -2.5\n\"300\"\n4\n\n"}) {
    const LoadedLaw law = read(text);
    EXPECT_THAT(law.atoms, ElementsAre(1.0, -2.5, 300.0, 4.0)) << text;
    EXPECT_THAT(law.probabilities, ElementsAre(0.25, 0.25, 0.25, 0.25)) << text;
  }
}

TEST_F(LawCsv, IsAColumnOfValuesAndOneOfProbabilities) {
  for (const std::string text :
       {"5,0.25\n7,0.75\n", "value,probability\n5,0.25\n7,0.75\n",
        "probability,value\n0.25,5\n0.75,7\n", "\"5\", 0.25\n7 ,+7.5e-1"}) {
    const LoadedLaw law = read(text);
    EXPECT_THAT(law.atoms, ElementsAre(5.0, 7.0)) << text;
    EXPECT_THAT(law.probabilities, ElementsAre(0.25, 0.75)) << text;
  }
}

TEST_F(LawCsv, MayBeOneNumber) {
  const LoadedLaw law = read("42");
  EXPECT_THAT(law.atoms, ElementsAre(42.0));
  EXPECT_THAT(law.probabilities, ElementsAre(1.0));
}

TEST_F(LawCsv, RescalesProbabilitiesThatNearlySumToOne) {
  const LoadedLaw law = read("1,0.3333333\n2,0.3333333\n3,0.3333333\n");
  // Each is q / (3 q) with a sum rounded twice: at most 1.5 ulp of 1/3, below one epsilon.
  for (const double p : law.probabilities) EXPECT_NEAR(p, 1.0 / 3.0, 2.3e-16);
  EXPECT_NO_THROW(validate(law.law()));
}

TEST_F(LawCsv, RefusesProbabilitiesThatDoNotSumToOne) {
  expect_refused("1,0.5\n2,0.25\n", {"column probability", "the sum is 0.75", "1 within 1e-06"});
}

TEST_F(LawCsv, RefusesWhatIsNotANumberWithItsLine) {
  expect_refused("1\n2\nx\n", {"line 3", "column value", "\"x\"", "a finite number"});
  expect_refused("value\n1\nnan\n", {"line 3", "column value", "\"nan\"", "a finite number"});
  expect_refused("nan\n1\n", {"line 1", "column value", "\"nan\"", "a finite number"});
  expect_refused("1,0.5\n2,half\n", {"line 2", "column probability", "\"half\""});
  expect_refused("1,half\n", {"line 1", "column probability", "\"half\""});
  expect_refused("1 2 3\n", {"line 1", "\"1 2 3\"", "a column of numbers"});
}

TEST_F(LawCsv, RefusesProbabilitiesOutsideTheUnitInterval) {
  expect_refused("1,-0.5\n2,1.5\n", {"line 1", "column probability", "\"-0.5\"", "in [0, 1]"});
  expect_refused("value,probability\n1,0.5\n2,1.5\n", {"line 3", "\"1.5\"", "in [0, 1]"});
}

TEST_F(LawCsv, RefusesTheWrongNumberOfFields) {
  expect_refused("1,0.5,3\n", {"line 1", "found 3 fields", "value,probability"});
  expect_refused("1\n2,0.5\n", {"line 2", "found 2 field(s)", "1: value"});
  expect_refused("1,0.5\n2\n", {"line 2", "found 1 field(s)", "2: value,probability"});
  expect_refused("1\n\n2\n", {"line 2", "blank"});
}

TEST_F(LawCsv, RefusesABadHeader) {
  const auto accepted = "a column of numbers, or two: value,probability";
  expect_refused("cost\n1\n", {"line 1", "unknown column \"cost\"", accepted});
  expect_refused("probability\n1\n", {"line 1", "column value is missing", accepted});
  expect_refused("value,value\n1,1\n", {"line 1", "column value appears twice", accepted});
}

TEST_F(LawCsv, RefusesAFileWithoutNumbers) {
  expect_refused("value\n", {"there is no number"});
  expect_refused("\n", {"line 1", "blank", "a column of numbers"});
  expect_refused("", {"empty"});
}

}  // namespace
}  // namespace shortfall::io
