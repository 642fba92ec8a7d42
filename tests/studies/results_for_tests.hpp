#pragma once

#include <gtest/gtest.h>

#include <any>
#include <string>
#include <string_view>
#include <vector>

#include "studies/study.hpp"

namespace shortfall::studies {

/// The result of a part.
template <class Result>
Result computed(const Part& part) {
  return std::any_cast<Result>(part.compute([](double) {}));
}

/// The conclusion from these results, written and read back.
template <class Result>
Results conclude(const Study& study, const std::vector<Result>& results) {
  std::vector<std::any> parts;
  for (const Result& result : results) {
    const Json written = Json::parse(Json(result).dump());
    parts.push_back(study.conclude.result_of(written));
    EXPECT_TRUE(parts.back().has_value()) << written;
  }
  return study.conclude(parts);
}

/// The verdict of the one finding whose claim starts like this.
inline Verdict verdict_on(const Results& results, std::string_view beginning) {
  const Finding* found = nullptr;
  for (const Finding& finding : results.findings) {
    if (!finding.claim.starts_with(beginning)) continue;
    EXPECT_EQ(found, nullptr) << "two findings begin with " << beginning;
    found = &finding;
  }
  EXPECT_NE(found, nullptr) << "no finding begins with " << beginning;
  return found ? found->verdict : Verdict::open;
}

/// The index of the refuted finding, or their number if none is. The test fails if there are
/// several, or one that is open.
inline std::size_t refuted_of(const std::vector<Finding>& findings) {
  std::size_t refuted = findings.size();
  for (std::size_t k = 0; k < findings.size(); ++k) {
    if (findings[k].verdict == Verdict::confirmed) continue;
    EXPECT_EQ(findings[k].verdict, Verdict::refuted) << findings[k].claim;
    EXPECT_EQ(refuted, findings.size()) << findings[k].claim;
    refuted = k;
  }
  return refuted;
}

/// The keys of the first row, which all others must have.
inline std::vector<std::string> columns_of(const Json& rows) {
  (void)report::csv_of(rows);  // throws if they do not
  std::vector<std::string> columns;
  for (const auto& [key, value] : rows.front().items()) columns.push_back(key);
  return columns;
}

}  // namespace shortfall::studies
