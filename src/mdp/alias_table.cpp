#include "shortfall/mdp/alias_table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "shortfall/errors/error.hpp"
#include "shortfall/risk/compensated_sum.hpp"
#include "shortfall/risk/law.hpp"

namespace shortfall {

void AliasBuilder::build(std::span<const double> probabilities, std::span<AliasCell> cells) {
  const double scale = static_cast<double>(probabilities.size()) / compensated_sum(probabilities);
  light_.clear();
  heavy_.clear();
  for (std::uint32_t i = 0; i < probabilities.size(); ++i) {
    cells[i] = {probabilities[i] * scale, i};
    (cells[i].threshold < 1.0 ? light_ : heavy_).push_back(i);
  }
  // While a cell is on a list, its threshold is the probability still to be assigned, in
  // units of a cell.
  while (!light_.empty() && !heavy_.empty()) {
    const std::uint32_t light = light_.back();
    const std::uint32_t heavy = heavy_.back();
    light_.pop_back();
    cells[light].alias = heavy;
    cells[heavy].threshold = (cells[heavy].threshold + cells[light].threshold) - 1.0;
    if (cells[heavy].threshold < 1.0) {
      heavy_.pop_back();
      light_.push_back(heavy);
    }
  }
  // What remains is as many units as cells, so each is one up to rounding.
  for (const std::uint32_t i : light_) cells[i].threshold = 1.0;
  for (const std::uint32_t i : heavy_) cells[i].threshold = 1.0;
}

AliasTable::AliasTable(std::span<const double> probabilities) : cells_(probabilities.size()) {
  const std::vector<double> atoms(probabilities.size(), 0.0);
  validate(Law{atoms, probabilities});
  AliasBuilder().build(probabilities, cells_);
}

std::vector<double> AliasTable::implied_probabilities() const {
  std::vector<double> probabilities(cells_.size(), 0.0);
  const double unit = 1.0 / static_cast<double>(cells_.size());
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    probabilities[i] += cells_[i].threshold * unit;
    if (cells_[i].threshold < 1.0) {
      probabilities[cells_[i].alias] += (1.0 - cells_[i].threshold) * unit;
    }
  }
  return probabilities;
}

}  // namespace shortfall
