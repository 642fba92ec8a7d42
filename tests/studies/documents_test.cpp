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

Json document_with(const std::vector<std::string>& verdicts, const char* origin = "paper") {
  Json document = {
      {"study", "s"},     {"title", "T"}, {"question", "Q?"}, {"source", "Table 1"},
      {"scale", "quick"}, {"seed", 7},    {"version", "1.2"}, {"source_hash", "0123456789abcdef"},
      {"findings", {}}};
  for (const std::string& verdict : verdicts) {
    document["findings"].push_back({{"claim", "a|b"},
                                    {"published", ""},
                                    {"found", "1\n2"},
                                    {"verdict", verdict},
                                    {"origin", origin}});
  }
  return document;
}

TEST(Findings, AreCountedByVerdictAndByWhoseTheyAre) {
  Json document = document_with({"confirmed", "open", "refuted", "confirmed", "not-reproduced"});
  const Json own = document_with({"not-comparable", "confirmed"}, "ours");
  for (const Json& finding : own["findings"]) document["findings"].push_back(finding);
  const auto [paper, ours] = count_verdicts(document);
  EXPECT_EQ(paper.text(), "2 confirmed, 1 refuted, 1 not reproduced, 1 left open");
  EXPECT_EQ(ours.text(), "1 confirmed, 1 not comparable");
  EXPECT_EQ(paper.all() + ours.all(), 7);
  EXPECT_EQ(Verdicts().text(), "none");
}

const Computed nowhere = {};

TEST(Findings, AreMarkdownWithTheCommandOfEach) {
  const std::string text = markdown_of(
      {document_with({"confirmed"}), document_with({"refuted", "not-reproduced"}, "ours")},
      nowhere);
  EXPECT_THAT(text, HasSubstr("can be computed: 1 confirmed. Our own statements: 1 refuted, 1 not "
                              "reproduced.\n"));
  EXPECT_THAT(text, HasSubstr("`shortfall reproduce s --out DIR`"));
  EXPECT_THAT(text, HasSubstr("| a\\|b | ours |  | 1 2 | refuted |"));
  EXPECT_THAT(text, HasSubstr("| 1 2 | not reproduced |"));
}

TEST(Findings, SayWhichProgramComputedThemWhenAndWhere) {
  const Json document = document_with({"confirmed"});
  const std::string text = markdown_of({document}, {.commit = "abc with changes",
                                                    .date = "2026-11-16",
                                                    .processor = "Some Processor",
                                                    .cores = 2,
                                                    .seconds = 61.0});
  EXPECT_THAT(text, HasSubstr("version 1.2, commit abc with changes, on 2026-11-16, on a machine "
                              "with Some Processor, 2 cores; scale quick, seed 7, 2 minutes.\n"));
  EXPECT_THAT(text, HasSubstr("\nHash of the sources: 0123456789abcdef\n"));
  const std::string unknown = markdown_of({document}, nowhere);
  EXPECT_THAT(unknown, HasSubstr("version 1.2, built outside a git tree, on an unknown day, on a "
                                 "machine with a processor of unknown model; scale quick, seed 7; "
                                 "the results were there already.\n"));
}

TEST(Findings, BeginWithWhatChangesSidesWithTheTraining) {
  EXPECT_THAT(markdown_of({document_with({"open"})}, nowhere),
              ::testing::Not(HasSubstr("changes sides")));
  Json document = document_with({"open"});
  document["tables"] = {
      {"changed_sides",
       {{{"claim", "a|b"}, {"ours", "confirmed"}, {"as_published", "not-reproduced"}}}}};
  const std::string text = markdown_of({document}, nowhere);
  EXPECT_THAT(text, HasSubstr("## What changes sides with the training"));
  EXPECT_THAT(text, HasSubstr("| T | a\\|b | confirmed | not reproduced |"));
}

}  // namespace
}  // namespace shortfall::studies
