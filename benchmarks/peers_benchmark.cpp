#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/neutral_checker.hpp"
#include "benchmarks/peer_models.hpp"
#include "benchmarks/peer_process.hpp"
#include "benchmarks/side_by_side.hpp"
#include "benchmarks/timed_solve.hpp"

namespace shortfall::benchmarks {
namespace {

constexpr double peer_tolerance = 1e-6;

/// What to run, from words such as model=grid, size=small, gamma=0.99 and limit=10.
struct PeerSelection {
  std::vector<const PeerModel*> models;
  std::vector<ModelSize> sizes;
  PeerTask task{.tolerance = peer_tolerance, .limit = 60.0, .gammas = {}};
};

PeerSelection parse_selection(const std::vector<std::string>& words) {
  PeerSelection selection;
  for (const std::string& word : words) {
    const std::size_t sign = word.find('=');
    const std::string key = word.substr(0, sign);
    const std::string value = word.substr(sign + 1);
    if (key == "model") {
      selection.models.push_back(&find_peer_model(value));
    } else if (key == "size") {
      selection.sizes.push_back(value_named(value, model_size_names, "size"));
    } else if (key == "gamma") {
      selection.task.gammas.push_back(value);
    } else if (key == "limit") {
      selection.task.limit = std::stod(value);
    } else {
      throw InvalidInput(word + "; accepted: model=, size=, gamma= and limit=");
    }
  }
  if (selection.models.empty())
    for (const PeerModel& model : peer_models()) selection.models.push_back(&model);
  if (selection.sizes.empty())
    for (const auto& [name, size] : model_size_names) selection.sizes.push_back(size);
  if (selection.task.gammas.empty()) selection.task.gammas = {"0.9", "0.99", "0.999", "0.9999"};
  return selection;
}

/// The default, and the fastest of all our methods.
struct OwnResult {
  TimedSolution ours;
  std::string best_name;
  double best_seconds;
};

OwnResult solve_ours(const Mdp& model, double gamma, double limit) {
  const Criterion criterion{Mean{}, gamma};
  OwnResult own{timed_solve(model, criterion, default_method, {peer_tolerance, limit}), "", 0.0};
  own.best_name = to_string(default_method);
  own.best_seconds = own.ours.seconds;
  for (const auto& [name, method] : method_names) {
    // In-place sweeps lose the two-sided bounds, and never came close.
    if (method == default_method || method == Method::gauss_seidel) continue;
    const double enough = std::min(limit, clearly_slower(own.best_seconds));
    const double seconds = timed_solve(model, criterion, method, {peer_tolerance, enough}).seconds;
    if (seconds < own.best_seconds) {
      own.best_seconds = seconds;
      own.best_name = name;
    }
  }
  return own;
}

/// One model at one discount factor.
struct PeerCell {
  std::string row;  ///< model, size, discount factor
  OwnResult own;
  std::vector<PeerAnswer> answers;  ///< in the order of peer_programs()
};

/// The values of all programs, judged by plain loops.
struct Verdict {
  double largest_error = 0.0;  ///< that cannot be excluded
  double farthest = 0.0;       ///< from ours
  std::vector<std::string> remarks;

  void judge(const Mdp& model, double gamma, const std::vector<double>& values,
             const std::string& whose) {
    constexpr double enough = 1.01 * peer_tolerance;
    const double error = error_by_plain_loops(model, gamma, values, enough);
    if (!(error <= enough)) remarks.push_back(fmt::format("{}: error up to {:.0e}", whose, error));
    largest_error = std::max(largest_error, error);
  }
};

Verdict judge_cell(const Mdp& model, const PeerCell& cell, const std::vector<PeerProgram>& peers) {
  const double gamma = std::stod(cell.answers.front().gamma);
  const Solution& solution = cell.own.ours.solution;
  const double ours = cell.own.ours.seconds;
  Verdict verdict;
  verdict.judge(model, gamma, solution.values, "ours");
  if (solution.status != Status::converged)
    verdict.remarks.emplace_back(to_string(solution.status));
  if (ours > 1.2 * cell.own.best_seconds)
    verdict.remarks.push_back(fmt::format("{} is faster", cell.own.best_name));
  for (std::size_t i = 0; i < peers.size(); ++i) {
    const PeerAnswer& answer = cell.answers[i];
    if (answer.values.empty()) continue;
    verdict.judge(model, gamma, answer.values, peers[i].name);
    verdict.farthest = std::max(verdict.farthest, largest_distance(solution.values, answer.values));
    if (ours > 0.01 && ours > 0.5 * answer.seconds)
      verdict.remarks.push_back(fmt::format("more than half of {}", peers[i].name));
  }
  return verdict;
}

std::string ratio_text(double seconds, double ours, double limit) {
  if (std::isnan(seconds)) return "failed";
  return std::isinf(seconds) ? fmt::format("> {:.3g}", limit / ours)
                             : fmt::format("{:.3g}", seconds / ours);
}

void print_cell(const Mdp& model, const PeerCell& cell, double limit) {
  const Verdict verdict = judge_cell(model, cell, peer_programs());
  const double ours = cell.own.ours.seconds;
  fmt::print("{} {:.3g} |", cell.row, 1e3 * ours);
  for (const PeerAnswer& answer : cell.answers)
    fmt::print(" {} |", ratio_text(answer.seconds, ours, limit));
  fmt::print(" {:.2f} | {:.1e} | {:.1e} | {} |\n", ours / cell.own.best_seconds,
             verdict.largest_error, verdict.farthest, fmt::join(verdict.remarks, "; "));
}

/// The answers, or NaN seconds for all if the program fails: one peer must not end a long run.
std::vector<PeerAnswer> ask_or_report(const PeerProgram& program, const ExportedModel& model,
                                      const PeerTask& task) {
  try {
    return ask_peer(program, model, task);
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "{}\n", error.what());
    std::vector<PeerAnswer> none;
    for (const std::string& gamma : task.gammas)
      none.push_back({gamma, std::numeric_limits<double>::quiet_NaN(), {}});
    return none;
  }
}

void compare_with_peers(const PeerModel& peer, ModelSize size, const PeerTask& task) {
  const Mdp model = peer.build(size);
  const ExportedModel exported(model);
  const auto name = fmt::format("{}, {}", peer.name, to_string(size));
  std::vector<PeerCell> cells;
  for (const std::string& gamma : task.gammas) {
    cells.push_back(
        {fmt::format("| {} | {} | {} | {} |", name, model.states(), model.outcomes().size(), gamma),
         solve_ours(model, std::stod(gamma), task.limit),
         {}});
    fmt::print(stderr, "{}, {}: ours {:.3g} s\n", name, gamma, cells.back().own.ours.seconds);
  }
  for (const PeerProgram& program : peer_programs()) {
    const std::vector<PeerAnswer> answers = ask_or_report(program, exported, task);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      fmt::print(stderr, "{}, {}: {} {:.3g} s\n", name, answers[i].gamma, program.name,
                 answers[i].seconds);
      cells[i].answers.push_back(answers[i]);
    }
  }
  for (const PeerCell& cell : cells) print_cell(model, cell, task.limit);
}

}  // namespace

void solvers_against_peers(const std::vector<std::string>& words) {
  const PeerSelection selection = parse_selection(words);
  fmt::print("\n| model | structure |\n|---|---|\n");
  for (const PeerModel* model : selection.models)
    fmt::print("| {} | {} |\n", model->name, model->about);
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
  for (const ModelSize size : selection.sizes)
    for (const PeerModel* model : selection.models)
      compare_with_peers(*model, size, selection.task);
  if (words.empty()) learners_against_bounds();
}

}  // namespace shortfall::benchmarks
