#include "benchmarks/peer_cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "benchmarks/neutral_checker.hpp"

namespace shortfall::benchmarks {
namespace {

void judge_values(const Mdp& model, double gamma, const std::vector<double>& values,
                  const std::string& whose, Verdict& verdict) {
  constexpr double enough = 1.01 * peer_tolerance;
  const double error = error_by_plain_loops(model, gamma, values, enough);
  if (!(error <= enough))
    verdict.remarks.push_back(fmt::format("{}: error up to {:.0e}", whose, error));
  verdict.largest_error = std::max(verdict.largest_error, error);
}

std::string ratio_text(double seconds, double ours, double limit) {
  if (std::isnan(seconds)) return "failed";
  return std::isinf(seconds) ? fmt::format("> {:.3g}", limit / ours)
                             : fmt::format("{:.3g}", seconds / ours);
}

}  // namespace

Verdict judge(const Mdp& model, const PeerCell& cell) {
  const double gamma = std::stod(cell.answers.front().gamma);
  const Solution& solution = cell.own.ours.solution;
  const double ours = cell.own.ours.seconds;
  Verdict verdict;
  if (solution.status == Status::converged) {
    judge_values(model, gamma, solution.values, "ours", verdict);
  } else {
    verdict.remarks.emplace_back(to_string(solution.status));
  }
  if (ours > 1.2 * cell.own.best_seconds) {
    verdict.loses_to_own = true;
    verdict.remarks.push_back(fmt::format("{} is faster", cell.own.best_name));
  }
  const std::vector<PeerProgram> peers = peer_programs();
  for (std::size_t i = 0; i < peers.size(); ++i) {
    const PeerAnswer& answer = cell.answers[i];
    if (answer.values.empty()) continue;
    judge_values(model, gamma, answer.values, peers[i].name, verdict);
    if (solution.status == Status::converged)
      verdict.farthest =
          std::max(verdict.farthest, largest_distance(solution.values, answer.values));
    if (ours > 0.01 && ours > 0.5 * answer.seconds) {
      verdict.loses_to_peer = true;
      verdict.remarks.push_back(fmt::format("more than half of {}", peers[i].name));
    }
  }
  return verdict;
}

void print_cell_header() {
  fmt::print(
      "\nThe optimal expected cost, certified to {:.0e}: our time in milliseconds, the time of "
      "other\nprograms divided by ours, our time divided by that of our fastest method, and for "
      "the values of\nall programs the largest error that plain loops cannot exclude, and the "
      "largest distance from ours\n\n| model | states | outcomes | gamma | ours, ms |",
      peer_tolerance);
  std::string rule = "|---|---|---|---|---|";
  for (const PeerProgram& program : peer_programs()) {
    fmt::print(" {} |", program.name);
    rule += "---|";
  }
  fmt::print(" ours / our fastest | error | distance | remarks |\n{}---|---|---|---|\n", rule);
}

void print_cell(const PeerCell& cell, const Verdict& verdict, double limit) {
  const bool stopped = std::isinf(cell.own.ours.seconds);
  const double ours = std::min(limit, cell.own.ours.seconds);
  fmt::print("{} {}{:.3g} |", cell.row, stopped ? "> " : "", 1e3 * ours);
  for (const PeerAnswer& answer : cell.answers)
    fmt::print(" {} |", ratio_text(answer.seconds, ours, limit));
  fmt::print(" {:.2f} | {:.1e} | {:.1e} | {} |\n", ours / std::min(limit, cell.own.best_seconds),
             verdict.largest_error, verdict.farthest, fmt::join(verdict.remarks, "; "));
}

void PeerSummary::add(const PeerCell& cell, const Verdict& verdict, double limit) {
  ++cells_;
  lost_to_own_ += verdict.loses_to_own;
  lost_to_peer_ += verdict.loses_to_peer;
  largest_error_ = std::max(largest_error_, verdict.largest_error);
  ratios_.resize(cell.answers.size());
  const double ours = std::min(limit, cell.own.ours.seconds);
  for (std::size_t i = 0; i < cell.answers.size(); ++i) {
    const double seconds = cell.answers[i].seconds;
    if (!std::isnan(seconds)) ratios_[i].push_back(std::min(limit, seconds) / ours);
  }
}

void PeerSummary::print() const {
  fmt::print(
      "\nOf {} cells, {} take more than 1.2 times as long as our fastest method, and {} take more "
      "than\n10 ms and than half the time of a peer. No value is off by more than {:.1e}.\n\n"
      "| time / ours | cells | least | median | largest |\n|---|---|---|---|---|\n",
      cells_, lost_to_own_, lost_to_peer_, largest_error_);
  const std::vector<PeerProgram> peers = peer_programs();
  for (std::size_t i = 0; i < ratios_.size(); ++i) {
    std::vector<double> sorted = ratios_[i];
    if (sorted.empty()) continue;
    std::ranges::sort(sorted);
    fmt::print("| {} | {} | {:.3g} | {:.3g} | {:.3g} |\n", peers[i].name, sorted.size(),
               sorted.front(), sorted[sorted.size() / 2], sorted.back());
  }
}

}  // namespace shortfall::benchmarks
