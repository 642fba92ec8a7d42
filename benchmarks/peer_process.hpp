#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "shortfall/mdp/mdp.hpp"

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

}  // namespace shortfall::benchmarks
