#include "text/likely_name.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace shortfall::io {
namespace {

// No known name is longer, so longer names are not compared.
constexpr std::size_t longest_name = 64;

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the table of distances between the first i letters of a and the first j letters of b.
  std::vector<std::size_t> two_before(b.size() + 1);
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(two_before, before);
    std::swap(before, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + changed});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_before[j - 2] + 1);
    }
  }
  return row.back();
}

std::string_view likely_name(std::string_view name, std::span<const std::string_view> known) {
  if (name.size() > longest_name) return {};
  std::string_view likely;
  std::size_t least = std::max<std::size_t>(2, name.size() / 4) + 1;
  for (const std::string_view candidate : known) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance >= least) continue;
    least = distance;
    likely = candidate;
  }
  return likely;
}

}  // namespace shortfall::io
