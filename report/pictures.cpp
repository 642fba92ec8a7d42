#include "report/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "files/atomic_file.hpp"
#include "files/run_program.hpp"
#include "report/rows.hpp"

namespace shortfall::report {
namespace {

/// Runs the script of the page on standard input, which finds the text of the page in a variable.
/// By itself, Node would show the line of an error, and the whole script is one line.
constexpr const char* run_page = R"(
process.on("uncaughtException", (error) => { console.error(String(error)); process.exit(1); });
const page = require("node:fs").readFileSync(0, "utf8");
const script = page.slice(page.indexOf("<script>") + 8, page.lastIndexOf("</script>"));
globalThis.shortfall_page = page;
require("node:vm").runInThisContext(script, { filename: "page", displayErrors: false });
)";

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// A user's NODE_OPTIONS may load scripts, open a debugger or print.
io::ProgramOutcome run_node(std::vector<std::string> words, std::string_view input,
                            const Monitor& monitor) {
  words.insert(words.begin(), "node");
  return io::run_program({.words = std::move(words), .input = input, .unset = {"NODE_OPTIONS"}},
                         monitor);
}

/// "node: exit code 1: TypeError: ..".
std::string failure_of(const io::ProgramOutcome& outcome) {
  const std::string said = first_line(outcome.err);
  return fmt::format("node: {}{}{}", outcome.reason(), said.empty() ? "" : ": ", said);
}

/// 20 for "v20.19.2"; 0 for what is no version.
int major_version(std::string_view text) {
  int version = 0;
  if (text.starts_with('v')) std::from_chars(text.data() + 1, text.data() + text.size(), version);
  return version;
}

[[noreturn]] void fail(const std::string& reason) {
  throw io::OutputError("pictures were not drawn: " + reason);
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  });
}

/// The pictures in what Node wrote, which is what the page's script wrote only if Node is Node.
std::vector<Picture> parse_pictures(const std::string& text) {
  const Json drawn = Json::parse(text, nullptr, false);
  if (!drawn.is_object())
    fail(fmt::format("node wrote {} bytes that are no JSON object", text.size()));
  if (drawn.empty()) fail("node wrote none");
  std::vector<Picture> pictures;
  for (const auto& [name, value] : drawn.items()) {
    if (!is_name(name))
      fail(
          fmt::format("node wrote one of {} bytes as its name; accepted: letters, digits and "
                      "hyphens",
                      name.size()));
    const std::string* const svg = value.get_ptr<const std::string*>();
    if (svg == nullptr || !svg->starts_with("<svg"))
      fail(fmt::format("what node wrote as '{}' is no SVG", name));
    pictures.push_back({.name = name, .svg = *svg});
  }
  return pictures;
}

}  // namespace

std::string fault_of_node(const Monitor& monitor) {
  const io::ProgramOutcome outcome = run_node({"--version"}, {}, monitor);
  if (outcome.end == io::ProgramOutcome::End::stopped) return "node --version did not answer";
  if (!outcome.is_success()) return failure_of(outcome);
  if (major_version(outcome.out) >= oldest_node) return {};
  return fmt::format("node --version says '{}'", first_line(outcome.out));
}

std::vector<Picture> pictures_of(const std::string& html, const Monitor& monitor) {
  const io::ProgramOutcome outcome = run_node({"-e", run_page}, html, monitor);
  if (outcome.end == io::ProgramOutcome::End::stopped) return {};
  if (!outcome.is_success()) fail(failure_of(outcome));
  return parse_pictures(outcome.out);
}

}  // namespace shortfall::report
