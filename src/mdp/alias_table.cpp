#include "shortfall/mdp/alias_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/sampler.hpp"
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

OutcomeSampler::OutcomeSampler(const Outcomes& outcomes) : row_begin_(outcomes.row_begin) {
  cells_.reserve(outcomes.size());
  AliasBuilder builder;
  std::vector<AliasCell> alias_cells(outcomes.longest_row());
  for (std::size_t r = 0; r < outcomes.rows(); ++r) {
    const Outcomes::Row law = outcomes.row(r);
    const std::size_t count = law.next.size();
    if (count == 0) continue;
    builder.build(law.probability, std::span(alias_cells).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      const auto [threshold, alias] = alias_cells[i];
      cells_.push_back({threshold, {law.cost[i], law.cost[alias]}, {law.next[i], law.next[alias]}});
    }
  }
}

MdpSampler::MdpSampler(const Mdp& model)
    : state_begin_(model.state_begin()),
      outcomes_(model.outcomes()),
      state_base_(model.state_base()),
      action_base_(model.action_base()) {
  action_of_row_.reserve(outcomes_.rows());
  for (std::size_t r = 0; r < outcomes_.rows(); ++r) {
    action_of_row_.push_back(model.action_of_row(r));
  }
}

std::size_t MdpSampler::row(StateIndex x, ActionIndex a) const {
  const std::span<const ActionIndex> available = actions(x);
  const auto found = std::lower_bound(available.begin(), available.end(), a);
  require(found != available.end() && *found == a,
          "state {} has no action {}; accepted: one of its own", x + state_base_, a + action_base_);
  return state_begin_[x] + static_cast<std::size_t>(found - available.begin());
}

}  // namespace shortfall
