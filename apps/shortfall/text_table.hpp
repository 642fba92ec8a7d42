#pragma once

#include <string>
#include <vector>

namespace shortfall::app {

/// A text table whose columns are as wide as their widest cells.
class TextTable {
 public:
  enum class FirstColumn { right, left };
  explicit TextTable(FirstColumn first = FirstColumn::right) : first_(first) {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  FirstColumn first_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace shortfall::app
