#include "shortfall/dp/bellman.hpp"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "dp/sweep_kernel.hpp"
#include "parallel/threads.hpp"
#include "shortfall/error.hpp"
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

class BellmanOperator::Implementation {
 public:
  Implementation(std::size_t states, const std::size_t* state_begin, const Outcomes& outcomes,
                 const RowCosts& costs, const Criterion& criterion, int threads)
      : states_(states),
        loss_(criterion.loss),
        job_{.state_begin = state_begin,
             .row_begin = outcomes.row_begin.data(),
             .probability = outcomes.probability.data(),
             .cost = outcomes.cost.data(),
             .expected_cost = costs.expected.data(),
             .costs_vary = costs.vary.data(),
             .next = outcomes.next.data(),
             .gamma = criterion.gamma},
        longest_row_(outcomes.longest_row()),
        workers_(threads),
        costs_(costs),
        cost_error_(outcomes.cost_error),
        rounding_(criterion.loss, {static_cast<double>(longest_row_), outcomes.probability_error,
                                   costs_.least_probability}),
        scratch_(
            [size = detail::scratch_size(longest_row_)] { return std::vector<double>(size); }) {
    for (std::size_t x = 0; x < states; ++x) has_terminals_ |= is_terminal(x);
    states_per_task_ = per_task(outcomes.size(), states);
  }

  SweepSummary apply(const double* values, double* backed_up, const std::size_t* chosen_rows,
                     std::size_t* greedy_rows) {
    detail::SweepJob job = job_;
    job.values = values;
    job.values_are_equal =
        std::all_of(values, values + states_, [values](double v) { return v == values[0]; });
    job.backed_up = backed_up;
    job.chosen_rows = chosen_rows;
    job.greedy_rows = greedy_rows;
    SweepSummary sweep;
    workers_.run([&] {
      sweep = detail::parallel_reduce(
          states_, states_per_task_, detail::empty_summary(),
          [&](std::size_t first, std::size_t last) {
            return detail::backup_states(loss_, job, first, last, scratch_.local().data());
          },
          detail::merge);
    });
    return sweep;
  }

  SweepSummary apply_in_place(double* values) {
    detail::SweepJob job = job_;
    job.values = values;
    job.backed_up = values;
    return detail::backup_states(loss_, job, 0, states_, scratch_.local().data());
  }

  double rounding(const SweepSummary& sweep) const {
    const double lowest = std::min(sweep.lowest_value, sweep.lowest_value - sweep.highest_change);
    const double highest = std::max(sweep.highest_value, sweep.highest_value - sweep.lowest_change);
    const double magnitude = std::max(std::abs(costs_.lowest), costs_.highest) +
                             job_.gamma * std::max(std::abs(lowest), std::abs(highest));
    const double range = (costs_.highest - costs_.lowest) + job_.gamma * (highest - lowest);
    return rounding_.bound(magnitude, range) + cost_error_;
  }

  bool is_terminal(std::size_t x) const {
    return job_.state_begin ? job_.state_begin[x] == job_.state_begin[x + 1]
                            : job_.row_begin[x] == job_.row_begin[x + 1];
  }
  std::size_t states() const { return states_; }
  double gamma() const { return job_.gamma; }
  bool has_terminals() const { return has_terminals_; }

  void run(const std::function<void()>& work) { workers_.run(work); }

 private:
  std::size_t states_;
  AnyLoss loss_;
  detail::SweepJob job_;
  std::size_t longest_row_;
  bool has_terminals_ = false;
  std::size_t states_per_task_ = 1;
  detail::Workers workers_;
  const RowCosts& costs_;
  double cost_error_;
  RiskRounding rounding_;
  tbb::enumerable_thread_specific<std::vector<double>> scratch_;
};

BellmanOperator::BellmanOperator(const Mdp& model, const Criterion& criterion, int threads)
    : implementation_(std::make_unique<Implementation>(model.states(), model.state_begin().data(),
                                                       model.outcomes(), model.row_costs(),
                                                       criterion, threads)) {}

BellmanOperator::BellmanOperator(const Chain& chain, const Criterion& criterion, int threads)
    : implementation_(std::make_unique<Implementation>(chain.states(), nullptr, chain.outcomes(),
                                                       chain.row_costs(), criterion, threads)) {}

BellmanOperator::~BellmanOperator() = default;
BellmanOperator::BellmanOperator(BellmanOperator&&) noexcept = default;
BellmanOperator& BellmanOperator::operator=(BellmanOperator&&) noexcept = default;

std::size_t BellmanOperator::states() const {
  return implementation_->states();
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
  return implementation_->apply_in_place(values.data());
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
