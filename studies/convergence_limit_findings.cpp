// Findings for d < N.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "shortfall/numbers/infinity.hpp"
#include "studies/convergence.hpp"

namespace shortfall::studies {
namespace {

constexpr double close =
    0.01;  ///< share of ‖V‖_q below which a distance is noise of the last steps

constexpr double elsewhere = 2.0 * close;

/// At most e⁻⁴ of the start is left, which twice `close` covers.
constexpr double forgotten = 4.0;

bool is_at_its_limit(const Panel& panel, const Learned& learner) {
  return learner.limit == "stable" &&
         std::abs(learner.distance - learner.limit_distance) <= 2.0 * close * panel.value_norm;
}

bool is_away_from_projection(const Panel& panel, const Learned& learner) {
  return learner.distance > close * panel.value_norm + 5.0 * learner.standard_error;
}

std::string percent(double fraction) {
  return fmt::format("{:.2f} %", 100.0 * fraction);
}

std::string diverged_text(const Panel& panel) {
  std::vector<std::string> texts;
  for (const Learned& learner : panel.learned) {
    if (!panel.has_diverged(learner)) continue;
    texts.push_back(
        learner.diverged > 0
            ? fmt::format("{} ({} of {} runs)", learner.algorithm, learner.diverged, learner.runs)
            : fmt::format("{} ({:.0f} times the norm of V)", learner.algorithm,
                          learner.distance / panel.value_norm));
  }
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

Finding learners_converge_within_the_condition(const ConvergenceData& data) {
  std::size_t all = 0, at_limit = 0, apart = 0;
  double most = 0.0, to_fixed_point = 0.0;
  for (const Panel& panel : data.with_features(few_features)) {
    if (!panel.condition_holds) continue;
    for (const Learned& learner : panel.learned) {
      ++all;
      at_limit += learner.diverged == 0 && is_at_its_limit(panel, learner) ? 1U : 0U;
      apart += is_away_from_projection(panel, learner) ? 1U : 0U;
      most = std::max(most, learner.distance / panel.value_norm);
    }
    to_fixed_point = std::max(to_fixed_point, panel.by("TD(0)").to_fixed_point / panel.value_norm);
  }
  const bool holds = all > 0 && at_limit == all && apart > 0 && to_fixed_point <= close;
  return {
      .claim =
          "With d < N, where the condition on gamma holds, the learners converge, TD to the "
          "solution of the projected equation, but not necessarily to the projected value",
      .published = "observed, and proved for TD",
      .found = fmt::format("{} of {} end at their limits; TD within {} of the norm of V from the "
                           "projected fixed point; {} stay away from the projected value, by "
                           "up to {}",
                           at_limit, all, percent(to_fixed_point), apart, percent(most)),
      .verdict = holds_as_computed(holds, data.length())};
}

Finding newton_ends_where_td_does(const ConvergenceData& data) {
  std::size_t settings = 0, same = 0;
  double td = 0.0, newton = 0.0;
  for (const Panel& panel : data.with_features(few_features)) {
    if (panel.fixed_point_distance == infinity) continue;
    ++settings;
    const double td_here = panel.by("TD(0)").to_fixed_point / panel.value_norm;
    const double newton_here = panel.by("Newton").to_fixed_point / panel.value_norm;
    same += td_here <= close && newton_here <= close ? 1U : 0U;
    td = std::max(td, td_here);
    newton = std::max(newton, newton_here);
  }
  return {
      .claim = "With d < N, TD and Newton have the same limit",
      .published = "observed",
      .found = fmt::format("both end within 1 % of the norm of V from the projected fixed point "
                           "in {} of {} settings that have one (TD within {}, Newton within {})",
                           same, settings, percent(td), percent(newton)),
      .verdict = holds_as_computed(settings > 0 && same == settings, data.length())};
}

Finding traces_change_the_limit(const ConvergenceData& data) {
  std::size_t settings = 0, other = 0, diverged = 0;
  double most = 0.0;
  for (const Panel& panel : data.with_features(few_features)) {
    if (panel.fixed_point_distance == infinity) continue;
    ++settings;
    const Learned& td1 = panel.by("TD(1)");
    const double apart = td1.to_fixed_point / panel.value_norm;
    if (apart > elsewhere) ++other;
    if (panel.has_diverged(td1)) {
      ++diverged;
    } else {
      most = std::max(most, apart);
    }
  }
  return {.claim = "With d < N, TD(lambda) with lambda > 0 need not have the limit of TD",
          .published = "observed",
          .found = fmt::format("TD(1) ends more than 2 % of the norm of V from the projected fixed "
                               "point in {} of {} settings: it diverges in {}, and is up to {} "
                               "away in the others",
                               other, settings, diverged, percent(most)),
          .verdict = holds_somewhere(other > 0, data.length())};
}

Finding traces_keep_the_neutral_limit(const ConvergenceData& data,
                                      const std::vector<ConvergenceSetting>& settings) {
  bool holds = true;
  std::vector<std::string> texts;
  for (const ConvergenceSetting& setting : settings) {
    const Panel& panel = data.at(setting);
    for (const char* algorithm : {"TD(0.3)", "TD(0.6)", "TD(1)"}) {
      const double apart = panel.by(algorithm).to_fixed_point / panel.value_norm;
      holds = holds && apart <= elsewhere;
      texts.push_back(fmt::format("{} at {}: {}", algorithm, panel.place, percent(apart)));
    }
  }
  return {.claim = "With d < N and a linear loss, TD(lambda) has the limit of TD for every lambda",
          .published = "implied, as a contrast to losses that are not linear",
          .found = fmt::format("distance to the limit of TD, of the norm of V: {}",
                               fmt::join(texts, ", ")),
          .verdict = holds_as_computed(holds, data.length())};
}

Finding traces_diverge_at(const ConvergenceData& data,
                          const std::vector<ConvergenceSetting>& settings) {
  bool holds = false;
  std::vector<std::string> places, here, drawn, others;
  for (const ConvergenceSetting& setting : settings) {
    const Panel& panel = data.at(setting);
    holds = holds || std::ranges::any_of(panel.learned, [&](const Learned& learner) {
              return learner.algorithm != "TD(0)" && learner.algorithm != "Newton" &&
                     panel.has_diverged(learner);
            });
    places.push_back(panel.place);
    here.push_back(fmt::format("{}: {}", panel.place, diverged_text(panel)));
    const DrawTally& tally = data.drawn(setting, "TD(1)");
    drawn.push_back(
        fmt::format("{}: {} without a stable limit and {} with one beyond ten times the "
                    "norm of V, of {}",
                    panel.place, tally.draws - tally.stable, tally.far, tally.draws));
  }
  for (const Panel& panel : data.panels) {
    const bool is_listed = std::ranges::find(places, panel.place) != places.end();
    if ((is_listed && panel.setting.d == few_features) || diverged_text(panel) == "none") {
      continue;
    }
    others.push_back(
        fmt::format("{}, d {}: {}", panel.place, panel.setting.d, diverged_text(panel)));
  }
  return {.claim = "With d < N, TD(lambda) may diverge where the condition on gamma fails",
          .published = fmt::format("at {}", fmt::join(places, "; ")),
          .found = fmt::format("on our model {}; elsewhere {}. TD(1) on other models: {}",
                               fmt::join(here, "; "),
                               others.empty() ? "none" : fmt::format("{}", fmt::join(others, "; ")),
                               fmt::join(drawn, "; ")),
          .verdict = holds_somewhere(holds, data.length())};
}

Finding td1_finds_the_projection(const ConvergenceData& data,
                                 const std::vector<ConvergenceSetting>& settings) {
  bool holds = true;
  std::vector<std::string> ends;
  for (const ConvergenceSetting& setting : settings) {
    const Panel& panel = data.at(setting);
    const double td1 = panel.by("TD(1)").distance / panel.value_norm;
    const double td = panel.by("TD(0)").distance / panel.value_norm;
    holds = holds && td1 <= close;
    ends.push_back(
        fmt::format("{}: {} of the norm of V, TD(0) {}", panel.place, percent(td1), percent(td)));
  }
  return {.claim = "With d < N and a linear loss, TD(1) converges to the projected value",
          .published = "expected from the classical theory",
          .found = fmt::format("{}", fmt::join(ends, "; ")),
          .verdict = holds_as_computed(holds, data.length())};
}

Finding td1_need_not_be_nearest(const ConvergenceData& data, const ConvergenceSetting& setting) {
  constexpr double one_in_twenty = 0.05;
  const Panel& panel = data.at(setting);
  const Learned& td1 = panel.by("TD(1)");
  const Learned* rival = nullptr;
  for (const Learned& learner : panel.learned) {
    if (learner.algorithm == "TD(1)") continue;
    if (rival == nullptr || learner.distance < rival->distance) rival = &learner;
  }
  const bool beaten =
      td1.distance - rival->distance > 3.0 * std::hypot(td1.standard_error, rival->standard_error);
  const DrawTally& tally = data.drawn(setting, "TD(1)");
  const std::size_t not_nearest = tally.draws - tally.nearest;
  const bool beaten_elsewhere =
      static_cast<double>(not_nearest) > one_in_twenty * static_cast<double>(tally.draws);
  return {
      .claim =
          "With d < N and a loss that is not linear, TD(1) need not be the nearest to the "
          "projected value",
      .published = "as at " + panel.place,
      .found = fmt::format("on our model TD(1) ends at {:.3f}, {} at {:.3f} (standard errors "
                           "{:.3f}, {:.3f}); on {} of {} other models the limit of TD(1) is not "
                           "the nearest",
                           td1.distance, rival->algorithm, rival->distance, td1.standard_error,
                           rival->standard_error, not_nearest, tally.draws),
      .verdict = holds_somewhere((data.length() == Coverage::whole && beaten) || beaten_elsewhere,
                                 data.length())};
}

Finding ends_are_limits_of_the_ode(const ConvergenceData& data) {
  const double time = sum_of_steps(data.iterations);
  std::size_t settled = 0, agree = 0, away = 0, gone = 0;
  double most = 0.0;
  for (const Panel& panel : data.with_features(few_features)) {
    for (const Learned& learner : panel.learned) {
      if (learner.limit == "away") {
        ++away;
        gone += panel.has_diverged(learner) ? 1U : 0U;
      }
      if (learner.limit != "stable" || learner.limit_rate * time < forgotten) continue;
      ++settled;
      agree += is_at_its_limit(panel, learner) ? 1U : 0U;
      most = std::max(most, std::abs(learner.distance - learner.limit_distance) / panel.value_norm);
    }
  }
  return {
      .claim =
          "With d < N, the learners end where the mean-field ODE of TD(lambda) does, which "
          "is computed without simulation",
      .found = fmt::format("{} of {} learners that have forgotten their start are at the limit "
                           "(distances to the projected value agree within {} of the norm of V); "
                           "of {} for which the ODE diverges, {} have diverged by the end",
                           agree, settled, percent(most), away, gone),
      .verdict = settled == 0 ? Verdict::open : holds_as_computed(agree == settled, data.length()),
      .origin = Origin::ours};
}

Finding sharp_condition_suffices(const ConvergenceData& data) {
  std::size_t within = 0, stable = 0, settings = 0, newly = 0;
  std::vector<std::string> beyond;
  for (const DrawTally& tally : data.draws) {
    if (tally.algorithm != "TD(0)") continue;
    const Panel& panel = data.at(tally.setting);
    // At the limit itself, 0.6 for the expectile of levels 0.1 and 0.9, nothing is proved.
    if (tally.setting.gamma < (1.0 - 1e-9) * panel.sharp_gamma_limit) {
      ++settings;
      newly += panel.condition_holds ? 0U : 1U;
      within += tally.draws;
      stable += tally.stable;
    } else {
      beyond.push_back(
          fmt::format("{}: {} of {}", panel.place, tally.draws - tally.stable, tally.draws));
    }
  }
  return {
      .claim =
          "TD converges where gamma < 2 sqrt(e L) / (e + L) with e and L the smallest and "
          "largest slope of the loss, which is weaker than gamma < e / L",
      .found = fmt::format("{} settings, {} of them beyond e / L: {} of {} models have a stable "
                           "limit. Models without one beyond this condition: {}",
                           settings, newly, stable, within,
                           beyond.empty() ? "none" : fmt::format("{}", fmt::join(beyond, "; "))),
      .verdict = verdict_of(settings > 0 && stable == within),
      .origin = Origin::ours};
}

}  // namespace shortfall::studies
