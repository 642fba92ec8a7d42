// The grammar as a document: what manual pages, completions and the reference are made from.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>

#include "tests/apps/command_runner.hpp"

namespace shortfall::testing {
namespace grammar_document {

nlohmann::json grammar() {
  const Outcome outcome = Workplace().run("--grammar");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return outcome.json();
}

/// Options at the beginning of a line of the help.
std::set<std::string> options_of_help(const std::string& text) {
  std::set<std::string> names;
  const std::regex option("\n  (?:-h,)?(--[a-z-]+)");
  for (std::sregex_iterator at(text.begin(), text.end(), option), end; at != end; ++at) {
    names.insert((*at)[1]);
  }
  return names;
}

TEST(Grammar, HasExactlyTheOptionsOfEachHelp) {
  const Workplace place;
  const nlohmann::json document = grammar();
  EXPECT_EQ(document.at("commands").size(), 18u);
  for (const auto& command : document.at("commands")) {
    const std::string name = command.at("name");
    const Outcome help = place.run(name + " --help");
    ASSERT_EQ(help.exit_code, 0) << name;
    std::set<std::string> listed;
    for (const auto& option : command.at("options")) {
      if (option.at("listed").get<bool>()) listed.insert(option.at("name"));
    }
    EXPECT_EQ(listed, options_of_help(help.out)) << name;
    EXPECT_THAT(help.out, ::testing::HasSubstr(command.at("purpose").get<std::string>()));
    EXPECT_THAT(command.at("notes").get<std::string>(), ::testing::HasSubstr("Example: "));
  }
}

TEST(Grammar, SaysWhatAnOptionAccepts) {
  const nlohmann::json document = grammar();
  const auto option_of = [&](const std::string& command, const std::string& name) {
    for (const auto& each : document.at("commands")) {
      if (each.at("name") != command) continue;
      for (const auto& option : each.at("options")) {
        if (option.at("name") == name) return option;
      }
    }
    return nlohmann::json();
  };
  const nlohmann::json method = option_of("solve", "--method");
  EXPECT_EQ(method.at("accepted"),
            nlohmann::json({"adaptive", "policy-iteration", "modified-policy-iteration",
                            "value-iteration", "gauss-seidel"}));
  EXPECT_EQ(method.at("default"), "adaptive");
  EXPECT_EQ(method.at("excludes"), nlohmann::json({"--horizon"}));
  EXPECT_FALSE(method.at("repeatable"));
  EXPECT_EQ(option_of("inventory fit", "--shelf-life").at("accepted"), "UINT in [1 - 10]");
  EXPECT_TRUE(option_of("inventory fit", "--shelf-life").at("required"));
  EXPECT_TRUE(option_of("inventory solve", "--set").at("repeatable"));
  EXPECT_EQ(option_of("learn", "--as-published").at("type"), nullptr);  // a flag
  EXPECT_FALSE(option_of("solve", "--seed").at("listed"));
  EXPECT_TRUE(option_of("study", "--seed").at("listed"));
}

TEST(Grammar, IsPrintedOnlyWithoutACommand) {
  const Workplace place;
  EXPECT_EQ(place.run("solve --grammar").exit_code, 2);
  EXPECT_EQ(grammar().at("exit_codes").size(), 3u);
  EXPECT_EQ(grammar().at("configuration").size(), 21u);
}

}  // namespace grammar_document
}  // namespace shortfall::testing
