#pragma once

#include <string>
#include <vector>

namespace shortfall::app {

/// A text table whose columns are as wide as their widest cells.
class TextTable {
 public:
  enum class Align { right, first_left, left };  ///< first_left: the first column only
  explicit TextTable(Align align = Align::right) : align_(align) {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  Align align_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace shortfall::app
