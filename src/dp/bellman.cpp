#include "shortfall/dp/bellman.hpp"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "dp/backed_up_rows.hpp"
#include "dp/sweep_kernel.hpp"
#include "parallel/partition.hpp"
#include "parallel/threads.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/risk/rounding.hpp"

namespace shortfall {
namespace {

/// Tasks of some ten thousand outcomes: far above the cost of a task, far below a core's share.
std::size_t per_task(std::size_t outcomes, std::size_t parts) {
  return std::max<std::size_t>(1, 16384 / (outcomes / std::max<std::size_t>(parts, 1) + 1));
}

}  // namespace

double SweepSummary::residual() const {
  return std::max(std::abs(lowest_change), std::abs(highest_change));
}

double SweepSummary::half_width() const {
  return 0.5 * (highest_change - lowest_change);
}

namespace detail {

/// What bounds need to know about the rows of all ranks.
struct RowFacts {
  double longest_row;
  double lowest_cost;
  double highest_cost;
  double least_probability;
  double cost_error;
  double probability_error;
  bool has_terminals;

  static RowFacts of(const BackedUpRows& rows, Communicator& communicator) {
    bool has_terminals = false;
    for (std::size_t x = 0; x < rows.states; ++x) has_terminals |= rows.is_terminal(x);
    std::array<double, 7> largest{static_cast<double>(rows.outcomes.longest_row()),
                                  -rows.costs.lowest,
                                  rows.costs.highest,
                                  -rows.costs.least_probability,
                                  rows.outcomes.cost_error,
                                  rows.outcomes.probability_error,
                                  has_terminals ? 1.0 : 0.0};
    communicator.max(largest);
    return {largest[0], -largest[1], largest[2],      -largest[3],
            largest[4], largest[5],  largest[6] > 0.0};
  }
};

}  // namespace detail

namespace {

/// The summary of all ranks.
SweepSummary merged(const SweepSummary& own, detail::Communicator& communicator) {
  std::array<double, 5> largest{-own.lowest_change, own.highest_change, -own.lowest_value,
                                own.highest_value, own.finite ? 0.0 : 1.0};
  communicator.max(largest);
  return {-largest[0], largest[1], -largest[2], largest[3], !(largest[4] > 0.0)};
}

}  // namespace

class BellmanOperator::Implementation {
 public:
  Implementation(const detail::BackedUpRows& rows, const Criterion& criterion,
                 const Execution& execution)
      : rows_(rows),
        whole_(rows.states),
        partition_(execution.division ? *execution.division : whole_),
        loss_(criterion.loss),
        job_{.state_begin = rows.state_begin,
             .row_begin = rows.outcomes.row_begin.data(),
             .probability = rows.outcomes.probability.data(),
             .cost = rows.outcomes.cost.data(),
             .expected_cost = rows.costs.expected.data(),
             .costs_vary = rows.costs.vary.data(),
             .next = rows.outcomes.next.data(),
             .gamma = criterion.gamma},
        facts_(detail::RowFacts::of(rows, partition_.communicator())),
        states_per_task_(per_task(rows.outcomes.size(), rows.states)),
        workers_(execution.threads),
        rounding_(criterion.loss,
                  {facts_.longest_row, facts_.probability_error, facts_.least_probability}),
        scratch_([size = detail::scratch_size(static_cast<std::size_t>(facts_.longest_row))] {
          return std::vector<double>(size);
        }) {}

  SweepSummary apply(const double* values, double* backed_up, const std::size_t* chosen_rows,
                     std::size_t* greedy_rows) {
    detail::SweepJob job = job_;
    job.values = partition_.read(values);
    job.before = values;
    job.values_are_equal = are_equal({values, rows_.states});
    job.backed_up = backed_up;
    job.chosen_rows = chosen_rows;
    job.greedy_rows = greedy_rows;
    SweepSummary sweep;
    workers_.run([&] {
      sweep = detail::parallel_reduce(
          rows_.states, states_per_task_, SweepSummary(),
          [&](std::size_t first, std::size_t last) {
            return detail::backup_states(loss_, job, first, last, scratch_.local().data());
          },
          detail::merge);
    });
    return merged(sweep, partition_.communicator());
  }

  SweepSummary apply_in_place(std::span<double> values) {
    SweepSummary sweep;
    partition_.in_turn(values, [&](const double* read, double* own) {
      detail::SweepJob job = job_;
      job.values = read;
      job.before = own;
      job.backed_up = own;
      sweep = detail::backup_states(loss_, job, 0, rows_.states, scratch_.local().data());
    });
    return merged(sweep, partition_.communicator());
  }

  double rounding(const SweepSummary& sweep) const {
    const double lowest = std::min(sweep.lowest_value, sweep.lowest_value - sweep.highest_change);
    const double highest = std::max(sweep.highest_value, sweep.highest_value - sweep.lowest_change);
    const double magnitude = std::max(std::abs(facts_.lowest_cost), facts_.highest_cost) +
                             job_.gamma * std::max(std::abs(lowest), std::abs(highest));
    const double range =
        (facts_.highest_cost - facts_.lowest_cost) + job_.gamma * (highest - lowest);
    return rounding_.bound(magnitude, range) + facts_.cost_error;
  }

  bool is_terminal(std::size_t x) const { return rows_.is_terminal(x); }
  double gamma() const { return job_.gamma; }
  bool has_terminals() const { return facts_.has_terminals; }
  const detail::Partition& partition() const { return partition_; }
  const detail::BackedUpRows& rows() const { return rows_; }
  const AnyLoss& loss() const { return loss_; }

  void run(const std::function<void()>& work) { workers_.run(work); }

 private:
  /// Over all ranks.
  bool are_equal(std::span<const double> values) {
    const bool here = std::ranges::all_of(values, [&](double v) { return v == values[0]; });
    detail::Communicator& communicator = partition_.communicator();
    if (communicator.size() == 1) return here;
    const double some = values.empty() ? -infinity : values[0];
    std::array<double, 3> largest{here ? 0.0 : 1.0, some, values.empty() ? -infinity : -some};
    communicator.max(largest);
    return !(largest[0] > 0.0) && largest[1] == -largest[2];
  }

  detail::BackedUpRows rows_;
  detail::Partition whole_;
  const detail::Partition& partition_;
  AnyLoss loss_;
  detail::SweepJob job_;
  detail::RowFacts facts_;
  std::size_t states_per_task_;
  detail::Workers workers_;
  RiskRounding rounding_;
  tbb::enumerable_thread_specific<std::vector<double>> scratch_;
};

BellmanOperator::BellmanOperator(const Mdp& model, const Criterion& criterion,
                                 const Execution& execution)
    : implementation_(std::make_unique<Implementation>(
          detail::BackedUpRows{model.states(), model.state_begin().data(), model.outcomes(),
                               model.row_costs()},
          criterion, execution)) {}

BellmanOperator::BellmanOperator(const Chain& chain, const Criterion& criterion,
                                 const Execution& execution)
    : implementation_(std::make_unique<Implementation>(
          detail::BackedUpRows{chain.states(), nullptr, chain.outcomes(), chain.row_costs()},
          criterion, execution)) {}

BellmanOperator::~BellmanOperator() = default;
BellmanOperator::BellmanOperator(BellmanOperator&&) noexcept = default;
BellmanOperator& BellmanOperator::operator=(BellmanOperator&&) noexcept = default;

std::size_t BellmanOperator::states() const {
  return implementation_->partition().states();
}
double BellmanOperator::gamma() const {
  return implementation_->gamma();
}
bool BellmanOperator::is_terminal(std::size_t x) const {
  return implementation_->is_terminal(x);
}
bool BellmanOperator::has_terminal_states() const {
  return implementation_->has_terminals();
}
const detail::Partition& BellmanOperator::partition() const {
  return implementation_->partition();
}

const detail::BackedUpRows& BellmanOperator::rows() const {
  return implementation_->rows();
}
const AnyLoss& BellmanOperator::loss() const {
  return implementation_->loss();
}

void BellmanOperator::check_sizes(std::initializer_list<std::size_t> sizes) const {
  for (const std::size_t size : sizes) {
    if (size == states()) continue;
    throw InvalidInput(
        fmt::format("{} elements for {} states; accepted: one per state", size, states()));
  }
}

SweepSummary BellmanOperator::apply(std::span<const double> values,
                                    std::span<double> backed_up) const {
  check_sizes({values.size(), backed_up.size()});
  return implementation_->apply(values.data(), backed_up.data(), nullptr, nullptr);
}

SweepSummary BellmanOperator::apply(std::span<const double> values, std::span<double> backed_up,
                                    std::span<std::size_t> greedy_rows) const {
  check_sizes({values.size(), backed_up.size(), greedy_rows.size()});
  return implementation_->apply(values.data(), backed_up.data(), nullptr, greedy_rows.data());
}

SweepSummary BellmanOperator::apply_policy(std::span<const double> values,
                                           std::span<double> backed_up,
                                           std::span<const std::size_t> rows) const {
  check_sizes({values.size(), backed_up.size(), rows.size()});
  return implementation_->apply(values.data(), backed_up.data(), rows.data(), nullptr);
}

SweepSummary BellmanOperator::apply_in_place(std::span<double> values) const {
  check_sizes({values.size()});
  return implementation_->apply_in_place(values);
}

void BellmanOperator::run(const std::function<void()>& work) const {
  implementation_->run(work);
}

double BellmanOperator::rounding(const SweepSummary& sweep) const {
  return implementation_->rounding(sweep);
}

Policy policy_of_rows(const Mdp& model, std::span<const std::size_t> rows) {
  Policy policy(model.states(), no_action);
  for (std::size_t x = 0; x < model.states(); ++x) {
    if (rows[x] != no_row) policy[x] = model.action_of_row(rows[x]);
  }
  return policy;
}

}  // namespace shortfall
