#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "benchmarks/side_by_side.hpp"
#include "benchmarks/sparse_model.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/formats/model_csv.hpp"

namespace shortfall::benchmarks {
namespace {

void compare_methods(const Mdp& model, const char* word) {
  const Criterion criterion{AnyLoss::parse(word), 0.99};
  const auto run = [&](Method method) {
    return [&model, &criterion, method] {
      const Solution solution = solve(model, criterion, method, {.tolerance = 1e-6});
      if (solution.status != Status::converged) throw std::runtime_error(solution.brief_report());
    };
  };
  const auto timings = side_by_side({{"default", run(Method::adaptive)},
                                     {"PI", run(Method::policy_iteration)},
                                     {"MPI", run(Method::modified_policy_iteration)},
                                     {"VI", run(Method::value_iteration)},
                                     {"GS", run(Method::gauss_seidel)}},
                                    3);
  fmt::print("| {} | 1 | {:.2f} | {:.2f} | {:.2f} | {:.1f} | {:.3f} |\n", word, timings[1].ratio,
             timings[2].ratio, timings[3].ratio, timings[4].ratio, timings[0].seconds);
}

void load(const Mdp& model) {
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("shortfall-{}.csv", getpid())).string();
  io::write_model_csv(path, model, io::Sense::cost);
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  const auto count_lines = [&] {
    std::FILE* file = std::fopen(path.c_str(), "rb");
    std::size_t lines = 0;
    static char buffer[1 << 16];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) {
      for (std::size_t i = 0; i < n; ++i) lines += buffer[i] == '\n';
    }
    std::fclose(file);
    keep(static_cast<double>(lines));
  };
  const auto timings = side_by_side(
      {{"load", [&] { (void)io::read_model_csv(path); }}, {"count lines", count_lines}}, 3);
  std::filesystem::remove(path);
  fmt::print(
      "\nLoading the same model from CSV ({:.0f} MB, {} rows): {:.0f} MB/s including checks and\n"
      "grouping. Time to read the file and count its lines, divided by the loading time: {:.2f}\n",
      megabytes, model.outcomes().size(), megabytes / timings[0].seconds, timings[1].ratio);
}

}  // namespace

void solvers_and_loading() {
  const Mdp model = sparse_model();
  fmt::print(
      "\nOptimal policy of the same model at gamma 0.99, certified to 1e-6: time of each method\n"
      "divided by the time of the default\n\n");
  fmt::print(
      "| loss | default | policy iteration | modified policy iteration | value iteration | "
      "Gauss-Seidel | default, s |\n|---|---|---|---|---|---|---|\n");
  for (const char* word : {"mean", "expectile:0.9", "soft-quantile:0.8,2", "entropic:0.1"}) {
    compare_methods(model, word);
  }
  load(model);
}

}  // namespace shortfall::benchmarks
