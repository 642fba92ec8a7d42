// The linear systems of Newton steps: their matrix, their preconditioner, and how they are solved.
#include "dp/packed_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "dp/bicgstab.hpp"
#include "dp/incomplete_lu.hpp"
#include "dp/policy_evaluation.hpp"
#include "dp/tangent_solver.hpp"
#include "shortfall/dp/bellman.hpp"
#include "shortfall/mdp/random_streams.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall {
namespace {

using detail::BiCgStab;
using detail::IncompleteLu;
using detail::Tangent;
using detail::TangentSolver;
using Eigen::VectorXd;

enum class Structure { random, band, ring, forward };

/// A chain of `successors` outcomes per state, some with the same successor; `forward` ends in a
/// terminal state.
Outcomes chain(Structure structure, std::size_t states, std::size_t successors) {
  auto bits = stream_generator(1, states + 1000 * successors);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(bits() % n); };
  const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1.0p-53; };
  Outcomes outcomes;
  for (std::size_t x = 0; x < states; ++x) {
    const bool ends = structure == Structure::forward && x + 1 == states;
    std::vector<double> p(ends ? 0 : successors);
    double sum = 0.0;
    for (double& q : p) sum += q = uniform() + 0.1;
    for (const double q : p) {
      const std::size_t next = structure == Structure::random ? below(states)
                               : structure == Structure::band ? (x + states - 3 + below(7)) % states
                               : structure == Structure::ring
                                   ? (x + 1 + below(2)) % states
                                   : std::min(states - 1, x + 1 + below(5));
      outcomes.probability.push_back(q / sum);
      outcomes.cost.push_back(10.0 * uniform());
      outcomes.next.push_back(static_cast<StateIndex>(next));
    }
    outcomes.row_begin.push_back(outcomes.probability.size());
  }
  outcomes.sort_rows();
  return outcomes;
}

std::vector<std::size_t> all_rows(const Outcomes& outcomes) {
  std::vector<std::size_t> rows(outcomes.rows());
  for (std::size_t x = 0; x < rows.size(); ++x) {
    rows[x] = outcomes.row_begin[x] == outcomes.row_begin[x + 1] ? no_row : x;
  }
  return rows;
}

/// The risk of every row, one row after the other, without a sweep.
std::vector<double> plain_backup(const Outcomes& outcomes, const AnyLoss& loss, double gamma,
                                 const std::vector<double>& values) {
  std::vector<double> backed_up(values.size());
  for (std::size_t x = 0; x < values.size(); ++x) {
    const Outcomes::Row law = outcomes.row(x);
    std::vector<double> targets;
    for (std::size_t j = 0; j < law.next.size(); ++j) {
      targets.push_back(law.cost[j] + gamma * values[law.next[j]]);
    }
    if (!targets.empty()) backed_up[x] = shortfall_risk(loss, {targets, law.probability});
  }
  return backed_up;
}

struct Point {
  Outcomes outcomes;
  std::vector<std::size_t> rows;
  std::vector<double> values;
  std::vector<double> backed_up;
  std::shared_ptr<const detail::Partition> partition;
};

Point point(Outcomes outcomes, const AnyLoss& loss, double gamma) {
  std::vector<double> values(outcomes.rows());
  for (std::size_t x = 0; x + 1 < values.size(); ++x) {
    values[x] = static_cast<double>((x * 7) % 11);
  }
  std::vector<double> backed_up = plain_backup(outcomes, loss, gamma, values);
  std::vector<std::size_t> rows = all_rows(outcomes);
  auto partition = std::make_shared<const detail::Partition>(values.size());
  return {std::move(outcomes), std::move(rows), std::move(values), std::move(backed_up),
          std::move(partition)};
}

Eigen::MatrixXd dense(const Tangent& tangent) {
  const auto size = static_cast<Eigen::Index>(tangent.states());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(size, size);
  for (Eigen::Index x = 0; x < size; ++x) {
    const detail::PackedRows::Row row = tangent.rows().row(static_cast<std::size_t>(x));
    for (std::size_t j = 0; j < row.next.size(); ++j) {
      matrix(x, row.next[j]) -= tangent.gamma() * row.weight(j);
    }
  }
  return matrix;
}

Tangent tangent_of(const Point& at, const AnyLoss& loss, double gamma) {
  Tangent tangent(loss, gamma, *at.partition);
  tangent.assign({at.outcomes, at.rows}, at.values, at.backed_up);
  return tangent;
}

class EveryLoss : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Tangent, EveryLoss, ::testing::ValuesIn(testing::loss_specs()));

TEST(Tangent, OfTheMeanNeedNotBePacked) {
  const Point at = point(chain(Structure::forward, 60, 7), Mean(), 0.9);
  const Tangent packed = tangent_of(at, Mean(), 0.9);
  VectorXd x(60);
  for (Eigen::Index i = 0; i < 60; ++i) x[i] = 1.0 / static_cast<double>(i + 3);
  VectorXd expected(60);
  packed.multiply(0, 60, {x.data(), 0.0}, expected.data());
  Tangent lazy(Mean(), 0.9, *at.partition);
  lazy.refer_to({at.outcomes, at.rows});
  EXPECT_EQ(lazy.entries(), packed.entries());
  for (int pass = 0; pass < 2; ++pass) {
    VectorXd product(60);
    lazy.multiply(0, 60, {x.data(), 0.0}, product.data());
    EXPECT_EQ(product, expected);  // the same sums in the same order, in double precision
    lazy.pack();
  }
}

TEST_P(EveryLoss, HasTheDerivativeOfTheBackupAsTangent) {
  constexpr double gamma = 0.9;
  constexpr double h = 1e-5;
  const AnyLoss loss = AnyLoss::parse(GetParam());
  const Point at = point(chain(Structure::random, 40, 11), loss, gamma);
  const Tangent tangent = tangent_of(at, loss, gamma);
  VectorXd direction(40);
  for (Eigen::Index x = 0; x < 40; ++x) direction[x] = x % 3 == 0 ? 1.0 : -0.5;
  VectorXd product(40);
  tangent.multiply(0, 40, {direction.data(), 0.0}, product.data());

  std::vector<double> moved = at.values;
  for (std::size_t x = 0; x < 40; ++x) moved[x] += h * direction[static_cast<Eigen::Index>(x)];
  const std::vector<double> after = plain_backup(at.outcomes, loss, gamma, moved);
  for (std::size_t x = 0; x < 40; ++x) {
    // Left slopes are those of the derivative unless a target is within h of a kink, which costs
    // at most the weight of that target; and curvature, of the order of h.
    const double slope = (after[x] - at.backed_up[x]) / h;
    EXPECT_NEAR(gamma * product[static_cast<Eigen::Index>(x)], slope, 1e-3) << "state " << x;
    double sum = 0.0;
    for (std::size_t j = 0; j < tangent.rows().row(x).next.size(); ++j) {
      EXPECT_GE(tangent.rows().row(x).weight(j), 0.0);
      sum += tangent.rows().row(x).weight(j);
    }
    EXPECT_NEAR(sum, 1.0, 1e-14);
  }
}

TEST(Tangent, HasSinglePrecisionIfItIsLargeAndRowsThatSumToOneAllTheSame) {
  const Point at = point(chain(Structure::random, 3000, 40), Expectile(0.8), 0.9);
  const Tangent tangent = tangent_of(at, Expectile(0.8), 0.9);
  const VectorXd ones = VectorXd::Ones(3000);
  VectorXd product(3000);
  tangent.multiply(0, 3000, {ones.data(), 0.0}, product.data());
  // What a row lost, at most half a unit of a float, is kept in a float: its error is the square of
  // that. The rest are sums of 40 terms, in two orders.
  EXPECT_LT((product - ones).lpNorm<Eigen::Infinity>(), 0x1.0p-48 + 80 * 0x1.0p-53);
  EXPECT_TRUE(tangent.rows().is_narrow());
}

TEST(Tangent, OfATerminalStateIsEmpty) {
  const Point at = point(chain(Structure::forward, 20, 3), Mean(), 0.9);
  const Tangent tangent = tangent_of(at, Mean(), 0.9);
  EXPECT_TRUE(tangent.rows().row(19).next.empty());
  const VectorXd ones = VectorXd::Ones(20);
  VectorXd product(20);
  tangent.multiply(0, 20, {ones.data(), 0.0}, product.data());
  EXPECT_EQ(product[19], 0.0);
  EXPECT_NEAR(product[0], 1.0, 1e-15);
}

TEST(IncompleteLu, IsNearlyExactForNarrowBandsAndChainsWithoutCycles) {
  for (const Structure structure : {Structure::forward, Structure::ring}) {
    const Point at = point(chain(structure, 60, 4), Mean(), 0.99);
    const Tangent tangent = tangent_of(at, Mean(), 0.99);
    IncompleteLu factors;
    factors.compute(tangent);
    const VectorXd x = VectorXd::LinSpaced(60, -1.0, 2.0);
    const VectorXd b = dense(tangent) * x;
    VectorXd found(60);
    factors.solve({b.data(), 60}, {found.data(), 60});
    // A ring has one entry in the corner, whose fill-in is dropped once it is small.
    const double error = (found - x).lpNorm<Eigen::Infinity>();
    EXPECT_LT(error, structure == Structure::forward ? 1e-12 : 0.5);
  }
}

TEST(IncompleteLu, KeepsABoundedNumberOfEntries) {
  const Point at = point(chain(Structure::random, 300, 80), Mean(), 0.99);
  const Tangent tangent = tangent_of(at, Mean(), 0.99);
  IncompleteLu factors;
  factors.compute(tangent);
  EXPECT_LE(factors.entries(), 300 * (2 * IncompleteLu::most_entries + 1));
  EXPECT_GT(factors.entries(), 300U);
}

TEST(IncompleteLu, StopsWhereItWouldTakeTooLong) {
  const Point at = point(chain(Structure::random, 300, 8), Mean(), 0.99);
  const Tangent tangent = tangent_of(at, Mean(), 0.99);
  IncompleteLu factors;
  EXPECT_TRUE(factors.compute(tangent));
  const std::size_t needed = factors.operations();
  EXPECT_GT(needed, tangent.entries() / 2);
  EXPECT_TRUE(factors.compute(tangent, needed));
  EXPECT_EQ(factors.operations(), needed);
  EXPECT_FALSE(factors.compute(tangent, needed / 2));
  EXPECT_LT(factors.operations(), needed);
}

TEST(IncompleteLu, AddsUpOutcomesWithTheSameSuccessor) {
  // Each of 2000 outcomes is below the threshold, their sum is not.
  Outcomes outcomes;
  for (const StateIndex next : {StateIndex{1}, StateIndex{0}}) {
    for (int j = 0; j < 2000; ++j) {
      outcomes.probability.push_back(1.0 / 2000);
      outcomes.cost.push_back(1.0);
      outcomes.next.push_back(next);
    }
    outcomes.row_begin.push_back(outcomes.probability.size());
  }
  const Point at = point(std::move(outcomes), Mean(), 0.99);
  const Tangent tangent = tangent_of(at, Mean(), 0.99);
  IncompleteLu factors;
  factors.compute(tangent);
  EXPECT_EQ(factors.entries(), 4U);
  const VectorXd x = VectorXd::LinSpaced(2, -1.0, 2.0);
  const VectorXd b = dense(tangent) * x;
  VectorXd found(2);
  factors.solve({b.data(), 2}, {found.data(), 2});
  // Sums of 2000 terms in different orders, and a condition number of 200.
  EXPECT_LT((found - x).lpNorm<Eigen::Infinity>(), 2000 * 200 * 0x1.0p-53);
}

TEST(IncompleteLu, KnowsWhereItHasNoFillIn) {
  const auto judge = [](Structure structure, std::size_t states, std::size_t successors) {
    const Point at = point(chain(structure, states, successors), Mean(), 0.99);
    return IncompleteLu::has_no_fill_in(tangent_of(at, Mean(), 0.99));
  };
  EXPECT_TRUE(judge(Structure::ring, 5000, 2));
  EXPECT_TRUE(judge(Structure::forward, 5000, 3));
  EXPECT_FALSE(judge(Structure::band, 5000, 4));
  EXPECT_FALSE(judge(Structure::random, 5000, 4));  // successors are elsewhere
  EXPECT_FALSE(judge(Structure::random, 300, 80));  // most entries are dropped
}

/// Each state with one successor at random, or none: cycles, self-loops, trees that lead into them.
Outcomes deterministic_chain(std::size_t states, std::uint64_t seed) {
  auto bits = stream_generator(seed, 0);
  Outcomes outcomes;
  for (std::size_t x = 0; x < states; ++x) {
    if (bits() % 8 != 0) {
      outcomes.probability.push_back(1.0);
      outcomes.cost.push_back(static_cast<double>(bits() % 100));
      outcomes.next.push_back(static_cast<StateIndex>(bits() % states));
    }
    outcomes.row_begin.push_back(outcomes.probability.size());
  }
  return outcomes;
}

TEST(SingleSuccessors, AreSolvedExactly) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const double gamma : {0.5, 0.999}) {
      const std::size_t states = 1 + seed % 40;
      const Point at = point(deterministic_chain(states, seed), Expectile(0.9), gamma);
      const Tangent tangent = tangent_of(at, Expectile(0.9), gamma);
      ASSERT_TRUE(tangent.has_single_successors());
      const VectorXd b = VectorXd::LinSpaced(static_cast<Eigen::Index>(states), -3.0, 1.0);
      VectorXd residual = b;
      VectorXd found;
      detail::solve_single_successors(tangent, residual, found);
      EXPECT_EQ(residual.lpNorm<Eigen::Infinity>(), 0.0);
      // Sums of at most 40 terms below 3 / (1 - γ), and a condition number of 2 / (1 - γ).
      const double rounding = 40.0 * 0x1.0p-53 * 6.0 / ((1.0 - gamma) * (1.0 - gamma));
      EXPECT_LT((found - dense(tangent).partialPivLu().solve(b)).lpNorm<Eigen::Infinity>(),
                rounding);
    }
  }
}

TEST(BiCgStab, ConvergesToTheSolutionWithAndWithoutPreconditioner) {
  for (const Structure structure : {Structure::random, Structure::band, Structure::forward}) {
    const Point at = point(chain(structure, 200, 6), Mean(), 0.99);
    const Tangent tangent = tangent_of(at, Mean(), 0.99);
    const Eigen::MatrixXd matrix = dense(tangent);
    VectorXd b = VectorXd::LinSpaced(200, -3.0, 1.0);
    if (structure == Structure::forward) b[199] = 0.0;
    const VectorXd exact = matrix.partialPivLu().solve(b);
    IncompleteLu factors;
    factors.compute(tangent);
    const IncompleteLu* const none = nullptr;
    for (const IncompleteLu* preconditioner : {none, static_cast<const IncompleteLu*>(&factors)}) {
      BiCgStab krylov(tangent);
      VectorXd d = VectorXd::Zero(200);
      VectorXd r = b;
      detail::Extremes extremes{b.minCoeff(), b.maxCoeff()};
      krylov.start(r, preconditioner);
      for (int i = 0; i < 400 && extremes.width() > 1e-10; ++i) {
        if (!krylov.step(d, r, extremes)) krylov.start(r, preconditioner);
      }
      EXPECT_LE(extremes.width(), 1e-10);
      EXPECT_EQ(extremes.low, r.minCoeff());
      EXPECT_EQ(extremes.high, r.maxCoeff());
      // The residual is carried along by recursion; it is the true one up to rounding.
      EXPECT_LT((b - matrix * d - r).lpNorm<Eigen::Infinity>(), 1e-9);
      EXPECT_LT((d - exact).lpNorm<Eigen::Infinity>(), 1e-7);
    }
  }
}

TEST(TangentSolver, ReachesItsGoalOnEveryStructure) {
  for (const Structure structure :
       {Structure::random, Structure::band, Structure::ring, Structure::forward}) {
    for (const double gamma : {0.5, 0.99, 0.9999}) {
      const Point at = point(chain(structure, 500, 5), Expectile(0.8), gamma);
      const Tangent tangent = tangent_of(at, Expectile(0.8), gamma);
      VectorXd b(500);
      for (Eigen::Index x = 0; x < 500; ++x) {
        const auto k = static_cast<std::size_t>(x);
        b[x] = at.backed_up[k] - at.values[k];
      }
      const Chain rows(at.outcomes);
      const BellmanOperator bellman(rows, {Expectile(0.8), gamma});
      TangentSolver solver(Expectile(0.8), bellman);
      detail::Watch watch;
      const VectorXd d = solver.step({at.outcomes, at.rows}, at.values, at.backed_up,
                                     {.width = 1e-3, .least = 1e-6, .ample = 1e-3}, watch);
      VectorXd r = b - dense(tangent) * d;
      const double width = r.maxCoeff() - r.minCoeff();
      EXPECT_LE(width, 1.1e-3 * (b.maxCoeff() - b.minCoeff())) << gamma;
      EXPECT_GT(solver.cost(), 0.0);
      EXPECT_LT(solver.cost(), 1000.0) << gamma;  // sweeps alone: up to 69 000
    }
  }
}

TEST(TangentSolver, SweepsAreThoseOfThePolicyUpToAConstant) {
  constexpr double gamma = 0.95;
  constexpr int sweeps = 7;
  for (const Structure structure : {Structure::random, Structure::forward}) {
    const Point at = point(chain(structure, 300, 5), Mean(), gamma);
    std::vector<double> expected = at.backed_up;
    for (int i = 0; i < sweeps; ++i) expected = plain_backup(at.outcomes, Mean(), gamma, expected);
    const Chain rows(at.outcomes);
    const BellmanOperator bellman(rows, {Mean(), gamma});
    TangentSolver solver(Mean(), bellman);
    detail::Watch watch;
    const VectorXd d = solver.sweeps({at.outcomes, at.rows}, at.values, at.backed_up,
                                     {.width = 1e-6, .most = sweeps}, watch);
    const double constant =
        structure == Structure::forward ? 0.0 : at.values[0] + d[0] - expected[0];
    for (std::size_t x = 0; x < 300; ++x) {
      const double value = at.values[x] + d[static_cast<Eigen::Index>(x)] - constant;
      EXPECT_NEAR(value, expected[x], 1e-11) << "state " << x;  // values up to 200
    }
    EXPECT_EQ(solver.cost(), sweeps);
  }
}

TEST(TangentSolver, SweepsEndOnceTheResidualIsNarrowEnough) {
  const Point at = point(chain(Structure::random, 300, 8), Mean(), 0.9);
  const Chain rows(at.outcomes);
  const BellmanOperator bellman(rows, {Mean(), 0.9});
  TangentSolver solver(Mean(), bellman);
  detail::Watch watch;
  solver.sweeps({at.outcomes, at.rows}, at.values, at.backed_up, {.width = 0.1, .most = 100},
                watch);
  EXPECT_GE(solver.cost(), 1.0);
  EXPECT_LE(solver.cost(), 22.0);  // 0.9²² < 0.1
}

}  // namespace
}  // namespace shortfall
