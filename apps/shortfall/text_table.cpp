#include "apps/shortfall/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace shortfall::app {

std::string TextTable::text() const {
  std::vector<std::size_t> width;
  for (const auto& row : rows_) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t j = 0; j < row.size(); ++j) width[j] = std::max(width[j], row[j].size());
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const bool left = align_ == Align::left || (j == 0 && align_ == Align::first_left);
      line += fmt::format(fmt::runtime(left ? "  {:<{}}" : "  {:>{}}"), row[j], width[j]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace shortfall::app
