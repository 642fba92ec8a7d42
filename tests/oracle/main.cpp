/// Draws models that are made to hurt, runs the command on them, and holds what it prints against
/// the exact truth: shortfall_oracle BINARY [COUNT] [SEED] [--case N] [--violations DIR].
/// Exit code 0: every truth lies within the bound printed; 1: not so; 2: wrong usage.

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "answers.hpp"
#include "command.hpp"
#include "draw_inventory.hpp"
#include "draw_model.hpp"
#include "judge.hpp"
#include "summary.hpp"

namespace oracle {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int most_seconds_a_run = 5;
constexpr double share_of_inventories = 0.2;  // of the runs: some print several documents
constexpr std::size_t most_violations_kept_a_kind = 5;

struct Options {
  fs::path binary;
  std::size_t count = 5000;
  std::uint64_t seed = 1;
  long only = -1;
  fs::path violations = "oracle-violations";
};

/// A folder for the files of one case after the other, gone at the end.
class Workplace {
 public:
  Workplace()
      : folder_((fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path()) /
                ("shortfall-oracle-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

void write(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::string command_line(const Case& drawn) {
  std::string line = "shortfall";
  for (const std::string& word : drawn.arguments) {
    const bool plain = word.find_first_of(" []\"'*") == std::string::npos;
    line += plain ? " " + word : " '" + word + "'";
  }
  return line;
}

class Session {
 public:
  explicit Session(Options options) : options_(std::move(options)) {
    known_ = known_keys([&](const std::string& configuration) {
      write(workplace_.folder() / "plan.toml", configuration);
      return run_command(options_.binary, {"inventory", "solve", "plan.toml", "--json"},
                         workplace_.folder(), most_seconds_a_run)
                 .exit_code == 0;
    });
  }

  int run() {
    const auto begin = Clock::now();
    auto reported = begin;
    for (std::size_t i = 0; summary_.cases() < options_.count; ++i) {
      if (options_.only >= 0 && static_cast<long>(i) != options_.only) {
        if (static_cast<long>(i) > options_.only) break;
        continue;
      }
      run_case(i);
      if (Clock::now() - reported < std::chrono::seconds(2)) continue;
      reported = Clock::now();
      std::fprintf(stderr, "oracle: %zu of %zu cases, %zu violations\n", summary_.cases(),
                   options_.count, summary_.violations());
    }
    const std::chrono::duration<double> seconds = Clock::now() - begin;
    std::printf("\n%s%.1f s: %.1f in the command, %.1f for the truth\n", summary_.text().c_str(),
                seconds.count(), in_command_.count(), in_truth_.count());
    return summary_.violations() == 0 ? 0 : 1;
  }

 private:
  void run_case(std::size_t index) {
    Random random(options_.seed, index);
    const Case drawn = random.chance(share_of_inventories) ? draw_inventory_case(random, known_)
                                                           : draw_model_case(random);
    for (const auto& [name, text] : drawn.files) write(workplace_.folder() / name, text);
    const auto begin = Clock::now();
    if (!drawn.before.empty()) {
      run_command(options_.binary, drawn.before, workplace_.folder(), most_seconds_a_run);
    }
    const Run run =
        run_command(options_.binary, drawn.arguments, workplace_.folder(), most_seconds_a_run);
    const auto ran = Clock::now();
    in_command_ += ran - begin;
    if (run.exit_code < 0) {
      std::printf("killed      case %zu: %s\n", index, command_line(drawn).c_str());
    }
    const std::vector<Document> documents = documents_of(drawn, run);
    for (std::size_t i = 0; i < documents.size(); ++i) {
      if (!documents[i].refusal.empty()) {
        summary_.add_refusal(drawn.kind, drawn.ingredients, documents[i].refusal);
        continue;
      }
      const Verdict verdict = judge(drawn.problems[i](workplace_.folder()), documents[i].claim);
      summary_.add(drawn.kind, drawn.ingredients, verdict);
      if (verdict.finding == Finding::violated) report(index, drawn, documents[i], verdict);
      if (verdict.finding == Finding::undecided) {
        std::printf("undecided   case %zu: %s\n", index, command_line(drawn).c_str());
      }
    }
    const std::chrono::duration<double> truth = Clock::now() - ran;
    in_truth_ += truth;
    if (truth.count() > 0.5) {
      std::fprintf(stderr, "oracle: case %zu took %.1f s: %s\n", index, truth.count(),
                   command_line(drawn).c_str());
    }
  }

  void report(std::size_t index, const Case& drawn, const Document& document,
              const Verdict& verdict) {
    char line[400];
    std::snprintf(line, sizeof line,
                  "violation   case %zu, %s: state %zu is %.17g, true %s%s, bound %.3g, error %.3g "
                  "(%s)",
                  index, drawn.kind.c_str(), verdict.state,
                  drawn.sign * document.claim.values[verdict.state],
                  drawn.sign < 0.0 ? "minus " : "", verdict.truth_text.c_str(),
                  document.claim.error_bound, verdict.error, document.status.c_str());
    std::puts(line);
    if (++kept_[drawn.kind] > most_violations_kept_a_kind) return;
    std::string name = drawn.kind;
    for (char& c : name) c = c == ' ' ? '-' : c;
    const fs::path folder = options_.violations / (name + "-" + std::to_string(options_.seed) +
                                                   "-" + std::to_string(index));
    fs::create_directories(folder);
    for (const auto& [file, text] : drawn.files) write(folder / file, text);
    write(folder / "command.txt", command_line(drawn) + "\n");
    write(folder / "finding.txt", std::string(line) + "\n");
  }

  Options options_;
  Workplace workplace_;
  KnownKeys known_;
  Summary summary_;
  std::map<std::string, std::size_t> kept_;
  std::chrono::duration<double> in_command_{0};
  std::chrono::duration<double> in_truth_{0};
};

Options parse(const std::vector<std::string>& words) {
  Options options;
  std::vector<std::string> plain;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--case") {
      options.only = std::stol(words.at(++i));
    } else if (words[i] == "--violations") {
      options.violations = words.at(++i);
    } else {
      plain.push_back(words[i]);
    }
  }
  options.binary = fs::absolute(plain.at(0));
  if (plain.size() > 1) options.count = std::stoul(plain[1]);
  if (plain.size() > 2) options.seed = std::stoul(plain[2]);
  return options;
}

}  // namespace
}  // namespace oracle

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  try {
    return oracle::Session(oracle::parse({argv + 1, argv + argc})).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr,
                 "shortfall_oracle: %s\nusage: shortfall_oracle BINARY [COUNT] [SEED] [--case N] "
                 "[--violations DIR]\n",
                 error.what());
    return 2;
  }
}
