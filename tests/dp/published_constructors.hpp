#pragma once

#include <vector>

#include "shortfall/mdp/mdp.hpp"

/// The models of published_models.hpp, one function each. Rewards are negative costs.
namespace shortfall::testing {

/// MDPtoolbox and pymdptoolbox, `example.small`; tested there with these values from Octave.
Mdp toolbox_small();

/// Puterman, Markov Decision Processes, 1994, section 3.1. At 0.95, v(s1) = -8.571, v(s2) = -20.
Mdp puterman_two_states();

/// Howard, Dynamic Programming and Markov Processes, 1960, the taxicab problem, discounted by 0.9:
/// v = (121.65, 135.31, 122.84). Towns A, B, C; cruise, cab stand, radio call.
Mdp howard_taxicab();

/// Howard 1960, the toymaker, discounted by 0.9: v = (22.2, 12.3).
Mdp howard_toymaker();

/// Hillier and Lieberman, Introduction to Operations Research, the machine that deteriorates:
/// states good as new, minor, major, inoperable; do nothing (0), overhaul (1), replace (2), in
/// dollars.
Mdp hillier_machine();

/// Taha, Operations Research: An Introduction, the gardener problem: soil good, fair, poor; without
/// fertiliser (0) and with (1).
Mdp taha_gardener();

/// Sutton and Barto, Reinforcement Learning, 2nd ed., Example 3.3. In state high (0): search or
/// wait; in low (1): search, wait or recharge. α = 3/4, β = 1/2, rewards 2 for searching, 1 for
/// waiting, -3 where searching on low battery fails. Searching while high and recharging while low
/// is optimal at γ = 0.9: v(h) = 2 + γ(α v(h) + (1-α) v(l)), v(l) = γ v(h).
Mdp recycling_robot();

/// Silver, UCL course on reinforcement learning, 2015, lecture 2, the student reward process.
/// States: Facebook, classes 1 to 3, pub, pass, sleep.
Mdp student_process();

/// The same lecture's decision process: Facebook, classes 1 to 3, sleep. Action 1 continues
/// studying (or quits Facebook), action 0 is the other.
Mdp student_decisions();

/// Sutton and Barto, Examples 3.5 and 3.8: 5 × 5 cells; leaving the grid costs 1 and does nothing;
/// from A, (0, 1), every action leads to (4, 1) for 10, from B, (0, 3), to (2, 3) for 5.
Mdp five_by_five();

/// Sutton and Barto, Example 4.1: 4 × 4 cells, two opposite corners terminal, every move costs 1.
Mdp four_by_four();

/// Gymnasium's FrozenLake-v1 on its 4 × 4 map: a move goes in the intended direction or to either
/// side, each with probability 1/3; holes and the goal end it, the goal with reward 1.
Mdp frozen_lake();

/// Russell and Norvig, Artificial Intelligence, the 4 × 3 world: 0.8 in the intended direction, 0.1
/// to each side, reward -0.04 per step, exits worth +1 and -1, here paid on arrival. States by row
/// from the top, without the wall at (1, 1).
Mdp four_by_three_world();

/// Sutton and Barto, Example 6.2: five states in a row between two terminal ones, a fair walk,
/// reward 1 for the right end. States 0..6 with 0 and 6 terminal.
Mdp random_walk();

/// Sutton and Barto, Example 4.3: stakes on a coin that shows heads with probability 0.4, from a
/// capital of 1..99 until it is 0 or 100, which is worth 1. Action a stakes a + 1.
Mdp gamblers_problem();

/// Sutton and Barto, Example 6.6: 4 × 12 cells, start and goal in the bottom corners, the cliff
/// between them costs 100 and leads back to the start, every other move costs 1. States: rows 0..2,
/// then start (36) and goal (37).
Mdp cliff_walking();

/// The costs of cliff_walking: the number of steps of a shortest path that avoids the cliff.
std::vector<double> cliff_values();

/// The values of gamblers_problem, in rewards, by bold play, which is optimal in an unfavourable
/// game (Dubins, Savage, How to Gamble If You Must, 1965).
std::vector<double> gamblers_values();

}  // namespace shortfall::testing
