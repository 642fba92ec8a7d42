// The limit on nesting in TOML: toml++ parses recursively, and would overflow the stack.
#include <string>

#include "shortfall/formats/inventory_toml.hpp"
#include "tests/files_for_tests.hpp"
#include "tests/formats/inventory_for_tests.hpp"

namespace shortfall::io {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int limit = 64;

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

std::string dotted(int names) {
  return "a" + repeated(".a", names - 1);
}

class TomlNesting : public FileTest {
 protected:
  std::string message(const std::string& text) const {
    return failure_of<InvalidInput>([&] { InventoryToml toml(file(text, "in.toml")); });
  }
  std::string set_message(const std::string& assignment) const {
    InventoryToml toml(file(small_inventory, "in.toml"));
    return failure_of<InvalidInput>([&] { toml.set(assignment); });
  }
  static auto is_too_deep(int line) {
    return AllOf(HasSubstr("in.toml, line " + std::to_string(line) + ": nested too deeply"),
                 HasSubstr("accepted: at most 64 levels"));
  }
};

TEST_F(TomlNesting, IsLimitedForEveryKindOfNesting) {
  const auto expect_limit = [&](const std::string& kind, const auto& text) {
    // Text that is not too deep is refused for another reason: no such key or table.
    EXPECT_THAT(message("\n" + text(limit)), HasSubstr("line 2")) << kind;
    EXPECT_THAT(message("\n" + text(limit)), HasSubstr("not known")) << kind;
    EXPECT_THAT(message("\n" + text(3 * limit)), is_too_deep(2)) << kind;
    EXPECT_THAT(message("\n" + text(100000)), is_too_deep(2)) << kind;
  };
  expect_limit("a dotted key", [](int n) { return dotted(n) + " = 1\n"; });
  expect_limit("a table", [](int n) { return "[" + dotted(n) + "]\n"; });
  expect_limit("a list of tables", [](int n) { return "[[" + dotted(n - 2) + "]]\n"; });
  expect_limit("quoted names", [](int n) {
    return repeated("\"a.b\" . 'c' . ", (n - 1) / 2) + dotted(n - (n - 1) / 2 * 2) + " = 1\n";
  });
  expect_limit("a list",
               [](int n) { return "a = " + repeated("[", n - 1) + repeated("]", n - 1) + "\n"; });
  expect_limit("an inline table", [](int n) {
    const int tables = n / 2;  // two levels each: itself and its key
    return (n % 2 == 0 ? "a.a = " : "a = ") + repeated("{a = ", tables - (n % 2 == 0 ? 1 : 0)) +
           "1" + repeated("}", tables - (n % 2 == 0 ? 1 : 0)) + "\n";
  });
  expect_limit("dotted keys in inline tables",
               [](int n) { return dotted(n / 2) + " = {" + dotted(n - n / 2 - 1) + " = 1}\n"; });
}

TEST_F(TomlNesting, IsNotWhatTextAndCommentsHold) {
  const std::string deep = repeated("[", 200) + dotted(200) + repeated("{a=", 200);
  for (const std::string& harmless :
       {"# " + deep, "loss = \"" + deep + "\"", "loss = \"\\\"" + deep + "\"",
        "loss = '" + deep + "\\'", "loss = \"\"\"\n\"" + deep + "\\\"\"\"\"\"\"",
        "loss = '''\n''" + deep + "''''"}) {
    EXPECT_THAT(message(with_line(small_inventory, "loss", harmless)), Not(HasSubstr("deep")))
        << harmless;
    const std::string after = harmless + "\n" + dotted(66) + " = 1";
    EXPECT_THAT(message(with_line(small_inventory, "loss", after)), HasSubstr("nested too deeply"))
        << harmless;
  }
}

TEST_F(TomlNesting, DoesNotAddUpOverEntriesAndLines) {
  const std::string lists = "c0 = [" + repeated("[[1.5], [2.5]],\n", 200) + "]";
  EXPECT_THAT(message(with_line(small_inventory, "c0", lists)), Not(HasSubstr("deep")));
  EXPECT_THAT(message(repeated("[a.b]\nc.d = {e.f = 1, g = {h = 1}}\n", 200)),
              Not(HasSubstr("deep")));
}

TEST_F(TomlNesting, IsLimitedOnTheCommandLine) {
  EXPECT_THAT(set_message("cost.order=" + repeated("[", 64) + repeated("]", 64)),
              Not(HasSubstr("nested too deeply")));
  for (const std::string& value :
       {repeated("[", 65) + repeated("]", 65), "{" + dotted(60000) + " = 1}"}) {
    EXPECT_THAT(set_message("cost.order=" + value),
                AllOf(HasSubstr("cost.order="), HasSubstr("nested too deeply"), HasSubstr("64")));
  }
  EXPECT_THAT(set_message(dotted(60000) + "=1"), HasSubstr("not known"));
}

}  // namespace
}  // namespace shortfall::io
