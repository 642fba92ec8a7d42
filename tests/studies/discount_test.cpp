// Where the discount stands: verdicts on made-up rows, and those of the study itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "studies/discount.hpp"
#include "tests/studies/results_for_tests.hpp"

namespace shortfall::studies {
namespace {

std::vector<Verdict> verdicts(const std::function<void(std::vector<DiscountRow>&)>& change) {
  std::vector<DiscountRow> rows = {
      {.loss = "mean", .is_homogeneous = true, .gamma = 0.5, .certified = 1e-9},
      {.loss = "entropic:1", .gamma = 0.5, .from_bellman = 0.2, .certified = 1e-9}};
  for (DiscountRow& row : rows) row.from_rescaled = 1e-10;
  change(rows);
  std::vector<Verdict> found;
  for (const Finding& finding : conclude_discount({{rows}}).findings) {
    found.push_back(finding.verdict);
  }
  return found;
}

TEST(DiscountFindings, CouldComeOutEitherWay) {
  using ::testing::ElementsAre;
  constexpr auto yes = Verdict::confirmed;
  constexpr auto no = Verdict::refuted;
  EXPECT_THAT(verdicts([](auto&) {}), ElementsAre(no, yes, yes));
  EXPECT_THAT(verdicts([](auto& rows) { rows[1].from_bellman = 1e-10; }),
              ElementsAre(yes, no, yes));
  EXPECT_THAT(verdicts([](auto& rows) { rows[0].from_bellman = 1e-3; }), ElementsAre(no, no, yes));
  EXPECT_THAT(verdicts([](auto& rows) { rows[1].from_rescaled = 1e-3; }), ElementsAre(no, yes, no));
}

TEST(DiscountStudy, FindsThatThePaperContradictsItself) {
  const Study study = discount({});
  ASSERT_EQ(study.parts.size(), 1U);
  const Results results = conclude<DiscountRows>(study, {computed<DiscountRows>(study.parts[0])});
  ASSERT_EQ(results.findings.size(), 3U);
  EXPECT_EQ(results.findings[0].verdict, Verdict::refuted);
  EXPECT_EQ(results.findings[0].origin, Origin::paper);
  EXPECT_THAT(results.findings[0].found, ::testing::StartsWith("not in 6 of 12 cases"));
  for (const std::size_t k : {1U, 2U}) {
    EXPECT_EQ(results.findings[k].verdict, Verdict::confirmed) << results.findings[k].found;
    EXPECT_EQ(results.findings[k].origin, Origin::ours);
  }
}

}  // namespace
}  // namespace shortfall::studies
