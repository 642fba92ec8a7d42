#include "judge.hpp"

#include <algorithm>
#include <cstdio>

namespace oracle {
namespace {

template <class... Values>
std::string format(const char* pattern, Values... values) {
  char buffer[256];
  std::snprintf(buffer, sizeof buffer, pattern, values...);
  return buffer;
}

/// 0 if there are none.
double quantile(std::vector<double> values, double level) {
  if (values.empty()) return 0.0;
  const auto last = static_cast<double>(values.size() - 1);
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(level * last);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

}  // namespace

void Summary::add(const std::string& kind, const std::vector<std::string>& ingredients,
                  const Verdict& verdict) {
  ++cases_;
  const bool violated = verdict.finding == Finding::violated;
  violations_ += violated ? 1 : 0;
  undecided_ += verdict.finding == Finding::undecided ? 1 : 0;
  const auto count = [&](Count& counts) {
    ++counts.cases;
    if (verdict.finding == Finding::undecided) return;
    ++counts.judged;
    counts.exact += verdict.exact ? 1 : 0;
    counts.violations += violated ? 1 : 0;
    counts.ratios.push_back(verdict.ratio);
  };
  count(kinds_[kind]);
  for (const std::string& ingredient : ingredients) count(ingredients_[ingredient]);
}

void Summary::add_refusal(const std::string& kind, const std::vector<std::string>& ingredients,
                          const std::string& why) {
  ++cases_;
  ++refusals_;
  ++reasons_[why];
  ++kinds_[kind].cases;
  for (const std::string& ingredient : ingredients) ++ingredients_[ingredient].cases;
}

std::string Summary::text() const {
  std::string text;
  const auto table = [&](const char* name, const std::map<std::string, Count>& counts) {
    text += format("%-46s %7s %7s %7s %10s  %-9s %s\n", name, "cases", "judged", "exact",
                   "violations", "median", "worst error/bound");
    for (const auto& [key, count] : counts) {
      text += format("%-46s %7zu %7zu %7zu %10zu  %-9.2g %.4g\n", key.c_str(), count.cases,
                     count.judged, count.exact, count.violations, quantile(count.ratios, 0.5),
                     quantile(count.ratios, 1.0));
    }
    text += "\n";
  };
  table("kind", kinds_);
  table("ingredient", ingredients_);
  for (const auto& [why, count] : reasons_) {
    text += format("%7zu not judged: %s\n", count, why.c_str());
  }
  text += format("%7zu not judged: the exact solution could not be certified\n", undecided_);
  text += format("%zu cases, %zu judged, %zu violations\n", cases_, cases_ - refusals_ - undecided_,
                 violations_);
  return text;
}

}  // namespace oracle
