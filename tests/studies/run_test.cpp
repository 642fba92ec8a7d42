// Studies run part by part, and resume where they were stopped.
#include "studies/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <regex>
#include <stdexcept>

#include "files/atomic_file.hpp"
#include "shortfall/checkpoint/checkpoint.hpp"
#include "studies/saved_document.hpp"
#include "tests/files_for_tests.hpp"

namespace shortfall::studies {

struct Square {
  int number = 0;
  double square = 0.0;
  SHORTFALL_RECORD(number, square)
};

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RunStudy : public io::FileTest {
 protected:
  /// A study of three parts that records which ones it computes. Part `fails` throws.
  Study squares(int fails = 0, const std::string& name = "squares") {
    Study study{.name = name, .title = "Squares", .question = "What?", .source = "Here"};
    for (const int number : {1, 2, 3}) {
      study.parts.push_back({.name = "number=" + std::to_string(number),
                             .seconds = 10.0 * number,
                             .compute = [this, number, fails](const OnProgress& on_progress) {
                               if (number == fails) throw std::runtime_error("killed");
                               computed.push_back(number);
                               on_progress(0.5);
                               return Square{number, number * number / 3.0};
                             }});
    }
    study.conclude = std::function([](const std::vector<Square>& parts) {
      return Results{.findings = {{"They grow", "yes", "1 to 9", Verdict::confirmed}},
                     .tables = {{"squares", parts}}};
    });
    return study;
  }

  static std::string replaced(std::string text, const std::string& old, const std::string& now) {
    return text.replace(text.find(old), old.size(), now);
  }

  static bool is_done(const Study& study, const RunOptions& options) {
    return StudyRun(study, options).is_done();
  }
  static double seconds_left(const Study& study, const RunOptions& options) {
    return StudyRun(study, options).seconds_left();
  }
  static std::optional<Json> run(const Study& study, const RunOptions& options,
                                 const Monitor& monitor = {}) {
    return StudyRun(study, options).finish(monitor);
  }

  std::string checkpoint(const std::string& study, int number) const {
    return path("out/parts/" + study + "/number=" + std::to_string(number) + ".checkpoint");
  }

  RunOptions options(const std::string& folder = "out") const {
    return {.directory = path(folder)};
  }

  std::vector<int> computed;
};

TEST_F(RunStudy, WritesItsDocumentAndItsTablesAndLeavesNothingElse) {
  const Json document = run(squares(), options()).value();
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
  const Json document = run(squares(), options()).value();
  EXPECT_TRUE(is_done(squares(), options()));
  computed.clear();
  EXPECT_EQ(run(squares(), options()), document);
  EXPECT_THAT(computed, IsEmpty());
}

TEST_F(RunStudy, RemovesPartsThatARunLeftWhichWasKilledWhenItWasDone) {
  (void)run(squares(), options());
  io::make_directory(path("out/parts/squares"));
  std::filesystem::copy_file(path("out/squares.json"), checkpoint("squares", 1));
  io::make_directory(path("out/parts/cubes"));
  (void)run(squares(), options());
  EXPECT_FALSE(std::filesystem::exists(path("out/parts/squares")));
  EXPECT_TRUE(std::filesystem::exists(path("out/parts/cubes")));  // of another study
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
  const std::string first = checkpoint("squares", 1);
  const std::string whole = content(first);
  const auto expect_computed = [&](const std::string& bytes, const std::vector<int>& expected) {
    std::ofstream(first, std::ios::trunc | std::ios::binary) << bytes;
    computed.clear();
    EXPECT_THROW((void)run(squares(3), options()), std::runtime_error);
    EXPECT_EQ(computed, expected) << bytes;
    EXPECT_EQ(content(first), whole);
  };
  expect_computed(whole, {});
  for (const std::string& bytes :
       {std::string(), std::string("{}"), replaced(whole, R"("square":0.333)", R"("square":0.334)"),
        whole + " ", whole.substr(0, 99), content(checkpoint("squares", 2))}) {
    expect_computed(bytes, {1});
  }
}

TEST_F(RunStudy, RecomputesAForeignPartWhoseChecksumIsRight) {
  (void)run(squares(), options("clean"));
  EXPECT_THROW((void)run(squares(2, "cubes"), options()), std::runtime_error);
  /// Changes what the checkpoint of the first part records: study, part, scale, seed, version,
  /// source hash and result.
  const auto expect_recomputed = [&](std::size_t field, const std::string& value,
                                     const std::vector<int>& expected) {
    std::filesystem::remove(path("out/squares.json"));
    EXPECT_THROW((void)run(squares(3), options()), std::runtime_error);
    const std::string first = checkpoint("squares", 1);
    const std::string bytes = io::read_checkpoint(first).value();
    io::StateReader reader(first, bytes);
    std::string kind;
    std::uint64_t count = 0;
    reader(kind);
    reader(count);
    ASSERT_EQ(count, 6u);
    std::vector<std::string> names(count);
    std::vector<std::string> fields(count + 1);
    for (std::size_t i = 0; i < count; ++i) {
      reader(names[i]);
      reader(fields[i]);
    }
    reader(fields[count]);
    reader.finish();
    fields[field] = value;
    io::StateWriter changed;
    changed(kind);
    changed(count);
    for (std::size_t i = 0; i < count; ++i) {
      changed(names[i]);
      changed(fields[i]);
    }
    changed(fields[count]);
    io::write_checkpoint(first, changed.bytes());
    computed.clear();
    (void)run(squares(), options());
    EXPECT_EQ(computed, expected) << field << ": " << value;
    EXPECT_EQ(content(path("out/squares.json")), content(path("clean/squares.json")));
    EXPECT_EQ(content(path("out/csv/squares-squares.csv")),
              content(path("clean/csv/squares-squares.csv")));
  };
  expect_recomputed(6, R"({"number":1,"square":0.3333333333333333})", {3});  // nothing changed
  expect_recomputed(0, "cubes", {1, 3});
  expect_recomputed(1, "number=2", {1, 3});
  expect_recomputed(2, "quick", {1, 3});
  expect_recomputed(3, "2", {1, 3});
  expect_recomputed(4, "0.0.1", {1, 3});
  expect_recomputed(5, "0123456789abcdef", {1, 3});
  for (const char* const result :
       {R"({"number":1})", R"({"number":1,"square":"a third"})", R"({"number":true,"square":1.0})",
        R"({"number":1,"square":0.5,"cube":1})", "[1,2]", "null", "", "{"}) {
    expect_recomputed(6, result, {1, 3});
  }
  std::filesystem::copy_file(checkpoint("cubes", 1), path("other.checkpoint"));
  EXPECT_THROW((void)run(squares(3), options("foreign")), std::runtime_error);
  std::filesystem::rename(path("other.checkpoint"),
                          path("foreign/parts/squares/number=1.checkpoint"));
  computed.clear();
  (void)run(squares(), options("foreign"));
  EXPECT_THAT(computed, ElementsAre(1, 3));
}

TEST_F(RunStudy, DoesNotTakeADocumentOfOtherSourcesAsDone) {
  const Json document = run(squares(), options()).value();
  const std::string whole = content(path("out/squares.json"));
  EXPECT_THAT(document["source_hash"].get<std::string>(), ::testing::MatchesRegex("[0-9a-f]{16}"));
  Json outdated = document;
  outdated["source_hash"] = "0123456789abcdef";
  (void)save_document(path("out/squares.json"), outdated);
  EXPECT_FALSE(is_done(squares(), options()));
  computed.clear();
  EXPECT_EQ(run(squares(), options()), document);
  EXPECT_THAT(computed, ElementsAre(1, 2, 3));
  EXPECT_EQ(content(path("out/squares.json")), whole);
}

TEST(Studies, AcceptNoPartThatLacksAKey) {
  for (const Study& study : {figure_policies({}), counterexample({.scale = Scale::quick})}) {
    const Json part = study.conclude.json_of(study.parts.front().compute([](double) {}));
    EXPECT_TRUE(study.conclude.result_of(part).has_value());
    const Json by_path = part.flatten();
    for (const auto& [path, value] : by_path.items()) {
      if (std::regex_search(path, std::regex("/[1-9]"))) continue;  // like the first of its list
      const Json::json_pointer key(path);
      Json lacking = part;
      lacking.at(key.parent_pointer()).erase(key.back());
      EXPECT_FALSE(study.conclude.result_of(lacking).has_value()) << study.name << path;
    }
  }
}

TEST_F(RunStudy, DoesNotReuseADocumentThatWasChanged) {
  const Json document = run(squares(), options()).value();
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
  const Json document = run(squares(), options()).value();
  const auto is_taken = [&](const char* key, const Json& value) {
    Json changed = document;
    changed[key] = value;
    (void)save_document(path("out/squares.json"), changed);
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
    return Square{1, std::numeric_limits<double>::quiet_NaN()};
  };
  std::vector<double> seen;
  study.conclude = std::function([&](const std::vector<Square>& parts) {
    seen.push_back(parts[0].square);
    if (seen.size() == 1) throw std::runtime_error("killed");
    return Results{};
  });
  EXPECT_THROW((void)run(study, options()), std::runtime_error);
  (void)run(study, options());
  EXPECT_THAT(seen, ElementsAre(infinity, infinity));
}

TEST_F(RunStudy, LooksWithoutWritingAnything) {
  EXPECT_EQ(seconds_left(squares(), options()), 60.0);
  EXPECT_FALSE(std::filesystem::exists(path("out")));
}

TEST_F(RunStudy, ReportsProgressOfWhatIsLeft) {
  EXPECT_THROW((void)run(squares(2), options()), std::runtime_error);
  EXPECT_EQ(seconds_left(squares(), options()), 50.0);
  std::vector<double> done;
  (void)run(squares(), options(), [&](const Progress& progress) {
    done.push_back(progress.fraction);
    return Request::proceed;
  });
  EXPECT_THAT(done, ElementsAre(0.0, 0.2, 0.4, 0.7));
  EXPECT_EQ(seconds_left(squares(), options()), 0.0);
}

TEST_F(RunStudy, KeepsFinishedPartsIfStopped) {
  EXPECT_FALSE(run(squares(), options(), [](const Progress& progress) {
    return progress.activity == "number=2" && progress.fraction > 0.2 ? Request::stop
                                                                      : Request::proceed;
  }));
  EXPECT_EQ(seconds_left(squares(), options()), 50.0);
  computed.clear();
  EXPECT_TRUE(run(squares(), options()));
  EXPECT_THAT(computed, ElementsAre(2, 3));
}

TEST_F(RunStudy, ReportsWhereItCannotWrite) {
  const RunOptions inside_a_file = {.directory = file("text", "taken")};
  const std::string message =
      io::failure_of<io::OutputError>([&] { (void)run(squares(), inside_a_file); });
  EXPECT_THAT(message, ::testing::HasSubstr("taken"));
}

}  // namespace
}  // namespace shortfall::studies
