#pragma once

#include <string>
#include <vector>

namespace shortfall::app {

/// Cells to print in columns, each as wide as its widest.
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
