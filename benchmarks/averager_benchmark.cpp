#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <pcg_random.hpp>
#include <span>
#include <vector>

#include "benchmarks/side_by_side.hpp"
#include "benchmarks/transition_ring.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "shortfall/learn/averager_td.hpp"
#include "shortfall/learn/td.hpp"
#include "shortfall/mdp/random_bits.hpp"
#include "shortfall/risk/piecewise_linear.hpp"

namespace shortfall::benchmarks {
namespace {

constexpr double averager_tau = 0.9;
constexpr double averager_gamma = 0.9;
constexpr std::size_t averager_updates = 256;

/// A ring of sparse features: `active` of d, 1/active each, as of tile coding.
struct TileRing {
  TileRing(std::size_t d, std::size_t active, std::size_t size) : value(active) {
    pcg64 random(d);
    std::fill(value.begin(), value.end(), 1.0 / static_cast<double>(active));
    const std::size_t tiles = d / active;
    for (std::size_t t = 0; t < size; ++t) {
      for (std::size_t k = 0; k < active; ++k) {
        const auto tile =
            static_cast<std::size_t>(draw_uniform(random) * static_cast<double>(tiles));
        index.push_back(static_cast<std::uint32_t>(k * tiles + tile));
      }
      costs.push_back(10.0 * draw_uniform(random));
    }
    for (std::size_t k = 0; k < active; ++k) index.push_back(index[k]);
  }
  learn::SparseFeatures phi(std::size_t t) const {
    return {std::span(index).subspan(t * value.size(), value.size()), value};
  }

  std::vector<std::uint32_t> index;
  std::vector<double> value, costs;
};

}  // namespace

/// Averager TD with 8 active of 4096 features against TD with 8.
void averagers_against_td() {
  constexpr std::size_t active = 8;
  pcg64 random(active);
  const TransitionRing ring = make_ring(active, 128, random);
  fmt::print(
      "\nAverager TD with {} active features, against TD with d = {}\n\n"
      "| d | TD, ns | averager TD / TD | AnyLearner / TD |\n|---|---|---|---|\n",
      active, active);
  for (const std::size_t d : {64u, 4096u}) {
    const TileRing tiles(d, active, ring.size);
    const learn::PolynomialStep step;
    Feed<learn::Td<Expectile, learn::PolynomialStep>> td{
        learn::Td(active, Expectile(averager_tau), averager_gamma, step), &ring};
    learn::AveragerTd averager(d, Expectile(averager_tau), averager_gamma, step);
    learn::AnyLearner any(d, {.algorithm = learn::Algorithm::averager_td,
                              .loss = Expectile(averager_tau),
                              .gamma = averager_gamma,
                              .step = step});
    const auto run = [&](auto& learner, std::size_t& at) {
      for (std::size_t i = 0; i < averager_updates; ++i) {
        (void)learner.update(tiles.phi(at), tiles.costs[at], tiles.phi(at + 1));
        if (++at == ring.size) at = 0;
      }
    };
    std::size_t at = 0;
    std::size_t any_at = 0;
    const auto timings = side_by_side({{"td", [&] { td.run(averager_updates); }},
                                       {"averager", [&] { run(averager, at); }},
                                       {"any", [&] { run(any, any_at); }}});
    fmt::print("| {} | {:.0f} | {:.2f} | {:.2f} |\n", d,
               timings[0].seconds * 1e9 / averager_updates, timings[1].ratio, timings[2].ratio);
  }
}

}  // namespace shortfall::benchmarks
