// Output of studies: rows as CSV, documents as text, pages and Markdown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "report/page.hpp"
#include "report/rows.hpp"
#include "studies/findings.hpp"

namespace shortfall::studies {
namespace {

using report::csv_of;
using ::testing::HasSubstr;

TEST(Rows, AreCsvThatCanBeReadBack) {
  const Json rows = {{{"b", 0.1}, {"a", "(10,1,20,5)"}, {"c", true}},
                     {{"b", nullptr}, {"a", "say \"no\""}, {"c", false}},
                     {{"b", std::numeric_limits<double>::infinity()}, {"a", "x"}, {"c", true}}};
  EXPECT_EQ(csv_of(rows), "b,a,c\n0.1,\"(10,1,20,5)\",true\n,\"say \"\"no\"\"\",false\n,x,true\n");
  EXPECT_EQ(csv_of(Json::array()), "");
}

TEST(Rows, MustHaveTheSameKeysAndBeFlat) {
  EXPECT_THROW(csv_of({{{"a", 1}}, {{"b", 1}}}), std::logic_error);
  EXPECT_THROW(csv_of({{{"a", 1}, {"b", 2}}, {{"a", 1}}}), std::logic_error);
  EXPECT_THROW(csv_of({{{"a", 1}, {"b", 2}}, {{"b", 1}, {"a", 2}}}), std::logic_error);
  EXPECT_THROW(csv_of({{{"a", {1, 2}}}}), std::logic_error);
}

TEST(Documents, HaveOneLinePerRow) {
  const Json document = {{"name", "x"}, {"tables", {{"t", {{{"a", 1}}, {{"a", 2}}}}}}};
  const std::string text = report::text_of(document);
  EXPECT_EQ(text,
            "{\n \"name\": \"x\",\n \"tables\": {\n  \"t\": [\n   {\"a\":1},\n   {\"a\":2}\n  ]\n }"
            "\n}\n");
  EXPECT_EQ(Json::parse(text), document);
}

TEST(Pages, ContainAnyKindOfData) {
  const Json data = {{"kind", "plan"}, {"source", "</script><script>alert(1)</script><!--"}};
  for (const report::Page page : {report::Page::report, report::Page::plan}) {
    const std::string html = report::html_of(page, data);
    const std::string begin = R"(<script type="application/json" id="data">)";
    const std::size_t first = html.find(begin);
    ASSERT_NE(first, std::string::npos);
    const std::size_t from = first + begin.size();
    const std::string text = html.substr(from, html.find("</script>", from) - from);
    EXPECT_EQ(Json::parse(text), data);
    // Not as matchers, which would print a megabyte.
    EXPECT_EQ(html.find("<!--DATA-->"), std::string::npos);
    EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  }
}

Json document_with(const std::vector<std::string>& verdicts) {
  Json document = {{"study", "s"},     {"title", "T"}, {"question", "Q?"}, {"source", "Table 1"},
                   {"scale", "quick"}, {"seed", 7},    {"version", "1.2"}, {"findings", {}}};
  for (const std::string& verdict : verdicts) {
    document["findings"].push_back(
        {{"claim", "a|b"}, {"published", ""}, {"found", "1\n2"}, {"verdict", verdict}});
  }
  return document;
}

TEST(Findings, AreCountedByVerdict) {
  const auto [confirmed, refuted, open] =
      count_verdicts(document_with({"confirmed", "open", "refuted", "confirmed"}));
  EXPECT_EQ(confirmed, 2);
  EXPECT_EQ(refuted, 1);
  EXPECT_EQ(open, 1);
}

TEST(Findings, AreMarkdownWithTheCommandOfEach) {
  const std::string text =
      markdown_of({document_with({"confirmed"}), document_with({"refuted", "open"})});
  EXPECT_THAT(text, HasSubstr("1 confirmed, 1 refuted,\n1 left open"));
  EXPECT_THAT(text, HasSubstr("`shortfall reproduce s --out DIR`"));
  EXPECT_THAT(text, HasSubstr("| a\\|b |  | 1 2 | refuted |"));
}

TEST(Findings, BeginWithWhatChangesSidesWithTheTraining) {
  EXPECT_THAT(markdown_of({document_with({"open"})}), ::testing::Not(HasSubstr("changes sides")));
  Json document = document_with({"open"});
  document["tables"] = {
      {"changed_sides", {{{"claim", "a|b"}, {"ours", "confirmed"}, {"as_published", "open"}}}}};
  EXPECT_THAT(markdown_of({document}), HasSubstr("## What changes sides with the training"));
  EXPECT_THAT(markdown_of({document}), HasSubstr("| T | a\\|b | confirmed | open |"));
}

}  // namespace
}  // namespace shortfall::studies
