#include "report/pictures.hpp"

#include <fmt/format.h>

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

}  // namespace

std::string fault_of_node() {
  const io::ProgramOutcome outcome = io::run_program({"node", "--version"}, {});
  if (!outcome.is_success()) return failure_of(outcome);
  if (major_version(outcome.out) >= oldest_node) return {};
  return fmt::format("node --version says '{}'", first_line(outcome.out));
}

std::vector<Picture> pictures_of(const std::string& html, const Monitor& monitor) {
  const io::ProgramOutcome outcome = io::run_program({"node", "-e", run_page}, html, monitor);
  const bool is_stopped = outcome.end == io::ProgramOutcome::End::stopped;
  // A terminal sends its signals to both, and Node may have ended first.
  if (is_stopped || (!outcome.is_success() && monitor && monitor({}) == Request::stop)) return {};
  if (!outcome.is_success())
    throw io::OutputError(fmt::format("pictures were not drawn: {}", failure_of(outcome)));
  const Json drawn = Json::parse(outcome.out, nullptr, false);
  if (!drawn.is_object())
    throw io::OutputError(
        fmt::format("pictures were not drawn: node wrote {} bytes that are no "
                    "JSON object",
                    outcome.out.size()));
  std::vector<Picture> pictures;
  for (const auto& [name, svg] : drawn.items())
    pictures.push_back({.name = name, .svg = svg.get<std::string>()});
  return pictures;
}

}  // namespace shortfall::report
