#pragma once

#include <Eigen/Core>
#include <pcg_random.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "shortfall/mdp/library/catalogue.hpp"
#include "shortfall/mdp/mdp.hpp"
#include "shortfall/risk/any_loss.hpp"
#include "shortfall/risk/piecewise_linear.hpp"

/// Small models from the literature, most of them with a known solution.
namespace shortfall::library {

struct NamedModel {
  std::string name;
  Mdp model;
};

/// One or more instances of each model here, of at most 50 states, for tests of solvers to
/// iterate over.
std::vector<NamedModel> small_models();

/// Forest management, the example of the MDP toolboxes (Chadès, Chapron, Cros, Garcia, Sabbadin,
/// "MDPtoolbox: a multi-platform toolbox to solve stochastic dynamic programming problems",
/// Ecography 37, 2014). A forest has one of S ages 0..S-1. Each year one waits (action 0) or cuts
/// (action 1). When waiting, it burns down to age 0 with probability p and otherwise grows, up to
/// age S - 1; cutting brings it to age 0. Rewards, here negative costs:
///
///   wait   0, and r1 at age S - 1
///   cut    0 at age 0, 1 at ages 1..S-2, r2 at age S - 1
///
/// Check: S = 3 and γ = 0.9 have the risk-neutral values -(26.244, 29.484, 33.484); always wait.
struct ForestParameters {
  std::size_t states = 3;         ///< S ≥ 2
  double wait_reward = 4.0;       ///< r1
  double cut_reward = 2.0;        ///< r2
  double fire_probability = 0.1;  ///< p, in [0, 1]
};

Mdp forest(const ForestParameters& parameters = {});

/// Machine replacement (Derman, "On optimal replacement rules when changes of state are Markovian",
/// in Mathematical Optimization Techniques, 1963; Ross, Introduction to Stochastic Dynamic
/// Programming, 1983). A machine is in a state of wear 0..n-1. Each period it is kept (action 0) or
/// replaced at once by a new one, in state 0 (action 1); then it runs, at a cost of `wear_cost` · x
/// in state x, and wears by one, up to n - 1, with probability p.
///
/// Costs and wear increase with the state, so a control limit is optimal: replace from some state
/// on. In the risk-neutral case, the value of replacing in states k and above solves
///
///   V(x) = (wear_cost · x + γ p V(x + 1)) / (1 - γ (1 - p))   x < k,   V(x) = R + V(0)   x ≥ k,
///
/// and the optimal value is the smallest of these over k, where k ≥ n means never.
struct MachineReplacementParameters {
  std::size_t states = 10;         ///< n ≥ 2
  double replacement_cost = 20.0;  ///< R
  double wear_cost = 3.0;
  double wear_probability = 0.5;  ///< p, in [0, 1]
};

Mdp machine_replacement(const MachineReplacementParameters& parameters = {});

/// RiverSwim (Strehl and Littman, "An analysis of model-based interval estimation for Markov
/// decision processes", J. Comput. System Sci. 74, 2008). A swimmer in states 0..n-1 goes left
/// (action 0), with the current and with certainty, or right (action 1), against it:
///
///   from          left   stay   right
///   0                     0.7     0.3
///   1..n-2         0.1    0.6     0.3
///   n-1            0.7    0.3
///
/// Rewards, here negative costs: `small_reward` for going left in state 0, `large_reward` for going
/// right in state n - 1 and staying there; the latter is a cost that varies with the outcome.
struct RiverSwimParameters {
  std::size_t states = 6;  ///< ≥ 2
  double small_reward = 5.0;
  double large_reward = 10000.0;
};

Mdp river_swim(const RiverSwimParameters& parameters = {});

/// The random model of the convergence experiments: every state has every action; the kernel is
/// uniform on [0, 1], each row divided by its sum; costs c(x, a) are normal with mean 10 and
/// variance 100, the same for all outcomes of a pair; each state's action is uniform. The feature
/// matrix is the orthonormal factor of a standard normal N × d one.
struct RandomMdp {
  Mdp model;
  Policy policy;
  Eigen::MatrixXd features;  ///< N × d with orthonormal columns
};

struct RandomMdpSize {
  std::uint32_t states = 10;    ///< N ≥ 1
  std::uint32_t actions = 10;   ///< ≥ 1
  std::uint32_t features = 10;  ///< d, in 1..N
};

/// The same generator state gives the same model, policy and features on every platform, up to the
/// last places of costs and features. Draws are taken in the order: kernel and cost by state and
/// action, policy, features by column. So models of equal N and number of actions agree for all d,
/// and their features agree in the columns they share.
RandomMdp random_mdp(const RandomMdpSize& size, pcg64& generator);

/// The chain of Boyan ("Technical update: least-squares temporal difference learning", Machine
/// Learning 49, 2002), with states counted towards the end: 0..13, of which 13 is terminal. From s
/// ≤ 11 it moves to s + 1 or s + 2, with probability 1/2 each, at cost 3; from 12 to 13 at cost c.
///
/// Undiscounted, its value is linear for every shortfall risk ρ with a suitable c:
///
///   V(s) = c (13 - s)  with  2c = 3 + ρ(Z),  Z = 0 or c with probability 1/2 each,
///
/// because ρ(3 + V(X')) = 3 + c (11 - s) + ρ(Z). For the mean, c = 2; for the expectile of level
/// τ (of costs), c = 3 / (2 - τ).
inline constexpr std::size_t boyan_states = 14;

/// The chain as a model with one action, `final_cost` being c.
Mdp boyan_chain(double final_cost = 2.0);

/// The c for which the value is linear, to rounding. It lies in [3/2, 3], since ρ(Z) is in [0, c].
double boyan_final_cost(const AnyLoss& loss);

/// 14 × 4: row s interpolates linearly between unit vectors at the states 0, 4, 8, 12, as in
/// Boyan's paper; the terminal state has zeros. θ = c (13, 9, 5, 1) gives the linear value exactly.
Eigen::MatrixXd boyan_features();

/// δ is a root of 91 δ² - 891 δ + 901 = 0.
enum class DeltaRoot { smaller, larger };

/// A chain on which temporal-difference learning under an expectile may miss the value, although
/// its one feature can represent it. Two states, no costs, and each moves to the other with
/// probability p; features (1, δ)ᵀ. With slopes 1/11 and 10/11, that is τ = 10/11, the sufficient
/// condition requires γ < 1/10, and γ = 9/10 violates it. The value is 0. With q = (1/2, 1/2), the
/// mean-field drift
///
///   f(θ) = Σ_x q(x) φ(x) E ℓ(γ φ(X')θ - φ(x)θ)
///
/// is 0 for every θ ≥ 0 at p = 9/10, and positive for every θ > 0 at p in (9/10, 1). For θ > 0
/// only the move from the first state to the second has a positive temporal difference, so that at
/// p = 9/10 the drift is -(91 δ² - 891 δ + 901) θ / 2200: δ is a root, (891 ± √465917) / 182.
struct Counterexample {
  Mdp model;  ///< the chain, as a model with one action
  Expectile loss;
  double gamma;
  Eigen::MatrixXd features;  ///< 2 × 1
};

/// Throws InvalidInput for p outside (0, 1].
Counterexample counterexample(double p, DeltaRoot root);

}  // namespace shortfall::library
