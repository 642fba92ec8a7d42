#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "benchmarks/side_by_side.hpp"
#include "shortfall/dp/solve.hpp"

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

}  // namespace

void solvers_against_each_other() {
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
}

}  // namespace shortfall::benchmarks
