#include "session.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "command.hpp"
#include "draw_stock.hpp"

namespace oracle {
namespace {

namespace fs = std::filesystem;

constexpr int max_seconds_per_run = 5;
constexpr double share_of_inventories = 0.2;  // of the runs: some print several documents
constexpr std::size_t max_kept_per_kind = 5;
constexpr std::chrono::duration<double> slow_solution(0.5);
constexpr std::chrono::seconds between_reports(2);

void write(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::string command_line(const std::vector<std::string>& arguments) {
  std::string line = "shortfall";
  for (const std::string& word : arguments) {
    const bool plain = word.find_first_of(" []\"'*") == std::string::npos;
    line += plain ? " " + word : " '" + word + "'";
  }
  return line;
}

std::string describe(const Case& drawn, const Document& document, const Verdict& verdict) {
  std::array<char, 300> text{};
  std::snprintf(text.data(), text.size(),
                "%s%sstate %zu is %.17g, true %s, bound %.3g, error %.3g (%s)",
                document.name.c_str(), document.name.empty() ? "" : ", ", verdict.state,
                document.claim.values[verdict.state], verdict.truth_text.c_str(),
                document.claim.error_bound, verdict.error, document.status.c_str());
  return std::string(text.data()) + (drawn.sign < 0.0 ? ", as costs" : "");
}

}  // namespace

WorkDirectory::WorkDirectory()
    : folder_((fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path()) /
              ("shortfall-oracle-" + std::to_string(getpid()))) {
  fs::create_directories(folder_);
}

WorkDirectory::~WorkDirectory() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Session::Session(SessionOptions options) : options_(std::move(options)) {
  const auto runs = [&](std::vector<std::string> words) {
    words.emplace_back("--json");
    return run_command(options_.binary, words, directory_.folder(), max_seconds_per_run);
  };
  known_ = known_keys([&](const std::string& configuration, std::vector<std::string> words) {
    write(directory_.folder() / "plan.toml", configuration);
    words.insert(words.begin(), "inventory");
    return runs(std::move(words)).exit_code == 0;
  });
  write(directory_.folder() / "law.csv", "1\n2\n");
  const Run risk = runs({"risk", "--loss", "mean", "law.csv"});
  known_.risk_bound = risk.out.find("error_bound") != std::string::npos;
}

bool Session::run() {
  if (options_.only) {
    run_case(*options_.only);
    return summary_.violations() == 0;
  }
  const auto begin = Clock::now();
  auto reported = begin;
  for (std::size_t i = 0; summary_.cases() < options_.count; ++i) {
    run_case(i);
    if (Clock::now() - reported < between_reports) continue;
    reported = Clock::now();
    std::fprintf(stderr, "oracle: %zu of %zu cases, %zu violations\n", summary_.cases(),
                 options_.count, summary_.violations());
  }
  const std::chrono::duration<double> seconds = Clock::now() - begin;
  std::printf("\n%s%.1f s: %.1f in the command, %.1f for the exact solution\n",
              summary_.text().c_str(), seconds.count(), in_command_.count(), in_solution_.count());
  return summary_.violations() == 0;
}

void Session::run_case(std::size_t index) {
  Random random(options_.seed, index);
  const Case drawn = random.chance(share_of_inventories)
                         ? draw_inventory_case(random, known_)
                         : draw_model_case(random, known_.risk_bound ? 0.1 : 0.02);
  for (const auto& [name, text] : drawn.files) write(directory_.folder() / name, text);
  if (options_.only) keep("case-" + std::to_string(index), drawn, "");
  const auto begin = Clock::now();
  if (!drawn.before.empty()) {
    run_command(options_.binary, drawn.before, directory_.folder(), max_seconds_per_run);
  }
  const Run run =
      run_command(options_.binary, drawn.arguments, directory_.folder(), max_seconds_per_run);
  const auto ran = Clock::now();
  in_command_ += ran - begin;
  if (run.exit_code < 0) {
    std::printf("killed      case %zu: %s\n", index, command_line(drawn.arguments).c_str());
  }
  const std::vector<Document> documents = documents_of(drawn, run);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    judge_document(index, drawn, documents[i], drawn.problems[i]);
  }
  const std::chrono::duration<double> judged = Clock::now() - ran;
  in_solution_ += judged;
  if (judged < slow_solution) return;
  std::fprintf(stderr, "oracle: the exact solution of case %zu took %.1f s\n", index,
               judged.count());
}

void Session::judge_document(std::size_t index, const Case& drawn, const Document& document,
                             const Case::ProblemSource& problem) {
  if (!document.refusal.empty()) {
    summary_.add_refusal(drawn.kind, drawn.ingredients, document.refusal);
    return;
  }
  const std::optional<Problem> asked = problem({directory_.folder(), document.levels});
  if (!asked) {
    summary_.add_refusal(drawn.kind, drawn.ingredients, "the orders used are not reported");
    return;
  }
  const Verdict verdict = judge(*asked, document.claim);
  summary_.add(drawn.kind, drawn.ingredients, verdict);
  if (verdict.finding == Finding::undecided) {
    std::printf("undecided   case %zu: %s\n", index, command_line(drawn.arguments).c_str());
  }
  if (verdict.finding == Finding::violated) {
    report(index, drawn, describe(drawn, document, verdict));
  }
  if (drawn.certifies_tolerance && document.status == "converged" &&
      document.claim.error_bound > drawn.tolerance) {
    summary_.add_missed_tolerance();
    report(index, drawn,
           "converged with bound " + text_of(document.claim.error_bound) + " above tolerance " +
               text_of(drawn.tolerance));
  }
}

void Session::report(std::size_t index, const Case& drawn, const std::string& finding) {
  const std::string line =
      "violation   case " + std::to_string(index) + ", " + drawn.kind + ": " + finding;
  std::puts(line.c_str());
  if (++kept_[drawn.kind] > max_kept_per_kind) return;
  std::string name = drawn.kind;
  for (char& c : name) c = c == ' ' ? '-' : c;
  keep(name + "-" + std::to_string(options_.seed) + "-" + std::to_string(index), drawn, line);
}

void Session::keep(const std::string& name, const Case& drawn, const std::string& finding) const {
  const fs::path folder = options_.violations / name;
  fs::create_directories(folder);
  for (const auto& [file, text] : drawn.files) write(folder / file, text);
  const std::string before = drawn.before.empty() ? "" : command_line(drawn.before) + "\n";
  write(folder / "command.txt", before + command_line(drawn.arguments) + "\n");
  if (!finding.empty()) write(folder / "finding.txt", finding + "\n");
}

}  // namespace oracle
