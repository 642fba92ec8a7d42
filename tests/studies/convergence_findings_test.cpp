// Verdicts on the convergence figures, for made-up runs that support a statement and for ones that
// do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "studies/convergence.hpp"
#include "tests/studies/results_for_tests.hpp"

namespace shortfall::studies {
namespace {

using ::testing::HasSubstr;

constexpr double never = std::numeric_limits<double>::infinity();

/// Learners as the paper describes them: at V for d = 10; for d = 5 at 0.3 ‖V‖ from ΠV, except
/// TD(1).
Learned learner(std::size_t a, std::uint32_t d, std::uint64_t iterations) {
  const double spread = a == 4 ? 4.0 : 1.0 + static_cast<double>(a);
  const double left = d == 10 ? 0.01 : a == 3 ? 0.001 : 0.3;
  return {.algorithm = std::string(convergence_algorithms[a]),
          .curve = {{.iteration = 100,
                     .distance = 0.9,
                     .standard_error = 0.01,
                     .first_component_standard_error = spread},
                    {.iteration = iterations / 10,
                     .distance = 0.4,
                     .standard_error = 0.01,
                     .first_component_standard_error = 0.5 * spread},
                    {.iteration = iterations,
                     .distance = left,
                     .standard_error = 1e-4,
                     .first_component_standard_error = 0.1 * spread}},
          .distance = left,
          .standard_error = 1e-4,
          .iterations_to_threshold = a == 4 ? 1e3 : 1e5 / (1.0 + static_cast<double>(a)),
          .runs = 20,
          .to_fixed_point = a == 0 || a == 4 ? 0.001 : 0.2,
          .limit = "stable",
          .limit_distance = d == 10 ? 0.0 : left,
          .limit_rate = 0.02};
}

ConvergenceData as_published(std::uint64_t iterations = 1'000'000) {
  ConvergenceData data{.iterations = iterations};
  for (const std::uint32_t d : {10u, 5u}) {
    for (const double gamma : {0.6, 0.9}) {
      for (const double level : {0.5, 0.6, 0.9}) {
        Panel panel{.setting = {level, gamma, d},
                    .place = "here",
                    .condition_holds = gamma == 0.6,
                    .value_norm = 1.0,
                    .fixed_point_distance = d == 10 ? 0.0 : 0.3,
                    .sharp_gamma_limit = 0.8};
        for (std::size_t a = 0; a < 5; ++a) {
          panel.learned.push_back(learner(a, d, iterations));
          if (gamma == 0.9 && a == 3) panel.learned[3].iterations_to_threshold = 1e4;
        }
        data.panels.push_back(panel);
        if (d == 10) continue;
        for (std::size_t a = 0; a < 4; ++a) {
          data.draws.push_back({.setting = panel.setting,
                                .algorithm = std::string(convergence_algorithms[a]),
                                .draws = 100,
                                .stable = 100,
                                .nearest = a == 3 ? 60u : 10u});
        }
      }
    }
  }
  return data;
}

/// Every setting with d features, with one learner changed.
ConvergenceData changed(std::uint32_t d, std::string_view algorithm,
                        const std::function<void(Learned&)>& change,
                        ConvergenceData data = as_published()) {
  for (Panel& panel : data.panels) {
    for (Learned& learned : panel.learned) {
      if (panel.setting.d == d && learned.algorithm == algorithm) change(learned);
    }
  }
  return data;
}

using Judge = Finding (*)(const ConvergenceData&);
Verdict verdict(Judge judge, const ConvergenceData& data) {
  return judge(data).verdict;
}

TEST(FindingsOnTheValue, HoldIfRunsAreAsPublished) {
  for (const Judge judge : {learners_find_the_value, td_finds_the_value_beyond_the_condition,
                            newton_needs_fewer_iterations, traces_need_fewer_iterations,
                            longer_traces_need_fewer_iterations, traces_help_more_at_larger_gamma,
                            spread_shrinks, spread_grows_with_lambda, newton_spreads_early}) {
    EXPECT_EQ(verdict(judge, as_published()), Verdict::confirmed) << judge(as_published()).claim;
  }
}

TEST(FindingsOnTheValue, NameTheLearnersThatAreNotThereYet) {
  const auto far = changed(10, "TD(0.3)", [](Learned& td) { td.distance = 0.0501; });
  EXPECT_EQ(learners_find_the_value(far).verdict, Verdict::refuted);
  EXPECT_THAT(learners_find_the_value(far).found, HasSubstr("24 of 30"));
  EXPECT_THAT(learners_find_the_value(far).found, HasSubstr("TD(0.3) at here: 5.0 %"));
  const auto near = changed(10, "TD(0.3)", [](Learned& td) { td.distance = 0.0499; });
  EXPECT_EQ(learners_find_the_value(near).verdict, Verdict::confirmed);
}

TEST(FindingsOnTheValue, AreOpenIfRunsAreShort) {
  EXPECT_EQ(learners_find_the_value(as_published(60000)).verdict, Verdict::open);
  EXPECT_EQ(newton_ends_where_td_does(as_published(60000)).verdict, Verdict::open);
}

TEST(FindingsOnTheValue, RefuteThatTdFindsItBeyondTheCondition) {
  const Judge judge = td_finds_the_value_beyond_the_condition;
  const auto falls = changed(10, "TD(0)", [](Learned& td) { td.distance = 0.2; });
  EXPECT_EQ(verdict(judge, falls), Verdict::confirmed);
  const auto stays = changed(10, "TD(0)", [](Learned& td) { td.distance = 0.39; });
  EXPECT_EQ(verdict(judge, stays), Verdict::refuted);
  const auto diverges = changed(10, "TD(0)", [](Learned& td) { td.diverged = 1; });
  EXPECT_EQ(verdict(judge, diverges), Verdict::refuted);
  const auto elsewhere = changed(10, "TD(0)", [](Learned& td) { td.limit_distance = 0.01; });
  EXPECT_EQ(verdict(judge, elsewhere), Verdict::refuted);
}

TEST(FindingsOnTheValue, CompareNewtonWithTd) {
  const auto with = [](double td_iterations, double newton_iterations) {
    auto data =
        changed(10, "TD(0)", [&](Learned& td) { td.iterations_to_threshold = td_iterations; });
    return newton_needs_fewer_iterations(
               changed(
                   10, "Newton", [&](Learned& l) { l.iterations_to_threshold = newton_iterations; },
                   data))
        .verdict;
  };
  EXPECT_EQ(with(2000, 1000), Verdict::confirmed);
  EXPECT_EQ(with(2000, 1001), Verdict::refuted);
  EXPECT_EQ(with(2000, never), Verdict::refuted);
  EXPECT_EQ(with(never, 500000), Verdict::confirmed);
  EXPECT_EQ(with(never, 500001), Verdict::open);  // TD may get there soon after the end
  EXPECT_EQ(with(never, never), Verdict::open);
}

TEST(FindingsOnTheValue, CompareTraces) {
  const auto slow = [](double iterations) {
    auto data = as_published();
    for (const char* algorithm : {"TD(0.3)", "TD(0.6)", "TD(1)"}) {
      data = changed(
          10, algorithm, [&](Learned& td) { td.iterations_to_threshold = iterations; }, data);
    }
    return data;
  };
  EXPECT_EQ(traces_need_fewer_iterations(slow(2e5)).verdict, Verdict::refuted);
  EXPECT_EQ(traces_need_fewer_iterations(slow(1e5)).verdict, Verdict::refuted);
  EXPECT_EQ(longer_traces_need_fewer_iterations(slow(9e4)).verdict, Verdict::refuted);
  EXPECT_EQ(traces_help_more_at_larger_gamma(slow(9e4)).verdict, Verdict::refuted);
  const auto nobody = changed(
      10, "TD(0)", [](Learned& td) { td.iterations_to_threshold = never; }, slow(never));
  EXPECT_EQ(traces_need_fewer_iterations(nobody).verdict, Verdict::open);
  EXPECT_EQ(traces_help_more_at_larger_gamma(nobody).verdict, Verdict::open);
}

TEST(FindingsOnTheValue, CompareSpreads) {
  const auto with_spread = [](std::string_view algorithm, double factor) {
    return changed(10, algorithm, [&](Learned& l) {
      for (CurvePoint& point : l.curve) point.first_component_standard_error *= factor;
    });
  };
  EXPECT_EQ(spread_grows_with_lambda(with_spread("TD(1)", 0.1)).verdict, Verdict::refuted);
  EXPECT_EQ(newton_spreads_early(with_spread("Newton", 0.1)).verdict, Verdict::refuted);
  const auto last =
      changed(10, "TD(1)", [](Learned& l) { l.curve.back().first_component_standard_error = 3.0; });
  EXPECT_EQ(spread_shrinks(last).verdict, Verdict::refuted);
}

TEST(FindingsOnTheValue, ExplainWhatIsLeftByTheSlowestMode) {
  const double time = sum_of_steps(1'000'000);
  const auto left = [&](double share) {
    return slowest_mode_explains_what_is_left(changed(10, "TD(0)",
                                                      [&](Learned& td) {
                                                        td.distance = share;
                                                        td.limit_rate = std::log(10.0) /
                                                                        time;  // leaves a tenth
                                                      }))
        .verdict;
  };
  EXPECT_EQ(left(0.19), Verdict::confirmed);
  EXPECT_EQ(left(0.06), Verdict::confirmed);
  EXPECT_EQ(left(0.21), Verdict::refuted);
  EXPECT_EQ(left(0.01), Verdict::open);
}

TEST(FindingsOnLimits, HoldIfRunsAreAsPublished) {
  for (const Judge judge :
       {learners_converge_within_the_condition, newton_ends_where_td_does, traces_change_the_limit,
        ends_are_limits_of_the_ode, sharp_condition_suffices}) {
    EXPECT_EQ(verdict(judge, as_published()), Verdict::confirmed) << judge(as_published()).claim;
  }
  EXPECT_EQ(td1_finds_the_projection(as_published(), {{0.5, 0.6, 5}}).verdict, Verdict::confirmed);
  EXPECT_EQ(td1_need_not_be_nearest(as_published(), {0.6, 0.6, 5}).verdict, Verdict::confirmed);
}

TEST(FindingsOnLimits, NeedAllLearnersAtTheirLimits) {
  const auto off = changed(5, "TD(0.6)", [](Learned& td) { td.distance = 0.33; });
  EXPECT_EQ(learners_converge_within_the_condition(off).verdict, Verdict::refuted);
  EXPECT_EQ(ends_are_limits_of_the_ode(off).verdict, Verdict::refuted);
  const auto unsettled = changed(
      5, "TD(0.6)", [](Learned& td) { td.limit_rate = 0.001; }, off);
  EXPECT_EQ(ends_are_limits_of_the_ode(unsettled).verdict, Verdict::confirmed);
  auto all_projected = as_published();
  for (const auto algorithm : convergence_algorithms) {
    all_projected = changed(
        5, algorithm, [](Learned& l) { l.distance = l.limit_distance = 0.001; }, all_projected);
  }
  EXPECT_EQ(learners_converge_within_the_condition(all_projected).verdict, Verdict::refuted);
}

TEST(FindingsOnLimits, NeedNewtonAtTheLimitOfTd) {
  const auto off = changed(5, "Newton", [](Learned& l) { l.to_fixed_point = 0.011; });
  EXPECT_EQ(newton_ends_where_td_does(off).verdict, Verdict::refuted);
}

TEST(FindingsOnLimits, DetectTracesThatChangeTheLimit) {
  const std::vector<ConvergenceSetting> linear = {{0.5, 0.6, 5}};
  EXPECT_EQ(traces_keep_the_neutral_limit(as_published(), linear).verdict, Verdict::refuted);
  auto same = as_published();
  for (const char* algorithm : {"TD(0.3)", "TD(0.6)", "TD(1)"}) {
    same = changed(
        5, algorithm, [](Learned& td) { td.to_fixed_point = 0.001; }, same);
  }
  EXPECT_EQ(traces_keep_the_neutral_limit(same, linear).verdict, Verdict::confirmed);
  EXPECT_EQ(traces_change_the_limit(same).verdict, Verdict::refuted);
}

TEST(FindingsOnLimits, DetectDivergence) {
  const std::vector<ConvergenceSetting> settings = {{0.6, 0.9, 5}, {0.9, 0.9, 5}};
  EXPECT_EQ(traces_diverge_at(as_published(), settings).verdict, Verdict::refuted);
  EXPECT_EQ(traces_diverge_at(as_published(60000), settings).verdict, Verdict::open);
  const auto stopped = changed(5, "TD(1)", [](Learned& td) {
    td.diverged = 7;
    td.distance = never;
  });
  EXPECT_EQ(traces_diverge_at(stopped, settings).verdict, Verdict::confirmed);
  EXPECT_THAT(traces_diverge_at(stopped, settings).found, HasSubstr("TD(1) (7 of 20 runs)"));
  const auto at = [&](double distance) {
    return traces_diverge_at(changed(5, "TD(0.6)", [&](Learned& td) { td.distance = distance; }),
                             settings)
        .verdict;
  };
  EXPECT_EQ(at(10.1), Verdict::confirmed);
  EXPECT_EQ(at(9.9), Verdict::refuted);
  const auto only_td = changed(5, "TD(0)", [](Learned& td) { td.distance = 100.0; });
  EXPECT_EQ(traces_diverge_at(only_td, settings).verdict, Verdict::refuted);
}

TEST(FindingsOnLimits, UseOtherDrawsToDecideWhetherTd1IsNearest) {
  const ConvergenceSetting setting = {0.6, 0.6, 5};
  const auto with_nearest = [](std::size_t nearest) {
    auto data = as_published();
    for (DrawTally& tally : data.draws) tally.nearest = nearest;
    return data;
  };
  EXPECT_EQ(td1_need_not_be_nearest(with_nearest(94), setting).verdict, Verdict::confirmed);
  EXPECT_EQ(td1_need_not_be_nearest(with_nearest(96), setting).verdict, Verdict::refuted);
  const auto beaten = changed(
      5, "TD(1)", [](Learned& td) { td.distance = 0.31; }, with_nearest(100));
  EXPECT_EQ(td1_need_not_be_nearest(beaten, setting).verdict, Verdict::confirmed);
  const auto within_noise = changed(
      5, "TD(1)", [](Learned& td) { td.distance = 0.3004; }, with_nearest(100));
  EXPECT_EQ(td1_need_not_be_nearest(within_noise, setting).verdict, Verdict::refuted);
}

TEST(FindingsOnLimits, NeedTd1AtTheProjectionForALinearLoss) {
  const auto off = changed(5, "TD(1)", [](Learned& td) { td.distance = 0.011; });
  EXPECT_EQ(td1_finds_the_projection(off, {{0.5, 0.6, 5}}).verdict, Verdict::refuted);
}

TEST(FindingsOnLimits, NeedAStableLimitOnAllDrawsWithinTheSharpCondition) {
  auto data = as_published();
  for (DrawTally& tally : data.draws) {
    if (tally.setting.gamma == 0.9) tally.stable = 50;  // beyond 0.8
  }
  EXPECT_EQ(sharp_condition_suffices(data).verdict, Verdict::confirmed);
  data.draws.front().stable = 99;
  EXPECT_EQ(sharp_condition_suffices(data).verdict, Verdict::refuted);
}

TEST(ConvergenceStudies, CombineTheirParts) {
  const ConvergenceFigure figure = {
      .family = {"tau", [](double tau) -> AnyLoss { return Expectile(tau); }},
      .levels = {0.1, 0.4, 0.5, 0.6, 0.9},
      .gammas = {0.6, 0.9}};
  std::vector<ConvergenceData> parts;
  ConvergenceData drawn;
  for (const ConvergenceSetting& setting : figure.settings()) {
    Panel panel{.setting = setting,
                .gamma_limit = 0.5,
                .value_norm = 1.0,
                .fixed_point_distance = never,
                .fixed_point_status = "diverged",
                .sharp_gamma_limit = 0.5};
    for (const auto algorithm : convergence_algorithms) {
      CurvePoint point{.iteration = 100,
                       .distance = never,
                       .standard_error = never,
                       .median = never,
                       .diverged = 3,
                       .first_component_standard_error = 0.5};
      CurvePoint last = point;
      last.iteration = 1000;
      panel.learned.push_back({.algorithm = std::string(algorithm),
                               .curve = {point, last},
                               .distance = never,
                               .standard_error = never,
                               .diverged = 3,
                               .iterations_to_threshold = never,
                               .threshold = 0.05,
                               .runs = 20,
                               .to_fixed_point = never,
                               .to_fixed_point_standard_error = never,
                               .limit = "away",
                               .limit_distance = never,
                               .limit_rate = never});
      if (setting.d == 10 || algorithm == "Newton") continue;
      drawn.draws.push_back({.setting = setting,
                             .algorithm = std::string(algorithm),
                             .draws = 10,
                             .stable = 4,
                             .away = 6,
                             .nearest = 1});
    }
    parts.push_back({.panels = {panel}});
  }
  parts.push_back(drawn);
  const Results results = conclude(figure_expectile({}), parts);
  EXPECT_EQ(results.findings.size(), 19u);
  EXPECT_EQ(results.tables.at("settings").size(), 20u);
  EXPECT_EQ(results.tables.at("ends").size(), 100u);
  EXPECT_EQ(results.tables.at("curves").size(), 200u);
  EXPECT_EQ(results.tables.at("draws").size(), 40u);
  // Runs of a thousand iterations that all diverged confirm only statements on divergence.
  for (const Finding& finding : results.findings) {
    EXPECT_FALSE(finding.claim.empty());
    EXPECT_FALSE(finding.found.empty());
    if (finding.verdict == Verdict::confirmed) {
      EXPECT_THAT(finding.claim + finding.found,
                  ::testing::AnyOf(HasSubstr("diverge"), HasSubstr("need not"),
                                   HasSubstr("standard error")));
    }
  }
}

}  // namespace
}  // namespace shortfall::studies
