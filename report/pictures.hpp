#pragma once

#include <string>
#include <vector>

#include "shortfall/monitor.hpp"

/// The charts of a page as pictures. The script of the page draws them itself, in Node instead of a
/// browser, from the same specifications.
namespace shortfall::report {

struct Picture {
  std::string name;  ///< of the chart, "study-to-value": letters, digits and hyphens
  std::string svg;   ///< a complete document
};

/// The oldest version of Node that runs the pages.
inline constexpr int oldest_node = 18;

/// Why pictures cannot be drawn, or nothing: `node`, as PATH finds it, is absent, too old, or does
/// not answer before the monitor asks to stop.
std::string fault_of_node(const Monitor& monitor = {});

/// All charts of a page with its data, in the light theme, at least one. The same page gives the
/// same bytes. None if the monitor asks to stop. Throws io::OutputError if Node fails, or writes
/// anything else than pictures.
std::vector<Picture> pictures_of(const std::string& html, const Monitor& monitor = {});

}  // namespace shortfall::report
