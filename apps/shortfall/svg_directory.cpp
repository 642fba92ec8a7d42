#include "apps/shortfall/svg_directory.hpp"

#include <fmt/format.h>

#include <deque>

#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "apps/shortfall/stopwatch.hpp"
#include "files/atomic_file.hpp"
#include "report/pictures.hpp"
#include "require.hpp"

namespace shortfall::app {
namespace {

/// In seconds. Node answers in a tenth of one, or in some from a slow disk of a network.
constexpr double longest_answer = 10.0;

/// Throws Stopped on a signal.
std::string fault_of_node() {
  CommandMonitor watch;
  const Stopwatch stopwatch;
  std::string fault = report::fault_of_node([&](const Progress&) {
    return watch.is_stopped() || stopwatch.seconds() > longest_answer ? Request::stop
                                                                      : Request::proceed;
  });
  watch.check();
  return fault;
}

}  // namespace

void add_svg(const Grammar& grammar, std::string& directory) {
  grammar
      ->add_option("--svg", directory,
                   fmt::format("Also write every chart to this directory, as NAME.svg; files of "
                               "other names in it stay; needs Node.js {} or later as node",
                               report::oldest_node))
      ->check(not_empty());
  grammar.add_check([&directory] {
    if (directory.empty()) return;
    check_is_directory("--svg", directory);
    const std::string fault = fault_of_node();
    require(
        fault.empty(),
        "--svg: {}; accepted: Node.js {} or later as node in PATH (Debian's package nodejs), or "
        "no --svg",
        fault, report::oldest_node);
  });
}

SvgDirectory::SvgDirectory(const std::string& path) : path_(path) {
  if (!is_wanted()) return;
  directory_.emplace(path);
  // The names of the charts are not known yet, but any other tells whether files can be written.
  io::AtomicFile{(path_ / ".shortfall-svg").string()};
}

std::vector<std::string> SvgDirectory::write(const std::string& html) const {
  if (!is_wanted()) return {};
  CommandMonitor watch;
  const std::vector<report::Picture> pictures = report::pictures_of(html, [&](const Progress&) {
    if (watch.line().due()) watch.line().show("drawing the pictures");
    return watch.is_stopped() ? Request::stop : Request::proceed;
  });
  if (watch.is_stopped()) throw Stopped("; no picture was written");
  std::vector<std::string> names;
  std::deque<io::AtomicFile> files;
  for (const auto& [name, svg] : pictures) {
    names.push_back((path_ / (name + ".svg")).string());
    files.emplace_back(names.back()).write(svg);
  }
  for (io::AtomicFile& file : files) file.commit();
  return names;
}

std::string SvgDirectory::text_of(const std::vector<std::string>& files) const {
  return is_wanted() ? fmt::format("Pictures: {} in {}\n", files.size(), path_.string()) : "";
}

}  // namespace shortfall::app
