#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "benchmarks/side_by_side.hpp"
#include "shortfall/dp/bellman.hpp"

namespace shortfall::benchmarks {
namespace {

constexpr double gamma = 0.99;

/// The straightforward version: one thread, one loop, a root search for every action.
template <class Risk>
void plain_sweep(const Mdp& model, const std::vector<double>& values,
                 std::vector<double>& backed_up, Risk&& risk) {
  std::vector<double> targets(model.outcomes().longest_row());
  for (std::size_t x = 0; x < model.states(); ++x) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t r = model.state_begin()[x]; r < model.state_begin()[x + 1]; ++r) {
      const Outcomes::Row law = model.law(r);
      for (std::size_t j = 0; j < law.next.size(); ++j) {
        targets[j] = law.cost[j] + gamma * values[law.next[j]];
      }
      best = std::min(best, risk(Law{{targets.data(), law.next.size()}, law.probability}));
    }
    backed_up[x] = best;
  }
}

/// Which arrays of the outcomes a sweep reads.
enum class Reads { costs, no_costs };

/// Sums these arrays on all cores. No sweep can be faster than this if the model does not fit in
/// cache.
double read_once(const Outcomes& outcomes, Reads reads) {
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, outcomes.size(), 65536), 0.0,
      [&](const tbb::blocked_range<std::size_t>& block, double sum) {
        double p[8] = {};
        std::size_t i = block.begin();
        for (; i + 8 <= block.end(); i += 8) {
          for (std::size_t k = 0; k < 8; ++k) p[k] += outcomes.probability[i + k];
          for (std::size_t k = 0; k < 8; ++k) p[k] += outcomes.next[i + k];
          if (reads == Reads::no_costs) continue;
          for (std::size_t k = 0; k < 8; ++k) p[k] += outcomes.cost[i + k];
        }
        for (const double part : p) sum += part;
        return sum;
      },
      std::plus<>());
}

}  // namespace

void sweep_against_bandwidth() {
  const Mdp model = sparse_model();
  const auto outcomes = static_cast<double>(model.outcomes().size());
  std::vector<double> values(model.states());
  std::vector<double> backed_up(model.states());
  {
    // Typical values during a solve: a few sweeps from zero.
    const BellmanOperator warm_up(model, {Expectile(0.9), gamma});
    for (int i = 0; i < 5; ++i) {
      warm_up.apply(values, backed_up);
      values.swap(backed_up);
    }
  }

  fmt::print(
      "\nOne sweep over {} states, 6 actions, 100 successors ({:.0f} MB of outcomes): time "
      "divided\n"
      "by that of our sweep on all cores\n\n",
      model.states(), outcomes * 20 / 1e6);
  fmt::print(
      "| loss | ours | ns per outcome | bytes per outcome | GB/s | ours, 1 thread | plain loop, 1 "
      "thread | reading these bytes once |\n");
  fmt::print("|---|---|---|---|---|---|---|---|\n");
  for (const char* word : {"mean", "expectile:0.9", "entropic:0.1", "soft-quantile:0.8,2"}) {
    const AnyLoss loss = AnyLoss::parse(word);
    const bool is_mean = std::holds_alternative<Mean>(loss.variant());
    const Reads reads = is_mean ? Reads::no_costs : Reads::costs;
    const int bytes = is_mean ? 12 : 20;
    const BellmanOperator all(model, {loss, gamma});
    const BellmanOperator one(model, {loss, gamma}, {.threads = 1});
    std::visit(
        [&](const auto& concrete) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(concrete)>, CustomLoss>) {
            const auto plain_risk = [&](const Law& law) {
              if constexpr (std::is_same_v<std::decay_t<decltype(concrete)>, Mean>) {
                return summarise(law).mean;
              } else {
                return shortfall_risk(concrete, law);
              }
            };
            const auto timings =
                side_by_side({{"ours", [&] { all.apply(values, backed_up); }},
                              {"one thread", [&] { one.apply(values, backed_up); }},
                              {"plain", [&] { plain_sweep(model, values, backed_up, plain_risk); }},
                              {"read", [&] { keep(read_once(model.outcomes(), reads)); }}},
                             5);
            fmt::print("| {} | 1 | {:.2f} | {} | {:.1f} | {:.2f} | {:.1f} | {:.2f} |\n", word,
                       timings[0].seconds / outcomes * 1e9, bytes,
                       bytes * outcomes / timings[0].seconds / 1e9, timings[1].ratio,
                       timings[2].ratio, timings[3].ratio);
          }
        },
        loss.variant());
  }
}

}  // namespace shortfall::benchmarks
