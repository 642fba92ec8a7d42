#pragma once

#include <string>
#include <vector>

#include "benchmarks/peer_process.hpp"
#include "benchmarks/timed_solve.hpp"

/// The rows of the table that compares our solver with other programs.
namespace shortfall::benchmarks {

inline constexpr double peer_tolerance = 1e-6;

/// The default, and the fastest of all our methods.
struct OwnResult {
  TimedSolution ours;
  std::string best_name;
  double best_seconds;
};

/// One model at one discount factor.
struct PeerCell {
  std::string row;  ///< model, size, discount factor
  OwnResult own;
  std::vector<PeerAnswer> answers;  ///< in the order of peer_programs()
};

/// What a cell shows, with the values of all programs judged by plain loops.
struct Verdict {
  double largest_error = 0.0;  ///< that cannot be excluded, of any program's values
  double farthest = 0.0;       ///< of any peer's values from ours
  bool loses_to_own = false;   ///< takes more than 1.2 times as long as our fastest method
  bool loses_to_peer = false;  ///< takes more than 10 ms, and than half the time of a peer
  std::vector<std::string> remarks;
};

Verdict judge(const Mdp& model, const PeerCell& cell);

void print_cell_header();
void print_cell(const PeerCell& cell, const Verdict& verdict, double limit);

/// The summary of all cells. A peer that was stopped counts as if it had finished at the limit.
class PeerSummary {
 public:
  void add(const PeerCell& cell, const Verdict& verdict, double limit);
  void print() const;

 private:
  std::vector<std::vector<double>> ratios_;  ///< for each program
  int cells_ = 0;
  int lost_to_own_ = 0;
  int lost_to_peer_ = 0;
  double largest_error_ = 0.0;
};

}  // namespace shortfall::benchmarks
