#include "apps/shortfall/svg_directory.hpp"

#include <fmt/format.h>

#include <system_error>

#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "files/atomic_file.hpp"
#include "report/pictures.hpp"
#include "require.hpp"

namespace shortfall::app {

void add_svg(const Grammar& grammar, std::string& directory) {
  grammar
      ->add_option("--svg", directory,
                   fmt::format("Also write every chart to this directory, as NAME.svg; needs "
                               "Node.js {} or later as node",
                               report::oldest_node))
      ->check(not_empty());
  grammar.add_check([&directory] {
    if (directory.empty()) return;
    check_is_file("--svg", directory);
    const std::string fault = report::fault_of_node();
    require(
        fault.empty(),
        "--svg: {}; accepted: Node.js {} or later as node in PATH (Debian's package nodejs), or "
        "no --svg",
        fault, report::oldest_node);
  });
}

SvgDirectory::SvgDirectory(const std::string& path) : path_(path) {
  if (!is_wanted()) return;
  std::error_code ignored;
  is_new_ = !std::filesystem::exists(path_, ignored);
  io::make_directory(path);
  // The names of the charts are not known yet, but any other tells whether files can be written.
  io::AtomicFile{(path_ / "chart.svg").string()};
}

SvgDirectory::~SvgDirectory() {
  std::error_code ignored;
  if (is_new_) std::filesystem::remove(path_, ignored);  // fails if there are files
}

std::vector<std::string> SvgDirectory::write(const std::string& html) const {
  if (!is_wanted()) return {};
  CommandMonitor watch;
  const std::vector<report::Picture> pictures = report::pictures_of(html, [&](const Progress&) {
    if (watch.line().due()) watch.line().show("drawing the pictures");
    return watch.is_stopped() ? Request::stop : Request::proceed;
  });
  if (watch.is_stopped()) throw Stopped("; no picture was written");
  std::vector<std::string> files;
  for (const auto& [name, svg] : pictures) {
    files.push_back((path_ / (name + ".svg")).string());
    io::write_file(files.back(), svg);
  }
  return files;
}

std::string SvgDirectory::text_of(const std::vector<std::string>& files) const {
  return is_wanted() ? fmt::format("Pictures: {} in {}\n", files.size(), path_.string()) : "";
}

}  // namespace shortfall::app
