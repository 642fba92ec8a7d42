#include "shortfall/mdp/sampler.hpp"

#include <algorithm>

#include "errors/require.hpp"
#include "shortfall/mdp/alias_table.hpp"

namespace shortfall {

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
