#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <pcg_random.hpp>
#include <vector>

#include "benchmarks/side_by_side.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::benchmarks {
namespace {

/// The textbook method with the accuracy of ours: bisects [min, max] down to two units in the last
/// place.
template <class L>
double risk_by_bisection(const L& loss, const Law& law) {
  const LawSummary range = summarise(law);
  double lower = range.min;
  double upper = range.max;
  const double accuracy =
      2.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(lower), std::abs(upper));
  while (upper - lower > accuracy) {
    const double middle = 0.5 * (lower + upper);
    (is_acceptable(loss, law, middle) ? upper : lower) = middle;
  }
  return 0.5 * (lower + upper);
}

}  // namespace

void risk_against_bisection() {
  fmt::print(
      "\nShortfall risk of one distribution: time divided by ours from a cold start, all to the "
      "same\n"
      "accuracy\n\n");
  fmt::print("| loss | outcomes | ours, cold | ours, warm start | bisection | scalar Newton |\n");
  fmt::print("|---|---|---|---|---|---|\n");
  pcg64 random(1);
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1.0p-53; };
  for (const char* word : {"expectile:0.9", "soft-quantile:0.8,2", "truncated-entropic:0.5,4"}) {
    for (const std::size_t size : {10u, 100u, 1000u}) {
      std::vector<double> atoms(size);
      std::vector<double> probabilities(size);
      double sum = 0.0;
      for (std::size_t i = 0; i < size; ++i) {
        atoms[i] = 10.0 * unit();
        sum += probabilities[i] = unit();
      }
      for (double& p : probabilities) p /= sum;
      const Law law{atoms, probabilities};
      const AnyLoss loss = AnyLoss::parse(word);
      const double near = shortfall_risk(loss, law) + 1e-3;
      std::visit(
          [&](const auto& concrete) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(concrete)>, CustomLoss>) {
              const auto timings =
                  side_by_side({{"ours", [&] { keep(shortfall_risk(loss, law)); }},
                                {"warm", [&] { keep(shortfall_risk(loss, law, near)); }},
                                {"bisection", [&] { keep(risk_by_bisection(concrete, law)); }},
                                {"plain", [&] { keep(shortfall_risk(concrete, law)); }}});
              fmt::print("| {} | {} | 1 | {:.2f} | {:.1f} | {:.1f} |\n", word, size,
                         timings[1].ratio, timings[2].ratio, timings[3].ratio);
            }
          },
          loss.variant());
    }
  }
}

}  // namespace shortfall::benchmarks
