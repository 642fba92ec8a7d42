#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shortfall/learn/step_size.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/library/counterexample.hpp"

namespace shortfall::studies {

/// The p at which the drift vanishes for all θ ≥ 0; also the discount factor of the example.
inline constexpr double critical_probability = 0.9;

/// A smaller drift is rounding: those of the example are of the order 1e-3 to 1e-1.
inline constexpr double drift_rounding = 1e-12;
int sign_of_drift(double drift);

/// The two-state chain, with one of its features.
struct CounterexampleChain {
  CounterexampleChain(double probability, library::DeltaRoot delta);

  double p;
  library::DeltaRoot root;
  library::Counterexample example;
  Chain chain;
  std::vector<double> q;

  std::string root_name() const;

  /// h(θ) of the mean field, at this discount factor.
  double drift(double theta, double gamma) const;
  double drift(double theta) const { return drift(theta, example.gamma); }

  /// 8 `factor` / |φ|² / (n + 1000)^(2/3). Divided by |φ|² so that the steps have the same size for
  /// both roots, and small enough that θ keeps its sign.
  learn::PolynomialStep steps(double factor = 1.0) const;

  /// E θ_n of TD with these steps from θ_0 = 1, the first state drawn from q; exactly, for
  /// `record_at` in increasing order. While θ > 0 the update is θ' = θ (1 + η_n a(x, x')) with a(x,
  /// x') = φ(x) ℓ(γφ(x') - φ(x)), so that m_n(x) = E[θ_n; X_n = x] has the recursion
  ///
  ///   m_{n+1}(x') = Σ_x m_n(x) P(x'|x) (1 + η_n a(x, x')).
  ///
  /// The drift is the first order of this in the steps; in the second, successive moves are
  /// correlated.
  std::vector<double> expected_iterates(const std::vector<std::uint64_t>& record_at,
                                        double factor = 1.0) const;
};

}  // namespace shortfall::studies
