#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "studies/study.hpp"

namespace shortfall::studies {

/// The result of a part as read back from its file.
template <class Result = Json>
Result computed(const Part& part) {
  const Json result = Json::parse(part.compute([](double) {}).dump());
  return result.get<Result>();
}

/// The conclusion from these results, written and read back.
template <class Result>
Results conclude(const Study& study, const std::vector<Result>& results) {
  std::vector<Json> parts;
  for (const Result& result : results) {
    parts.push_back(Json::parse(Json(result).dump()));
    EXPECT_TRUE(study.conclude.accepts(parts.back())) << parts.back();
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

/// The keys of the first row, which all others must have.
inline std::vector<std::string> columns_of(const Json& rows) {
  (void)report::csv_of(rows);  // throws if they do not
  std::vector<std::string> columns;
  for (const auto& [key, value] : rows.front().items()) columns.push_back(key);
  return columns;
}

}  // namespace shortfall::studies
