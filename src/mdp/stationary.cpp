#include "shortfall/mdp/stationary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/ergodicity.hpp"
#include "shortfall/risk/compensated_sum.hpp"

namespace shortfall {
namespace {

/// Later entries can be larger than earlier ones by any factor; beyond this factor they
/// are rescaled.
constexpr double rescale_above = 1e100;

/// Censors the chain to states 0..k-1: a path through state k becomes a direct transition.
void remove_last_state(double* rates, std::size_t n, std::size_t k) {
  const double* last = rates + k * n;
  const double leaving = std::accumulate(last, last + k, 0.0);
  for (std::size_t x = 0; x < k; ++x) {
    double* row = rates + x * n;
    if (row[k] == 0.0) continue;
    const double visits = row[k] / leaving;
    row[k] = visits;
    for (std::size_t y = 0; y < k; ++y) row[y] += visits * last[y];
  }
}

/// The stationary law by Grassmann-Taksar-Heyman elimination. `rates` is a dense row-major n × n
/// matrix whose off-diagonal entry (x, y) is ≥ 0 and, within row x, proportional to the probability
/// of the transition; the diagonal is not read. It is overwritten. The chain must be irreducible.
std::vector<double> eliminate_stationary(std::vector<double> rates, std::size_t n) {
  for (std::size_t k = n; k-- > 1;) remove_last_state(rates.data(), n, k);

  std::vector<double> q(n, 0.0);
  q[0] = 1.0;
  double sum = 1.0;
  for (std::size_t k = 1; k < n; ++k) {
    for (std::size_t x = 0; x < k; ++x) q[k] += q[x] * rates[x * n + k];
    sum += q[k];
    if (sum > rescale_above) {
      for (std::size_t x = 0; x <= k; ++x) q[x] /= sum;
      sum = 1.0;
    }
  }
  for (double& probability : q) probability /= sum;
  return q;
}

constexpr std::size_t block_count = 400;

/// Probabilities are kept above `smallest`, since a block at 0 could not be rescaled again. Only
/// those above `negligible` count in the residual: far enough from `smallest` not to be affected.
constexpr double smallest = 1e-307;
constexpr double negligible = 1e-280;

/// Plain sums of more terms are off by more than the tolerance, above all if all terms are alike.
/// Then rates of leaving and flows do not balance, and no q would meet it.
constexpr std::size_t longest_plain_sum = 256;

/// The transitions into each state from others, in compressed rows, and the rate of leaving it, as
/// a sum rather than 1 - P(x|x), which cancels if a state is rarely left.
struct Inflow {
  std::vector<std::size_t> begin;
  std::vector<StateIndex> from;
  std::vector<double> probability;
  std::vector<double> leaving;
};

double long_rate_of_leaving(const Outcomes::Row& law, std::size_t x) {
  CompensatedSum leaving;
  for (std::size_t i = 0; i < law.next.size(); ++i) {
    if (law.next[i] != x) leaving.add(law.probability[i]);
  }
  return leaving.value();
}

Inflow inflow_of(const Chain& chain) {
  const std::size_t n = chain.states();
  Inflow inflow;
  inflow.begin.assign(n + 1, 0);
  inflow.leaving.assign(n, 0.0);
  const auto each_move = [&](const auto& visit) {
    for (std::size_t x = 0; x < n; ++x) {
      const Outcomes::Row law = chain.law(x);
      for (std::size_t i = 0; i < law.next.size(); ++i) {
        if (law.next[i] != x) visit(x, law.next[i], law.probability[i]);
      }
    }
  };
  each_move([&](std::size_t, StateIndex y, double) { ++inflow.begin[y + std::size_t{1}]; });
  std::partial_sum(inflow.begin.begin(), inflow.begin.end(), inflow.begin.begin());
  inflow.from.resize(inflow.begin.back());
  inflow.probability.resize(inflow.begin.back());
  std::vector<std::size_t> slot(inflow.begin.begin(), inflow.begin.end() - 1);
  each_move([&](std::size_t x, StateIndex y, double p) {
    const std::size_t i = slot[y]++;
    inflow.from[i] = static_cast<StateIndex>(x);
    inflow.probability[i] = p;
    inflow.leaving[x] += p;
  });
  for (std::size_t x = 0; x < n; ++x) {
    const Outcomes::Row law = chain.law(x);
    if (law.next.size() > longest_plain_sum) inflow.leaving[x] = long_rate_of_leaving(law, x);
  }
  return inflow;
}

double long_flow_into(const Inflow& inflow, const std::vector<double>& q, std::size_t x) {
  CompensatedSum flow;
  for (std::size_t i = inflow.begin[x]; i < inflow.begin[x + 1]; ++i) {
    flow.add(q[inflow.from[i]] * inflow.probability[i]);
  }
  return flow.value();
}

double flow_into(const Inflow& inflow, const std::vector<double>& q, std::size_t x) {
  if (inflow.begin[x + 1] - inflow.begin[x] > longest_plain_sum) {
    return long_flow_into(inflow, q, x);
  }
  double flow = 0.0;
  for (std::size_t i = inflow.begin[x]; i < inflow.begin[x + 1]; ++i) {
    flow += q[inflow.from[i]] * inflow.probability[i];
  }
  return flow;
}

double residual_of(const Inflow& inflow, const std::vector<double>& q) {
  double residual = 0.0;
  for (std::size_t x = 0; x < q.size(); ++x) {
    if (q[x] <= negligible) continue;
    const double difference = flow_into(inflow, q, x) - inflow.leaving[x] * q[x];
    residual = std::max(residual, std::abs(difference) / q[x]);
  }
  return residual;
}

void normalise(std::vector<double>& q) {
  const double sum = std::accumulate(q.begin(), q.end(), 0.0);
  for (double& probability : q) probability /= sum;
}

std::vector<double> by_elimination(const Inflow& inflow, std::size_t n) {
  std::vector<double> rates(n * n, 0.0);
  for (std::size_t y = 0; y < n; ++y) {
    for (std::size_t i = inflow.begin[y]; i < inflow.begin[y + 1]; ++i) {
      rates[inflow.from[i] * n + y] += inflow.probability[i];
    }
  }
  return eliminate_stationary(std::move(rates), n);
}

/// States in breadth-first order from state 0: neighbours in the chain are neighbours in the order.
std::vector<StateIndex> breadth_first_order(const Chain& chain) {
  std::vector<bool> seen(chain.states(), false);
  std::vector<StateIndex> order{0};
  order.reserve(chain.states());
  seen[0] = true;
  for (std::size_t head = 0; head < order.size(); ++head) {
    for (const StateIndex y : chain.law(order[head]).next) {
      if (seen[y]) continue;
      seen[y] = true;
      order.push_back(y);
    }
  }
  return order;
}

/// Rescales q block by block, so that the mass of the blocks is stationary for the chain of blocks,
/// whose transition rates are weighted by q within each block.
void rescale_blocks(const Inflow& inflow, const std::vector<StateIndex>& block_of,
                    std::vector<double>& q) {
  const std::size_t blocks = std::size_t{*std::max_element(block_of.begin(), block_of.end())} + 1;
  std::vector<double> mass(blocks, 0.0);
  for (std::size_t x = 0; x < q.size(); ++x) mass[block_of[x]] += q[x];
  std::vector<double> rates(blocks * blocks, 0.0);
  for (std::size_t y = 0; y < q.size(); ++y) {
    for (std::size_t i = inflow.begin[y]; i < inflow.begin[y + 1]; ++i) {
      const StateIndex x = inflow.from[i];
      rates[block_of[x] * blocks + block_of[y]] += q[x] / mass[block_of[x]] * inflow.probability[i];
    }
  }
  const std::vector<double> target = eliminate_stationary(std::move(rates), blocks);
  for (std::size_t x = 0; x < q.size(); ++x) q[x] *= target[block_of[x]] / mass[block_of[x]];
}

StationaryLaw by_iteration(const Chain& chain, const Inflow& inflow,
                           const StationaryOptions& options) {
  const std::size_t n = chain.states();
  const std::vector<StateIndex> order = breadth_first_order(chain);
  const std::size_t block_size = (n + block_count - 1) / block_count;
  std::vector<StateIndex> block_of(n);
  for (std::size_t i = 0; i < n; ++i) block_of[order[i]] = static_cast<StateIndex>(i / block_size);

  StationaryLaw law;
  std::vector<double>& q = law.probability;
  q.assign(n, 1.0 / static_cast<double>(n));
  const auto relax = [&](StateIndex x) {
    q[x] = std::max(flow_into(inflow, q, x) / inflow.leaving[x], smallest);
  };
  do {
    rescale_blocks(inflow, block_of, q);
    std::for_each(order.begin(), order.end(), relax);
    std::for_each(order.rbegin(), order.rend(), relax);
    normalise(q);
    law.residual = residual_of(inflow, q);
    law.converged = law.residual <= options.tolerance;
    ++law.cycles;
  } while (!law.converged && law.cycles < options.max_cycles);
  return law;
}

}  // namespace

StationaryLaw stationary_law(const Chain& chain, const StationaryOptions& options,
                             StateIndex state_base) {
  const Ergodicity structure = check_ergodicity(chain);
  if (!structure.is_irreducible()) throw InvalidInput(structure.message(state_base));
  const Inflow inflow = inflow_of(chain);
  if (chain.states() > std::max<std::size_t>(options.elimination_limit, 1)) {
    return by_iteration(chain, inflow, options);
  }
  StationaryLaw law;
  law.probability = by_elimination(inflow, chain.states());
  law.residual = residual_of(inflow, law.probability);
  law.converged = true;
  return law;
}

}  // namespace shortfall
