#include <gtest/gtest.h>
// after gtest.h, which it does not include itself
#include <rapidcheck/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "shortfall/formats/model_csv.hpp"
#include "shortfall/formats/policy_csv.hpp"
#include "text/csv.hpp"

/// Readers read back exactly what writers write.
namespace shortfall::io {
namespace {

/// A temporary file name of this process.
struct ScratchFile {
  ScratchFile() = default;
  ~ScratchFile() { std::filesystem::remove(name); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  std::string name = ::testing::TempDir() + "shortfall-round-trip-" + std::to_string(::getpid());
};

/// Any finite double, by its bit pattern.
double any_finite() {
  const auto bits = rc::gen::map(rc::gen::arbitrary<std::uint64_t>(),
                                 [](std::uint64_t b) { return std::bit_cast<double>(b); });
  return *rc::gen::suchThat(bits, [](double x) { return std::isfinite(x); });
}

/// Ids that count from the bases, as in a file.
TransitionTable any_table() {
  TransitionTable t;
  t.state_base = *rc::gen::element(0u, 1u);
  t.action_base = *rc::gen::element(0, 1);
  t.add(0, 0, *rc::gen::inRange(0u, 5u), Probability(1.0), any_finite());
  const auto rows = *rc::gen::inRange(0, 30);
  for (int i = 0; i < rows; ++i) {
    t.add(*rc::gen::inRange(0u, 4294967294u), *rc::gen::inRange(0, 2147483646),
          *rc::gen::inRange(0u, 4294967294u),
          Probability(std::abs(std::remainder(any_finite(), 2.0))), any_finite());
  }
  return t;
}

/// States 0 to n - 1 with up to three actions each, some with none, and all named by some row.
Mdp any_model() {
  TransitionTable t;
  t.state_base = *rc::gen::element(0u, 1u);
  t.action_base = *rc::gen::element(0, 1);
  const auto n = *rc::gen::inRange(1u, 8u);
  for (const ActionIndex a : {0, 1, 2}) t.add(0, a, n - 1, Probability(1.0), any_finite());
  for (StateIndex x = 1; x < n; ++x) {
    t.add(0, 0, x, Probability(0.0), 0.0);
    const auto actions = *rc::gen::inRange(0, 8);
    for (const ActionIndex a : {0, 1, 2}) {
      if ((actions & (1 << a)) == 0) continue;
      const double p = *rc::gen::inRange(1, 1000) / 1000.0;
      t.add(x, a, *rc::gen::inRange(0u, n), Probability(p), any_finite());
      t.add(x, a, *rc::gen::inRange(0u, n), Probability(1.0 - p), any_finite());
    }
  }
  return Mdp::build(t);
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(a, b, [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

RC_GTEST_PROP(RoundTrip, OfATableKeepsEveryBit, ()) {
  const TransitionTable table = any_table();
  const ScratchFile file;
  write_table_csv(file.name, table, Sense::cost);
  const auto chunk_bytes = *rc::gen::inRange<std::size_t>(1, 200);
  const LoadedTable read = read_table_csv(file.name, {.threads = 2, .chunk_bytes = chunk_bytes});
  RC_ASSERT(read.sense == Sense::cost);
  RC_ASSERT(read.table.from == table.from);
  RC_ASSERT(read.table.action == table.action);
  RC_ASSERT(read.table.to == table.to);
  RC_ASSERT(same(read.table.probability, table.probability));
  RC_ASSERT(same(read.table.cost, table.cost));
  RC_ASSERT(read.table.state_base == table.state_base);
  RC_ASSERT(read.table.action_base == table.action_base);
}

RC_GTEST_PROP(RoundTrip, OfRewardsKeepsEveryValue, ()) {
  const TransitionTable table = any_table();
  const ScratchFile file;
  write_table_csv(file.name, table, Sense::reward);
  const LoadedTable read = read_table_csv(file.name);
  RC_ASSERT(read.sense == Sense::reward);
  RC_ASSERT(read.table.cost == table.cost);
}

RC_GTEST_PROP(RoundTrip, OfAModelKeepsIt, ()) {
  const Mdp model = any_model();
  const ScratchFile file;
  write_model_csv(file.name, model, Sense::cost);
  const Mdp read = read_model_csv(file.name).model;
  RC_ASSERT(read.states() == model.states());
  RC_ASSERT(read.state_begin() == model.state_begin());
  RC_ASSERT(read.outcomes().row_begin == model.outcomes().row_begin);
  RC_ASSERT(read.outcomes().next == model.outcomes().next);
  RC_ASSERT(same(read.outcomes().cost, model.outcomes().cost));
  // Rows are rescaled again, by a sum of n probabilities that rounding left within n eps of one.
  for (std::size_t i = 0; i < model.outcomes().size(); ++i) {
    const double p = model.outcomes().probability[i];
    RC_ASSERT(std::abs(read.outcomes().probability[i] - p) <= 4 * 2.3e-16 * p);
  }
}

RC_GTEST_PROP(RoundTrip, OfAPolicyKeepsIt, ()) {
  const Mdp model = any_model();
  Policy policy(model.states(), no_action);
  for (std::size_t x = 0; x < model.states(); ++x) {
    if (model.is_terminal(x)) continue;
    const auto row = *rc::gen::inRange(model.state_begin()[x], model.state_begin()[x + 1]);
    policy[x] = model.action_of_row(row);
  }
  const ScratchFile file;
  write_policy_csv(file.name, model, policy);
  const auto read = read_policy_csv(file.name, model);
  RC_ASSERT(std::holds_alternative<Policy>(read));
  RC_ASSERT(std::get<Policy>(read) == policy);
}

}  // namespace
}  // namespace shortfall::io
