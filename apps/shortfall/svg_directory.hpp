#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "apps/shortfall/new_directory.hpp"

namespace shortfall::app {

class Grammar;

/// The option --svg, and a check that there is a program that draws, which throws Stopped on a
/// signal. `directory` must outlive the grammar.
void add_svg(const Grammar& grammar, std::string& directory);

/// The directory of --svg. It is made before the work, so that it fails then if it cannot be
/// written, and removed again if it is new and stays empty.
class SvgDirectory {
 public:
  /// An empty path: no pictures are wanted. Throws OutputError.
  explicit SvgDirectory(const std::string& path);

  bool is_wanted() const { return !path_.empty(); }

  /// Draws the charts of a page with its data, shows progress, and writes each as NAME.svg; all are
  /// written before the first gets its name. Returns the files. Throws OutputError, and Stopped
  /// before any is written.
  std::vector<std::string> write(const std::string& html) const;

  /// "Pictures: 3 in DIR\n"; nothing if none are wanted.
  std::string text_of(const std::vector<std::string>& files) const;

 private:
  std::filesystem::path path_;
  std::optional<NewDirectory> directory_;
};

}  // namespace shortfall::app
