#include "benchmarks/peer_process.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "benchmarks/child_process.hpp"
#include "benchmarks/timed_solve.hpp"

namespace shortfall::benchmarks {

namespace {

/// The model as matrices for an expectation, one below the other.
struct ExpectedModel {
  std::vector<std::int32_t> size;
  std::vector<std::int32_t> begin{0};
  std::vector<std::int32_t> next;
  std::vector<double> p;
  std::vector<double> r;

  void add_row(const Outcomes::Row& law) {
    long double mean = 0.0L;
    const auto row_begin = static_cast<std::size_t>(begin.back());
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      mean += static_cast<long double>(law.probability[i]) * law.cost[i];
      const auto to = static_cast<std::int32_t>(law.next[i]);
      if (next.size() > row_begin && next.back() == to) {
        p.back() += law.probability[i];
      } else {
        next.push_back(to);
        p.push_back(law.probability[i]);
      }
    }
    end_row(static_cast<double>(mean));
  }

  void end_row(double cost) {
    begin.push_back(static_cast<std::int32_t>(next.size()));
    r.push_back(cost);
  }
};

ExpectedModel expected_model(const Mdp& model) {
  ActionIndex actions = 1;
  for (std::size_t row = 0; row < model.outcomes().rows(); ++row)
    actions = std::max(actions, model.action_of_row(row) + 1);
  ExpectedModel expected;
  expected.size = {static_cast<std::int32_t>(model.states()), 0};
  for (std::size_t x = 0; x < model.states(); ++x) expected.size[1] += model.is_terminal(x);
  for (ActionIndex a = 0; a < actions; ++a) {
    for (std::size_t x = 0; x < model.states(); ++x) {
      if (const auto row = model.find_row(x, a)) {
        expected.add_row(model.law(*row));
      } else {
        expected.end_row(a == 0 && model.is_terminal(x) ? 0.0
                                                        : std::numeric_limits<double>::infinity());
      }
    }
  }
  return expected;
}

template <class T>
void write_array(const std::filesystem::path& path, const std::vector<T>& numbers) {
  std::ofstream file(path, std::ios::binary);
  const std::string_view bytes = bytes_of(numbers);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush();
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be written", path.string()));
}

std::vector<double> read_values(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<double> values(std::filesystem::file_size(path) / sizeof(double));
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(double)));
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be read", path.string()));
  return values;
}

}  // namespace

ExportedModel::ExportedModel(const Mdp& model)
    : folder_(std::filesystem::temp_directory_path() /
              fmt::format("shortfall-peers-{}", getpid())) {
  std::filesystem::create_directories(folder_);
  const ExpectedModel expected = expected_model(model);
  write_array(folder_ / "size.i32", expected.size);
  write_array(folder_ / "begin.i32", expected.begin);
  write_array(folder_ / "next.i32", expected.next);
  write_array(folder_ / "p.f64", expected.p);
  write_array(folder_ / "r.f64", expected.r);
}

ExportedModel::~ExportedModel() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::vector<PeerProgram> peer_programs() {
  const auto petsc = [](const char* preconditioner) {
    return std::vector<std::string>{"/usr/bin/mpirun",
                                    "-n",
                                    "2",
                                    "--allow-run-as-root",
                                    "--oversubscribe",
                                    SHORTFALL_PYTHON,
                                    SHORTFALL_PETSC_SOLVER,
                                    preconditioner};
  };
  return {{"SciPy", {SHORTFALL_PYTHON, SHORTFALL_SCIPY_SOLVER}, "scipy"},
          {"PETSc, Jacobi", petsc("jacobi"), "petsc"},
          {"PETSc, block ILU", petsc("bjacobi"), "petsc"}};
}

std::vector<PeerAnswer> ask_peer(const PeerProgram& program, const ExportedModel& model,
                                 const PeerTask& task) {
  // The programs watch the limit themselves; this ends one that hangs.
  const double at_most = 300.0 + 5.0 * task.limit * static_cast<double>(task.gammas.size());
  std::vector<std::string> command{"/usr/bin/timeout", fmt::format("{}", at_most)};
  command.insert(command.end(), program.command.begin(), program.command.end());
  command.push_back(model.folder().string());
  command.push_back(fmt::format("{}", task.tolerance));
  command.push_back(fmt::format("{}", task.limit));
  command.insert(command.end(), task.gammas.begin(), task.gammas.end());
  ChildProcess process(command);
  std::vector<PeerAnswer> answers;
  for (const std::string& gamma : task.gammas) {
    std::istringstream line(process.read_line());
    std::string solved;
    std::string seconds;
    if (!(line >> solved >> seconds) || solved != gamma)
      throw std::runtime_error(fmt::format("{}: unexpected answer {}", program.name, line.str()));
    PeerAnswer answer{gamma, std::stod(seconds), {}};
    if (answer.seconds < std::numeric_limits<double>::infinity())
      answer.values = read_values(model.folder() / fmt::format("{}-{}.f64", program.writes, gamma));
    answers.push_back(std::move(answer));
  }
  if (process.finish().status != 0)
    throw std::runtime_error(fmt::format("{}: failed", program.name));
  return answers;
}

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
