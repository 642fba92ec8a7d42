#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "benchmarks/timed_solve.hpp"
#include "shortfall/mdp/mdp.hpp"

/// The rows of the table that compares our solver with other programs.
namespace shortfall::benchmarks {

/// A model in a temporary folder, as other programs read it: arrays without headers, in the bytes
/// of this machine. Row a n + x is the law of action a in state x, for n states.
///
///     size.i32     n, and the number of terminal states
///     begin.i32    where each row begins in the next two, and their size
///     next.i32     successors, increasing within a row
///     p.f64        their probabilities
///     r.f64        for each row the expected cost; infinite where the state lacks the action
///
/// A terminal state has one row, of action 0, without successors and with cost 0. Outcomes that
/// lead to the same successor are one entry: an expectation does not distinguish them.
class ExportedModel {
 public:
  explicit ExportedModel(const Mdp& model);
  ExportedModel(const ExportedModel&) = delete;
  ExportedModel& operator=(const ExportedModel&) = delete;
  ~ExportedModel();

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

struct PeerAnswer {
  std::string gamma;           ///< as it was asked for
  double seconds;              ///< of the solution alone; infinite beyond the limit
  std::vector<double> values;  ///< empty beyond the limit
};

/// A program that solves an exported model.
struct PeerProgram {
  std::string name;
  std::vector<std::string> command;  ///< the folder, the tolerance, the limit and gammas follow
  std::string writes;                ///< the file WRITES-GAMMA.f64 has the values
};

std::vector<PeerProgram> peer_programs();

struct PeerTask {
  double tolerance;
  double limit;  ///< seconds
  std::vector<std::string> gammas;
};

/// Runs the program alone. Throws std::runtime_error if it fails.
std::vector<PeerAnswer> ask_peer(const PeerProgram& program, const ExportedModel& model,
                                 const PeerTask& task);

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
