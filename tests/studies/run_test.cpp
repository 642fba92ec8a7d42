// Studies run part by part, and resume where they were stopped.
#include "studies/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "files/atomic_file.hpp"
#include "studies/kept_document.hpp"
#include "tests/files_for_tests.hpp"

namespace shortfall::studies {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RunStudy : public io::FileTest {
 protected:
  /// A study of three parts that records which ones it computes. Part `fails` throws.
  Study squares(int fails = 0) {
    Study study{.name = "squares", .title = "Squares", .question = "What?", .source = "Here"};
    for (const int number : {1, 2, 3}) {
      study.parts.push_back({.name = "number=" + std::to_string(number),
                             .seconds = 10.0 * number,
                             .compute = [this, number, fails](const OnProgress& on_progress) {
                               if (number == fails) throw std::runtime_error("killed");
                               computed.push_back(number);
                               on_progress(0.5);
                               return Json{{"number", number}, {"square", number * number / 3.0}};
                             }});
    }
    study.conclude = [](const std::vector<Json>& parts) {
      Results results;
      results.findings.push_back({"They grow", "yes", "1 to 9", Verdict::confirmed});
      for (const Json& part : parts) results.tables["squares"].push_back(part);
      return results;
    };
    return study;
  }

  static std::string replaced(std::string text, const std::string& old, const std::string& now) {
    return text.replace(text.find(old), old.size(), now);
  }

  RunOptions options(const std::string& folder = "out") const {
    return {.directory = path(folder)};
  }

  std::vector<int> computed;
};

TEST_F(RunStudy, WritesItsDocumentAndItsTablesAndLeavesNothingElse) {
  const Json document = run(squares(), options());
  EXPECT_EQ(document["study"], "squares");
  EXPECT_EQ(document["scale"], "full");
  EXPECT_EQ(document["seed"], 1);
  EXPECT_EQ(document["findings"][0]["verdict"], "confirmed");
  EXPECT_EQ(document["tables"]["squares"].size(), 3U);
  EXPECT_EQ(Json::parse(content(path("out/squares.json"))), document);
  EXPECT_EQ(content(path("out/csv/squares-squares.csv")),
            "number,square\n1,0.3333333333333333\n2,1.3333333333333333\n3,3.0\n");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path("out"))) {
    names.push_back(entry.path().filename());
  }
  EXPECT_THAT(names, ::testing::UnorderedElementsAre("squares.json", "csv"));
}

TEST_F(RunStudy, ResumesAndEndsWithTheSameBytes) {
  EXPECT_THROW((void)run(squares(3), options()), std::runtime_error);
  EXPECT_FALSE(std::filesystem::exists(path("out/squares.json")));
  EXPECT_THAT(computed, ElementsAre(1, 2));
  (void)run(squares(), options());
  EXPECT_THAT(computed, ElementsAre(1, 2, 3));
  (void)run(squares(), options("other"));
  EXPECT_EQ(content(path("out/squares.json")), content(path("other/squares.json")));
}

TEST_F(RunStudy, IsNotComputedAgainOnceItIsDone) {
  EXPECT_FALSE(is_done(squares(), options()));
  const Json document = run(squares(), options());
  EXPECT_TRUE(is_done(squares(), options()));
  computed.clear();
  EXPECT_EQ(run(squares(), options()), document);
  EXPECT_THAT(computed, IsEmpty());
}

TEST_F(RunStudy, DoesNotReuseResultsOfOtherOptions) {
  (void)run(squares(), options());
  EXPECT_THROW((void)run(squares(2), options("parts")), std::runtime_error);
  for (const std::string folder : {"out", "parts"}) {
    for (const StudyOptions other :
         {StudyOptions{.scale = Scale::quick}, StudyOptions{.seed = 2}}) {
      RunOptions changed = options(folder);
      changed.study = other;
      EXPECT_FALSE(is_done(squares(), changed));
      computed.clear();
      (void)run(squares(), changed);
      EXPECT_THAT(computed, ElementsAre(1, 2, 3));
    }
  }
}

TEST_F(RunStudy, RecomputesAPartWhoseFileWasChanged) {
  EXPECT_THROW((void)run(squares(3), options()), std::runtime_error);
  const std::string first = path("out/parts/squares/number=1.json");
  const std::string whole = content(first);
  const auto expect_computed = [&](const std::string& text, const std::vector<int>& expected) {
    std::ofstream(first, std::ios::trunc) << text;
    computed.clear();
    EXPECT_THROW((void)run(squares(3), options()), std::runtime_error);
    EXPECT_EQ(computed, expected) << text;
    EXPECT_EQ(content(first), whole);
  };
  expect_computed(whole, {});
  for (const std::string& text :
       {std::string(), std::string("{\"study\":\"squares\","), std::string("[1]"), std::string("3"),
        std::string("{}"), std::string("{\"checksum\":\"0000"),
        std::string(R"({"study":"squares","scale":"full","seed":1,"version":"0.1.0"})"),
        replaced(whole, R"("square":0.333)", R"("square":0.334)"),
        replaced(whole, R"({"number":1,"square":0.3333333333333333})", "null"),
        replaced(whole, "\"result\"", "\"findings\""), whole + " ", whole.substr(0, 99),
        content(path("out/parts/squares/number=2.json"))}) {
    expect_computed(text, {1});
  }
}

TEST_F(RunStudy, DoesNotReuseADocumentThatWasChanged) {
  const Json document = run(squares(), options());
  const std::string whole = content(path("out/squares.json"));
  const std::string finding =
      whole.substr(whole.find("[", whole.find("findings")), whole.find("]") - whole.find("[") + 1);
  for (const std::string& text :
       {replaced(whole, finding, "[{}]"), replaced(whole, finding, "5"),
        replaced(whole, "1 to 9", "1 to 8"), replaced(whole, "\"tables\"", "\"table\""),
        whole.substr(0, whole.size() - 3), std::string("{}")}) {
    ASSERT_NE(text, whole);
    std::ofstream(path("out/squares.json"), std::ios::trunc) << text;
    EXPECT_FALSE(is_done(squares(), options())) << text;
    EXPECT_EQ(run(squares(), options()), document);
    EXPECT_EQ(content(path("out/squares.json")), whole);
  }
}

TEST_F(RunStudy, ReusesOnlyDocumentsWithFindingsAndTables) {
  const Json document = run(squares(), options());
  const auto is_taken = [&](const char* key, const Json& value) {
    Json changed = document;
    changed[key] = value;
    (void)keep(path("out/squares.json"), changed, Layout::rows);
    return is_done(squares(), options());
  };
  EXPECT_TRUE(is_taken("findings", document["findings"]));
  EXPECT_TRUE(is_taken("findings", Json::array()));
  Json finding = document["findings"][0];
  finding["verdict"] = "perhaps";
  for (const Json& wrong :
       {Json(5), Json(), Json::array({Json::object()}), Json::array({finding})}) {
    EXPECT_FALSE(is_taken("findings", wrong)) << wrong;
  }
  EXPECT_TRUE(is_taken("tables", Json::object()));
  for (const Json& wrong : {Json(5), Json::array(), Json{{"squares", 5}}, Json{{"squares", {5}}}}) {
    EXPECT_FALSE(is_taken("tables", wrong)) << wrong;
  }
}

TEST_F(RunStudy, ConcludesFromStoredResultsInterruptedOrNot) {
  Study study = squares();
  study.parts.resize(1);
  study.parts[0].compute = [](const OnProgress&) {
    return Json{{"value", std::numeric_limits<double>::infinity()}};
  };
  Json seen;
  study.conclude = [&](const std::vector<Json>& parts) {
    seen = parts[0];
    return Results{};
  };
  (void)run(study, options());
  EXPECT_TRUE(seen["value"].is_null()) << seen;
}

TEST_F(RunStudy, ReportsProgressAndSkippedWork) {
  EXPECT_THROW((void)run(squares(2), options()), std::runtime_error);
  std::vector<double> done;
  double skipped = 0.0;
  RunOptions watched = options();
  watched.on_progress = [&](const Progress& progress) {
    done.push_back(progress.done);
    skipped = progress.skipped;
  };
  (void)run(squares(), watched);
  EXPECT_EQ(skipped, 10.0);
  EXPECT_THAT(done, ElementsAre(0.0, 10.0, 20.0, 35.0, 50.0));
}

TEST_F(RunStudy, ReportsWhereItCannotWrite) {
  const RunOptions inside_a_file = {.directory = file("text", "taken")};
  const std::string message =
      io::failure_of<io::OutputError>([&] { (void)run(squares(), inside_a_file); });
  EXPECT_THAT(message, ::testing::HasSubstr("taken"));
}

}  // namespace
}  // namespace shortfall::studies
