#include "dp/multichain.hpp"

#include <algorithm>
#include <cstddef>
#include <variant>
#include <vector>

#include "dp/backed_up_rows.hpp"
#include "parallel/partition.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::detail {
namespace {

using Rows = std::vector<std::size_t>;

/// As numbers, which ranks tell each other: 1 or 0.
using Set = std::vector<double>;

constexpr int most_passes = 64;

/// Some of the states of an operator, over all ranks.
class States {
 public:
  States(const BellmanOperator& bellman, Set set)
      : rows_(bellman.rows()), partition_(bellman.partition()), set_(std::move(set)) {}

  bool contains(std::size_t x) const { return set_[x] > 0.0; }
  bool is_empty() const {
    return partition_.communicator().all(
        std::ranges::none_of(set_, [](double s) { return s > 0.0; }));
  }

  /// Takes states out until none is left that keep(x) refuses. False if that takes too long.
  template <class Keep>
  bool shrink(const Keep& keep) {
    for (int pass = 0; pass < most_passes; ++pass) {
      bool changed = false;
      const Set before = set_;  // so that passes are the same on any number of ranks
      const double* const read = partition_.read(before.data());
      for (std::size_t x = 0; x < set_.size(); ++x) {
        if (!contains(x) || keep(x, read)) continue;
        set_[x] = 0.0;
        changed = true;
      }
      if (!partition_.communicator().any(changed)) return true;
    }
    return false;
  }

  bool stays_inside(std::size_t row, const double* read) const {
    const Outcomes& outcomes = rows_.outcomes;
    for (std::size_t i = outcomes.row_begin[row]; i < outcomes.row_begin[row + 1]; ++i) {
      if (outcomes.probability[i] > 0.0 && !(read[outcomes.next[i]] > 0.0)) return false;
    }
    return true;
  }

 private:
  const BackedUpRows& rows_;
  const Partition& partition_;
  Set set_;
};

/// States with changes above `least`, where outcomes outside of them count for nothing.
bool forgets_others(const BellmanOperator& bellman, const Entropic& loss,
                    std::span<const double> values, double least, States& states) {
  // e^-800 is 0 beside any probability.
  const double far = 800.0 / loss.beta();
  Communicator& communicator = bellman.partition().communicator();
  std::vector<double> lowered(values.size());
  std::vector<double> backed_up(values.size());
  const auto sweep = [&] {
    double lowest = infinity;
    for (std::size_t x = 0; x < values.size(); ++x) {
      if (states.contains(x)) lowest = std::min(lowest, values[x]);
    }
    lowest = -communicator.max(-lowest);
    for (std::size_t x = 0; x < values.size(); ++x) {
      lowered[x] = states.contains(x) ? values[x] : lowest - far;
    }
    return bellman.rounding(bellman.apply(lowered, backed_up));
  };
  for (int pass = 0; pass < most_passes / 8 && !states.is_empty(); ++pass) {
    const double rounding = sweep();
    bool same = true;
    (void)states.shrink([&](std::size_t x, const double*) {
      const bool above = backed_up[x] - lowered[x] > least + rounding;
      same = same && above;
      return above;
    });
    if (communicator.all(same)) return !states.is_empty();
  }
  return false;
}

}  // namespace

bool depends_on_start(const BellmanOperator& bellman, std::span<const double> values,
                      std::span<const double> backed_up, const TwoSidedBound& bound) {
  const BackedUpRows& rows = bellman.rows();
  const double middle = -bound.shift;
  const auto where = [&](auto&& is_inside) {
    Set set(values.size());
    for (std::size_t x = 0; x < set.size(); ++x) {
      set[x] = is_inside(backed_up[x] - values[x]) ? 1.0 : 0.0;
    }
    return States(bellman, std::move(set));
  };

  Rows chosen(values.size());
  std::vector<double> again(values.size());
  (void)bellman.apply(values, again, chosen);
  States low = where([&](double change) { return change < middle - bound.rounding; });
  const bool stays = low.shrink(
      [&](std::size_t x, const double* read) { return low.stays_inside(chosen[x], read); });
  if (!stays || low.is_empty()) return false;

  States high = where([&](double change) { return change > middle + bound.rounding; });
  if (const auto* entropic = std::get_if<Entropic>(&bellman.loss().variant())) {
    return forgets_others(bellman, *entropic, values, middle, high);
  }
  return high.shrink([&](std::size_t x, const double* read) {
    for (std::size_t row = rows.first_row(x); row < rows.first_row(x + 1); ++row) {
      if (!high.stays_inside(row, read)) return false;
    }
    return true;
  }) && !high.is_empty();
}

}  // namespace shortfall::detail
