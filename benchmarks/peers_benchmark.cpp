#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/peer_models.hpp"
#include "benchmarks/peer_process.hpp"
#include "benchmarks/side_by_side.hpp"
#include "benchmarks/timed_solve.hpp"

namespace shortfall::benchmarks {
namespace {

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

void compare_with_peers(const PeerModel& peer, ModelSize size, const PeerTask& task,
                        PeerSummary& summary) {
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
  for (const PeerCell& cell : cells) {
    const Verdict verdict = judge(model, cell);
    print_cell(cell, verdict, task.limit);
    summary.add(cell, verdict, task.limit);
  }
}

}  // namespace

void solvers_against_peers(const std::vector<std::string>& words) {
  const PeerSelection selection = parse_selection(words);
  fmt::print("\n| model | structure |\n|---|---|\n");
  for (const PeerModel* model : selection.models)
    fmt::print("| {} | {} |\n", model->name, model->about);
  print_cell_header();
  PeerSummary summary;
  for (const ModelSize size : selection.sizes)
    for (const PeerModel* model : selection.models)
      compare_with_peers(*model, size, selection.task, summary);
  summary.print();
  if (words.empty()) learners_against_bounds();
}

}  // namespace shortfall::benchmarks
