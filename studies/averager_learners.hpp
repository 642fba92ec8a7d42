#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "shortfall/mdp/library/counterexample.hpp"
#include "studies/averager_problem.hpp"
#include "studies/study.hpp"

namespace shortfall::studies {

/// A weight on the counterexample, by iteration: the value of the state with the larger feature, as
/// features are divided by it. The exact one is 0.
struct AveragerPathRow {
  double p = 0.0;
  std::string root = {};
  std::string algorithm = {};
  double start = 0.0;
  std::uint64_t iteration = 0;
  double theta = 0.0;
  SHORTFALL_RECORD(p, root, algorithm, start, iteration, theta)
};

/// TD and averager TD on the same path, with the same steps, from several starts.
std::vector<AveragerPathRow> averager_paths(double p, library::DeltaRoot root,
                                            const StudyOptions& options);

/// Runs on random models with independent samples: means of the last half of the iterates beside
/// K's fixed point. A score is the difference of Σ m_i θ_i, divided by its asymptotic deviation.
struct AveragerRunsRow {
  std::string loss = {};
  double gamma = 0.0;
  std::uint64_t updates = 0;
  std::size_t runs = 0;
  std::size_t averager_diverged = 0;
  std::size_t td_diverged = 0;
  std::size_t outside_box = 0;     ///< iterates of averager TD outside the interval that is proved
  double mean_square_score = 0.0;  ///< 1 where the asymptotic covariance holds
  double largest_score = 0.0;      ///< by size
  double within_95 = 0.0;          ///< share of scores up to 1.96
  SHORTFALL_RECORD(loss, gamma, updates, runs, averager_diverged, td_diverged, outside_box,
                   mean_square_score, largest_score, within_95)
};

struct AveragerRunScale {
  std::size_t models = 0;  ///< of each kind of features
  std::uint64_t updates = 0;
};
AveragerRunScale averager_run_scale(Scale scale);

std::vector<AveragerRunsRow> averager_runs(const AveragerRunScale& scale,
                                           const StudyOptions& options,
                                           const OnProgress& on_progress);

}  // namespace shortfall::studies
