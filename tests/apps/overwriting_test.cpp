// No command overwrites what it reads: every pair of an input and an output that the grammar
// declares, under every kind of name. A command that is added is tested, too.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/apps/command_runner.hpp"

namespace shortfall::testing {
namespace overwriting {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr auto content = "what must not be lost\n";

/// Values by the name of the option or argument.
using Values = std::map<std::string, std::string>;

/// A value that CLI11 accepts, for options that must be given. Files are checked before the rest.
std::string any_value(const json& option) {
  if (option.at("type") != "TEXT") return "1";
  if (!option.at("words").empty()) return option.at("words").front();
  return "any";
}

/// The command line with these values, and what else is required.
std::string command_line(const json& command, const Values& values) {
  std::string line = command.at("name");
  for (const char* const kind : {"arguments", "options"}) {
    for (const json& option : command.at(kind)) {
      const std::string name = option.at("name");
      const auto given = values.find(name);
      if (given == values.end() && !option.at("required").get<bool>()) continue;
      const std::string value = given == values.end() ? any_value(option) : given->second;
      line += fmt::format(" {}{}", option.at("type").is_null() || kind[0] == 'a' ? "" : name + " ",
                          value);
    }
  }
  return line;
}

std::vector<json> options_with(const json& command, std::initializer_list<const char*> accesses) {
  std::vector<json> found;
  for (const char* const kind : {"arguments", "options"}) {
    for (const json& option : command.at(kind)) {
      const std::string access = option.at("access");
      for (const char* const wanted : accesses) {
        if (access == wanted) found.push_back(option);
      }
    }
  }
  return found;
}

/// As messages call it.
std::string spoken_name(const json& option) {
  const std::string name = option.at("name");
  return name.starts_with("--") ? name : "the argument " + name;
}

class Overwriting : public ::testing::Test {
 protected:
  Overwriting() {
    const Outcome printed = place.run("--grammar");
    EXPECT_EQ(printed.exit_code, 0);
    commands = printed.json().at("commands");
    place.write("in", content);
    fs::create_directory(place.path("folder"));
    fs::create_symlink("../in", place.path("folder/link"));
    fs::create_symlink("folder", place.path("other"));
    fs::create_hard_link(place.path("in"), place.path("hard"));
  }

  void expect_refused(const json& command, const Values& values, const json& first,
                      const json& second) const {
    const std::string line = command_line(command, values);
    const Outcome outcome = place.run(line);
    EXPECT_EQ(outcome.exit_code, 2) << line;
    EXPECT_THAT(outcome.err, ::testing::HasSubstr("are the same file")) << line;
    EXPECT_THAT(outcome.err, ::testing::HasSubstr(spoken_name(first))) << line;
    EXPECT_THAT(outcome.err, ::testing::HasSubstr(spoken_name(second))) << line;
    EXPECT_EQ(place.read("in"), content) << line;
  }

  Workplace place;
  json commands;
};

TEST_F(Overwriting, EveryOptionSaysWhetherItsValueIsReadOrWritten) {
  for (const json& command : commands) {
    for (const json& option : options_with(command, {"undeclared"})) {
      ADD_FAILURE() << command.at("name") << " " << option.at("name")
                    << ": declare it with add_input, add_output, Grammar::reads, writes, updates "
                       "or writes_into, or offer its words";
    }
  }
}

TEST_F(Overwriting, IsRefusedForEveryInputAndOutputFile) {
  std::size_t pairs = 0;
  for (const json& command : commands) {
    for (const json& input : options_with(command, {"read"})) {
      for (const json& output : options_with(command, {"written", "updated"})) {
        if (output.at("paths") != "files") continue;
        ++pairs;
        const auto values = [&](const char* read, const char* written) {
          return Values{{input.at("name"), read}, {output.at("name"), written}};
        };
        const auto refused = [&](const char* read, const char* written) {
          expect_refused(command, values(read, written), input, output);
        };
        refused("in", "in");
        refused("in", "folder/../in");
        refused("in", "other/link");
        refused("in", "hard");
        refused("folder/link", "hard");
        const std::string redirected = command_line(command, values("-", "in"));
        EXPECT_EQ(place.run_script(fmt::format("$shortfall {} < in 2> err", redirected)), 2);
        EXPECT_THAT(place.read("err"), ::testing::HasSubstr("are the same file")) << redirected;
        EXPECT_EQ(place.read("in"), content) << redirected;
      }
    }
  }
  EXPECT_GE(pairs, 22u);
}

TEST_F(Overwriting, IsRefusedForEveryTwoOutputs) {
  std::size_t pairs = 0;
  for (const json& command : commands) {
    const std::vector<json> outputs = options_with(command, {"written", "updated"});
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      for (std::size_t i = 0; i < k; ++i) {
        if (outputs[i].at("paths") != "files" || outputs[k].at("paths") != "files") continue;
        ++pairs;
        for (const auto& [first, second] :
             {std::pair("new", "folder/../new"), std::pair("other/new", "folder/new"),
              std::pair("in", "hard")}) {
          expect_refused(command, {{outputs[i].at("name"), first}, {outputs[k].at("name"), second}},
                         outputs[i], outputs[k]);
        }
      }
    }
  }
  EXPECT_GE(pairs, 3u);
}

TEST_F(Overwriting, IsRefusedForEveryFileThatIsWrittenToADirectory) {
  std::size_t files = 0;
  for (const json& command : commands) {
    for (const json& output : options_with(command, {"written"})) {
      if (output.at("paths") != "directories") continue;
      EXPECT_FALSE(output.at("contents").empty()) << command.at("name");
      for (const json& input : options_with(command, {"read"})) {
        for (const std::string file : output.at("contents")) {
          ++files;
          const std::string there = place.path("folder/" + file);
          const auto refused = [&](const std::string& read) {
            expect_refused(command, {{input.at("name"), read}, {output.at("name"), "other"}}, input,
                           output);
          };
          fs::create_symlink("../in", there);
          refused("in");
          fs::remove(there);
          if (file != output.at("contents").front()) continue;
          fs::create_hard_link(place.path("in"), there);
          refused("in");
          refused("folder/" + file);
          fs::remove(there);
        }
      }
    }
  }
  EXPECT_GE(files, 40u);
}

TEST_F(Overwriting, OfStandardOutputIsRefused) {
  const int code = place.run_script(
      "$shortfall solve in --loss mean --gamma 0.5 --policy-out results >> results");
  EXPECT_EQ(code, 2);
  EXPECT_EQ(place.run_script("$shortfall risk --loss mean in >> in"), 2);
  EXPECT_EQ(place.read("in"), content);
}

TEST_F(Overwriting, IsNotSeenWhereFilesDiffer) {
  place.write("numbers", "1\n2\n");
  EXPECT_EQ(place.run("risk --loss mean numbers").exit_code, 0);
  const Outcome outcome = place.run("convert in folder/in.csv");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, ::testing::Not(::testing::HasSubstr("same file")));
}

}  // namespace overwriting
}  // namespace shortfall::testing
