#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "benchmarks/peer_models.hpp"
#include "benchmarks/timed_solve.hpp"

namespace {

using namespace shortfall;
using namespace shortfall::benchmarks;

/// The milliseconds of one method, with what a reader must know if it did not converge.
std::string cell(const Mdp& model, const Criterion& criterion, Method method, double limit) {
  const TimedSolution timed = timed_solve(model, criterion, method, {.limit = limit});
  const Solution& solution = timed.solution;
  if (std::isinf(timed.seconds)) return fmt::format("> {:.0f}", 1e3 * limit);
  const std::string milliseconds =
      fmt::format("{:.2f} ({})", 1e3 * timed.seconds, solution.iterations);
  return solution.status == Status::converged
             ? milliseconds
             : fmt::format("{} {}", milliseconds, to_string(solution.status));
}

void print_methods(const PeerModel& peer, ModelSize size, const std::vector<double>& gammas,
                   double limit) {
  const Mdp model = peer.build(size);
  for (const double gamma : gammas) {
    fmt::print("| {} | {} | {} | {} | {} |", peer.name, to_string(size), model.states(),
               model.outcomes().size(), gamma);
    for (const auto& [name, method] : method_names) {
      if (method == Method::gauss_seidel) continue;
      std::fflush(stdout);
      fmt::print(" {} |", cell(model, {Mean{}, gamma}, method, limit));
    }
    fmt::print("\n");
  }
}

void run(const std::vector<std::string>& words) {
  const double limit = words.size() > 3 ? std::stod(words[3]) : 10.0;
  const std::vector<double> gammas = words.size() > 2 && words[2] != "all"
                                         ? std::vector{std::stod(words[2])}
                                         : std::vector{0.9, 0.99, 0.999, 0.9999};
  const ModelSize size =
      words.size() > 1 ? value_named(words[1], model_size_names, "size") : ModelSize::small;
  fmt::print("| model | size | states | outcomes | gamma |");
  std::string rule = "|---|---|---|---|---|";
  for (const auto& [name, method] : method_names) {
    if (method == Method::gauss_seidel) continue;
    fmt::print(" {}, ms (iterations) |", name);
    rule += "---|";
  }
  fmt::print("\n{}\n", rule);
  if (!words.empty() && words[0] != "all") {
    print_methods(find_peer_model(words[0]), size, gammas, limit);
  } else {
    for (const PeerModel& peer : peer_models()) print_methods(peer, size, gammas, limit);
  }
}

}  // namespace

/// method_seconds [MODEL|all [SIZE [GAMMA|all [LIMIT]]]]: the milliseconds of each of our methods,
/// for the mean, certified to 1e-6. LIMIT is in seconds.
int main(int argc, char** argv) {
  try {
    run({argv + 1, argv + argc});
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "method_seconds: {}\n", error.what());
    return 1;
  }
}
