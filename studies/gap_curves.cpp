#include "studies/gap_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "studies/verdict_rules.hpp"

namespace shortfall::studies {
namespace {

/// Trainings of one setting with one algorithm, one per seed.
struct Curves {
  std::string cost;
  double tau;
  std::string algorithm;
  std::vector<GapCurve> seeds;

  std::size_t iterations() const { return seeds.front().size() - 1; }

  template <class Fold>
  double over_seeds(std::size_t iteration, double first, Fold fold) const {
    for (const GapCurve& curve : seeds) first = fold(first, curve[iteration]);
    return first;
  }
  double mean(std::size_t iteration) const {
    return over_seeds(iteration, 0.0, std::plus<>()) / static_cast<double>(seeds.size());
  }
  double least(std::size_t iteration) const {
    return over_seeds(iteration, std::numeric_limits<double>::infinity(),
                      [](double a, double b) { return std::min(a, b); });
  }
  double most(std::size_t iteration) const {
    return over_seeds(iteration, -std::numeric_limits<double>::infinity(),
                      [](double a, double b) { return std::max(a, b); });
  }
};

std::vector<Curves> by_algorithm(const std::vector<SettingGaps>& parts) {
  std::vector<Curves> all;
  for (const SettingGaps& part : parts) {
    all.push_back({part.cost, part.tau, "TD", part.td});
    all.push_back({part.cost, part.tau, "Newton", part.newton});
  }
  return all;
}

constexpr std::size_t published_iterations = 20;

/// The largest gap of an algorithm over settings and seeds, from iteration `from` on.
double most_from(const std::vector<Curves>& all, std::string_view algorithm, std::size_t from) {
  double most = 0.0;
  for (const Curves& curves : all) {
    if (curves.algorithm != algorithm) continue;
    for (std::size_t k = from; k <= curves.iterations(); ++k) most = std::max(most, curves.most(k));
  }
  return most;
}

/// The first iteration after which the gap stays within `threshold`; one more than the last if it
/// does not.
double settled(const GapCurve& curve, double threshold) {
  std::size_t k = curve.size();
  while (k > 0 && curve[k - 1] <= threshold) --k;
  return static_cast<double>(k);
}

Finding settle_within_ten(const std::vector<Curves>& all, Coverage coverage) {
  const std::size_t from = std::min<std::size_t>(10, all.front().iterations());
  double latest = 0.0;
  for (const Curves& curves : all) {
    for (const GapCurve& curve : curves.seeds) latest = std::max(latest, settled(curve, 0.2));
  }
  return {
      .claim =
          "Both algorithms converge within about ten iterations (criterion: from the tenth on "
          "no gap of any seed exceeds 0.2 %)",
      .published = "about 10 iterations",
      .found =
          fmt::format("from iteration {} on at most {:.4f} % with TD, {:.4f} % with Newton; "
                      "all stay within 0.2 % from iteration {} on",
                      from, most_from(all, "TD", from), most_from(all, "Newton", from), latest),
      .verdict = holds_as_computed(
          std::max(most_from(all, "TD", from), most_from(all, "Newton", from)) <= 0.2, coverage)};
}

/// TD and Newton paired by setting and seed.
struct Paired {
  double mean = 0.0;
  double standard_error = 0.0;
  double td = 0.0;
  double newton = 0.0;
};

template <class Number>
Paired compare(const std::vector<Curves>& all, Number&& number) {
  std::vector<double> differences;
  Paired paired;
  for (std::size_t i = 0; i + 1 < all.size(); i += 2) {
    for (std::size_t seed = 0; seed < all[i].seeds.size(); ++seed) {
      const double td = number(all[i].seeds[seed]);
      const double newton = number(all[i + 1].seeds[seed]);
      differences.push_back(td - newton);
      paired.td += td;
      paired.newton += newton;
    }
  }
  const double n = static_cast<double>(differences.size());
  paired.td /= n;
  paired.newton /= n;
  paired.mean = paired.td - paired.newton;
  double squares = 0.0;
  for (const double d : differences) squares += (d - paired.mean) * (d - paired.mean);
  paired.standard_error = n > 1.0 ? std::sqrt(squares / (n - 1.0) / n) : 0.0;
  return paired;
}

Finding newton_is_faster(const std::vector<Curves>& all, Coverage coverage) {
  constexpr double threshold = 0.05;
  const Paired settling =
      compare(all, [&](const GapCurve& curve) { return settled(curve, threshold); });
  const Paired first = compare(all, [](const GapCurve& curve) { return curve[1]; });
  const bool holds = settling.mean > 2.0 * settling.standard_error;
  return {
      .claim = fmt::format(
          "Newton converges in fewer iterations than TD (criterion: iterations until the gap "
          "stays within {} %, paired by setting and seed; open if the difference is below two "
          "standard errors, because our variants of TD and Newton differ from the published)",
          threshold),
      .published = "seen in the figure",
      .found = fmt::format("TD {:.2f}, Newton {:.2f} iterations on average, difference {:+.2f} ± "
                           "{:.2f}; gap after one iteration {:.4f} and {:.4f} %",
                           settling.td, settling.newton, settling.mean, settling.standard_error,
                           first.td, first.newton),
      .verdict = holds && coverage == Coverage::whole ? Verdict::confirmed : Verdict::open};
}

Finding close_at_the_end(const std::vector<Curves>& all, Coverage coverage) {
  const std::size_t last = all.front().iterations();
  const double td = most_from(all, "TD", last);
  const double newton = most_from(all, "Newton", last);
  return {
      .claim = "After 20 iterations both algorithms have gaps below 0.2 %",
      .published = "below 0.2 %",
      .found = fmt::format("after {} at most {:.4f} % with TD and {:.4f} % with Newton, over {} "
                           "settings and {} seed{}",
                           last, td, newton, all.size() / 2, all.front().seeds.size(),
                           all.front().seeds.size() == 1 ? "" : "s"),
      .verdict = holds_as_computed(std::max(td, newton) < 0.2, coverage)};
}

Json gap_rows(const std::vector<Curves>& all) {
  Json rows = Json::array();
  for (const Curves& curves : all) {
    for (std::size_t k = 0; k <= curves.iterations(); ++k) {
      rows.push_back({{"cost", curves.cost},
                      {"tau", curves.tau},
                      {"algorithm", curves.algorithm},
                      {"iteration", k},
                      {"gap_percent", curves.mean(k)},
                      {"least_gap_percent", curves.least(k)},
                      {"most_gap_percent", curves.most(k)},
                      {"seeds", curves.seeds.size()}});
    }
  }
  return rows;
}

}  // namespace

Results conclude_gaps(const std::vector<SettingGaps>& parts) {
  const std::vector<Curves> all = by_algorithm(parts);
  const Coverage coverage =
      all.front().iterations() >= published_iterations ? Coverage::whole : Coverage::sample;
  return {.findings = {settle_within_ten(all, coverage), newton_is_faster(all, coverage),
                       close_at_the_end(all, coverage)},
          .tables = {{"gaps", gap_rows(all)}}};
}

}  // namespace shortfall::studies
