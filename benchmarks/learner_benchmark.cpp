#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/child_process.hpp"
#include "benchmarks/eigen_learners.hpp"
#include "benchmarks/machine_bound.hpp"
#include "benchmarks/side_by_side.hpp"
#include "benchmarks/transition_ring.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "shortfall/learn/detail/vector_kernels.hpp"
#include "shortfall/risk/piecewise_linear.hpp"

namespace shortfall::benchmarks {
namespace {

using learn::AnyLearner;
using learn::padded;

constexpr double tau = 0.9;
constexpr double gamma = 0.9;
constexpr std::size_t updates_per_run = 256;

/// Indices of the contestants.
enum Place : std::size_t { ours, any, eigen, numba, numpy, flops, fused_flops, bytes, chain };

/// The implementations of one algorithm.
template <class Ours, class Eigens>
struct Entry {
  std::string name;
  Feed<Ours> ours;
  Feed<AnyLearner> any;
  Feed<Eigens> eigen;
};

/// With the paper's steps, which the others also take.
auto td_entry(const TransitionRing& ring) {
  const std::size_t d = ring.dimension;
  const learn::PolynomialStep step;
  return Entry<learn::Td<Expectile, learn::PolynomialStep>, EigenTd>{
      "td",
      {learn::Td(d, Expectile(tau), gamma, step), &ring},
      {AnyLearner(d, {.loss = Expectile(tau), .gamma = gamma, .step = step}), &ring},
      {EigenTd(d, tau, gamma), &ring}};
}

std::size_t warmup_of(const TransitionRing& ring) {
  return 4 * ring.dimension;
}

/// As published, which the others also compute.
auto newton_entry(const TransitionRing& ring) {
  const std::size_t d = ring.dimension;
  const std::size_t warmup = warmup_of(ring);
  const learn::NewtonOptions options{.warmup = warmup,
                                     .variant = learn::NewtonVariant::as_published};
  return Entry<learn::Newton<Expectile>, EigenNewton>{
      "newton",
      {learn::Newton(d, Expectile(tau), gamma, options), &ring},
      {AnyLearner(d, {.algorithm = learn::Algorithm::newton,
                      .loss = Expectile(tau),
                      .gamma = gamma,
                      .newton = options}),
       &ring},
      {EigenNewton(d, tau, gamma, warmup), &ring}};
}

void check_same(std::span<const double> mine, std::span<const double> theirs,
                const std::string& whose) {
  bool same = mine.size() == theirs.size();
  for (std::size_t i = 0; same && i < mine.size(); ++i) {
    same = std::abs(mine[i] - theirs[i]) <= 1e-9 * (1.0 + std::abs(mine[i]));
  }
  if (!same) throw std::runtime_error(whose + ": theta differs from ours");
}

/// Runs all learners for a while and compares their weights. This also warms them up.
template <class Ours, class Eigens>
void check_all_agree(Entry<Ours, Eigens>& entry, PythonLearners& python) {
  const std::size_t updates = warmup_of(*entry.ours.ring) + 100;
  const std::string where =
      fmt::format(" {} with {} weights", entry.name, entry.ours.ring->dimension);
  entry.ours.run(updates);
  entry.any.run(updates);
  entry.eigen.run(updates);
  const auto theta = entry.ours.learner.theta();
  check_same(theta, entry.any.learner.theta(), "AnyLearner's" + where);
  check_same(theta, {entry.eigen.learner.theta.data(), theta.size()}, "Eigen's" + where);
  for (const std::string library : {"numpy", "numba"}) {
    check_same(theta, python.learn(entry.name, library, updates),
               fmt::format("{}'s{}", library, where));
  }
}

/// The least work of one update: see learn/td.hpp and learn/information_matrix.hpp.
struct Bound {
  double flops_per_update;
  std::size_t written;  ///< doubles read and written at every update; φ and φ' are only read
  std::size_t batched;  ///< doubles read and written at every sixteenth update
};

/// Two dot products and θ += s φ.
Bound td_bound(std::size_t d) {
  return {6.0 * static_cast<double>(d), d, 0};
}

/// M - a bᵀ, its products with x and z, and the rank-one term of S.
Bound newton_bound(std::size_t d) {
  return {8.0 * static_cast<double>(d * d), d * d, d * d};
}

/// The machine's limits for the updates of one run.
std::vector<Contestant> limits(const TransitionRing& ring, const Bound& bound,
                               learn::AlignedVector& memory) {
  const MachineBound& machine = machine_bound();
  const auto pairs = static_cast<std::size_t>(bound.flops_per_update / 2.0 * updates_per_run);
  const std::size_t additions = (ring.dimension + learn::kernel_lanes - 1) / learn::kernel_lanes;
  memory.resize(bound.written + bound.batched + 2 * learn::kernel_lanes);
  // Cycles through the ring in chunks, as the learners do.
  const auto touch = [&ring, &memory, &machine, bound, at = std::size_t{0}]() mutable {
    for (std::size_t left = updates_per_run; left > 0;) {
      const std::size_t count = std::min(left, ring.size - at);
      keep(machine.touch({.features = ring.phi(at).data(),
                          .dimension = ring.dimension,
                          .transitions = count,
                          .written = memory.data(),
                          .written_size = bound.written,
                          .batched = memory.data() + padded(bound.written),
                          .batched_size = bound.batched}));
      left -= count;
      at = (at + count) % ring.size;
    }
  };
  return {{"flops", [=, &machine] { keep(machine.multiply_adds(pairs)); }},
          {"fused flops", [=, &machine] { keep(machine.fused_multiply_adds(pairs)); }},
          {"bytes", touch},
          {"chain", [=, &machine] { keep(machine.td_chain(updates_per_run, additions)); }}};
}

template <class Ours, class Eigens>
std::vector<Timing> compare(Entry<Ours, Eigens> entry, const Bound& bound, PythonLearners& python) {
  python.take(*entry.ours.ring, warmup_of(*entry.ours.ring));
  check_all_agree(entry, python);
  learn::AlignedVector memory;
  std::vector<Contestant> all = {{"ours", [&] { entry.ours.run(updates_per_run); }},
                                 {"AnyLearner", [&] { entry.any.run(updates_per_run); }},
                                 {"Eigen", [&] { entry.eigen.run(updates_per_run); }},
                                 python.contestant(entry.name, "numba", updates_per_run),
                                 python.contestant(entry.name, "numpy", updates_per_run)};
  for (Contestant& limit : limits(*entry.ours.ring, bound, memory)) all.push_back(std::move(limit));
  auto timings = side_by_side(all);
  if (entry.ours.learner.status() != learn::LearnerStatus::ok)
    throw std::runtime_error("our learner diverged");
  return timings;
}

void print_row(std::size_t d, const std::vector<Timing>& timings, const std::string& over_chain) {
  const double over_flops = 1.0 / timings[flops].ratio;
  const double over_bytes = 1.0 / timings[bytes].ratio;
  fmt::print(
      "| {} | {:.0f} | {:.2f} | {:.2f} | {:.2f} | {}1 | {:.2f} | {:.1f} | {:.1f} | {:.0f} |\n", d,
      timings[ours].seconds * 1e9 / updates_per_run, std::min(over_flops, over_bytes), over_flops,
      over_bytes, over_chain, timings[any].ratio, timings[eigen].ratio, timings[numba].ratio,
      timings[numpy].ratio);
}

/// 4 d transitions: Newton's sums need more than d different ones to be well conditioned.
TransitionRing ring_of(std::size_t d) {
  pcg64 random(d);
  return make_ring(d, std::max<std::size_t>(4 * d, 128), random);
}

constexpr std::size_t dimensions[] = {10, 37, 100, 500};

/// Newton as it is used, with samples that fade and sums for intervals, against as published.
void compare_renewed_with_published() {
  fmt::print(
      "\nNewton with samples that fade and sums for intervals, after 100 000 updates\n\n"
      "| d | as published, ns | renewed / as published |\n|---|---|---|\n");
  for (const std::size_t d : {10u, 37u, 100u}) {
    const TransitionRing ring = ring_of(d);
    Feed<learn::Newton<Expectile>> published{
        learn::Newton(d, Expectile(tau), gamma, {.variant = learn::NewtonVariant::as_published}),
        &ring};
    Feed<learn::Newton<Expectile>> renewed{learn::Newton(d, Expectile(tau), gamma), &ring};
    published.run(100'000);
    renewed.run(100'000);
    const auto timings = side_by_side({{"published", [&] { published.run(updates_per_run); }},
                                       {"renewed", [&] { renewed.run(updates_per_run); }}});
    fmt::print("| {} | {:.0f} | {:.2f} |\n", d, timings[0].seconds * 1e9 / updates_per_run,
               timings[1].ratio);
  }
}

}  // namespace

void learners_against_bounds() {
  PythonLearners python;
  fmt::print(
      "\nOne update with expectile:0.9, gamma 0.9: our time divided by the machine's limits, then\n"
      "the time of each alternative divided by ours\n\nTD\n\n"
      "| d | ns | ours / larger of flops and bytes | ours / flops | ours / bytes | ours / chain | "
      "ours | AnyLearner | Eigen | Numba | NumPy "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const std::size_t d : dimensions) {
    const TransitionRing ring = ring_of(d);
    const auto timings = compare(td_entry(ring), td_bound(d), python);
    print_row(d, timings, fmt::format("{:.2f} | ", 1.0 / timings[chain].ratio));
  }
  fmt::print(
      "\nNewton\n\n| d | ns | ours / larger of flops and bytes | ours / flops | ours / bytes | "
      "ours | AnyLearner | Eigen | Numba | NumPy |\n|---|---|---|---|---|---|---|---|---|---|\n");
  double flops_per_ns = 0.0;
  double fused_flops_per_ns = 0.0;
  for (const std::size_t d : dimensions) {
    const TransitionRing ring = ring_of(d);
    const Bound bound = newton_bound(d);
    const auto timings = compare(newton_entry(ring), bound, python);
    print_row(d, timings, "");
    const double flops_per_run = bound.flops_per_update * updates_per_run;
    flops_per_ns = 1e-9 * flops_per_run / timings[flops].seconds;
    fused_flops_per_ns = 1e-9 * flops_per_run / timings[fused_flops].seconds;
  }
  fmt::print(
      "\nPeak rate: {:.0f} flops per nanosecond with products and sums rounded separately, as ours "
      "are; {:.0f} fused\n",
      flops_per_ns, fused_flops_per_ns);
  compare_renewed_with_published();
  averagers_against_td();
}

}  // namespace shortfall::benchmarks
