#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "benchmarks/neutral_checker.hpp"
#include "benchmarks/peer_models.hpp"
#include "benchmarks/peer_process.hpp"
#include "benchmarks/side_by_side.hpp"
#include "benchmarks/timed_solve.hpp"
#include "shortfall/infinity.hpp"

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
    const double seconds =
        timed_solve(model, criterion, method, {peer_tolerance, std::min(limit, own.best_seconds)})
            .seconds;
    if (seconds < own.best_seconds) {
      own.best_seconds = seconds;
      own.best_name = name;
    }
  }
  return own;
}

/// What is remarkable about a cell: 1.2 times our fastest method, half a peer's time, a wrong
/// value.
class Remarks {
 public:
  void add(const std::string& remark) { all_ += (all_.empty() ? "" : "; ") + remark; }
  const std::string& text() const { return all_; }

 private:
  std::string all_;
};

std::string ratio_text(double seconds, double ours, double limit) {
  return std::isinf(seconds) ? fmt::format("> {:.3g}", limit / ours)
                             : fmt::format("{:.3g}", seconds / ours);
}

void print_cell(const Mdp& model, const std::string& row, const PeerTask& task,
                const OwnResult& own, const std::vector<PeerAnswer>& answers) {
  const double gamma = std::stod(answers.front().gamma);
  const double ours = own.ours.seconds;
  const double enough = 1.01 * peer_tolerance;
  const auto& values = own.ours.solution.values;
  Remarks remarks;
  if (own.ours.solution.status != Status::converged)
    remarks.add(std::string(to_string(own.ours.solution.status)));
  if (ours > 1.2 * own.best_seconds)
    remarks.add(fmt::format("{} takes {:.2f}", own.best_name, own.best_seconds / ours));
  double largest_error = error_by_plain_loops(model, gamma, values, enough);
  double farthest = 0.0;
  std::string ratios;
  const std::vector<PeerProgram> programs = peer_programs();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    ratios += fmt::format(" {} |", ratio_text(answers[i].seconds, ours, task.limit));
    if (std::isinf(answers[i].seconds)) continue;
    if (ours > 0.01 && ours > 0.5 * answers[i].seconds)
      remarks.add(fmt::format("more than half of {}", programs[i].name));
    const double error = error_by_plain_loops(model, gamma, answers[i].values, enough);
    if (error > enough)
      remarks.add(fmt::format("{} is off by up to {:.1e}", programs[i].name, error));
    farthest = std::max(farthest, largest_distance(values, answers[i].values));
    largest_error = std::max(largest_error, error);
  }
  fmt::print("{} {:.3g} |{} {:.2f} | {:.1e} | {:.1e} | {} |\n", row, 1e3 * ours, ratios,
             ours / own.best_seconds, largest_error, farthest, remarks.text());
}

void compare_model(const PeerModel& peer, ModelSize size, const PeerTask& task) {
  const Mdp model = peer.build(size);
  const ExportedModel exported(model);
  const auto name = fmt::format("{}, {}", peer.name, to_string(size));
  std::vector<OwnResult> own;
  for (const std::string& gamma : task.gammas) {
    own.push_back(solve_ours(model, std::stod(gamma), task.limit));
    fmt::print(stderr, "{}, {}: ours {:.3g} s\n", name, gamma, own.back().ours.seconds);
  }
  std::vector<std::vector<PeerAnswer>> cells(task.gammas.size());
  for (const PeerProgram& program : peer_programs()) {
    const std::vector<PeerAnswer> answers = ask_peer(program, exported, task);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      fmt::print(stderr, "{}, {}: {} {:.3g} s\n", name, task.gammas[i], program.name,
                 answers[i].seconds);
      cells[i].push_back(answers[i]);
    }
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    print_cell(model,
               fmt::format("| {} | {} | {} | {} |", name, model.states(), model.outcomes().size(),
                           task.gammas[i]),
               task, own[i], cells[i]);
  }
}

}  // namespace

void solvers_against_peers(const std::vector<std::string>& words) {
  const PeerSelection selection = parse_selection(words);
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
    for (const PeerModel* model : selection.models) compare_model(*model, size, selection.task);
  if (words.empty()) learners_against_bounds();
}

}  // namespace shortfall::benchmarks
