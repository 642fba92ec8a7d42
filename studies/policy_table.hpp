#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "published/tables.hpp"
#include "studies/stock_setting.hpp"
#include "studies/study.hpp"
#include "studies/verdict_rules.hpp"

/// A published policy table beside the values under its own stopping rule and the true ones.
namespace shortfall::studies {

/// How policies are trained; by default as published, 20 iterations of 60 000 samples.
struct PolicyTraining {
  int iterations = 20;
  std::size_t scenarios = 0;           ///< per improvement; 0: exact
  bool also_improved_exactly = false;  ///< in addition to scenarios
};

struct PolicyTableOptions {
  const PublishedTable& published;
  PolicyTraining training = {};
  std::vector<StockSetting> settings = {};
};

/// One part per setting: for each policy the value under the published stopping rule (`ours`) and
/// the certified one (`converged`, `error_bound`); the value of the optimal orders under that rule
/// (`optimal_orders`), where their gap should be 0; and values by exact improvement, if requested.
std::vector<Part> policy_table_parts(const PolicyTableOptions& table, const StudyOptions& options);

/// One cell of a table. Gaps are relative to the optimum of the same kind, in percent.
struct PolicyCell {
  double tau;
  std::string cost;
  std::string policy;
  double paper;
  double paper_gap;
  double ours;  ///< under the published stopping rule
  double ours_gap;
  std::optional<bool> matches;  ///< to the printed digit; none for trained policies
  double converged;
  double error_bound;  ///< certified, of `converged`
  double true_gap;     ///< 0 if within the error bounds
  double best_gap;     ///< true gap of the best iteration of trained policies; else NaN
};

/// The result of exact instead of sampled improvement.
struct ExactImprovement {
  double tau;
  std::string cost;
  std::string algorithm;
  double value;
  double true_gap;
  double sampled_true_gap;
};

/// The gap that the optimal orders themselves have under the published rule.
struct RuleGap {
  double tau;
  std::string cost;
  double gap;
};

/// Gaps of a policy in the whole printed table, whatever was computed.
struct PrintedGaps {
  double worst = 0.0;
  double worst_tau = 0.0;
  std::string worst_cost = {};
  double mean = 0.0;
};

class PolicyTable {
 public:
  /// Refers to `published`.
  PolicyTable(const PublishedTable& published, const std::vector<Json>& parts);

  const std::vector<PolicyCell>& cells() const { return cells_; }
  const std::vector<ExactImprovement>& exact_improvement() const { return exact_; }
  const std::vector<RuleGap>& rule_gaps() const { return rule_gaps_; }
  Coverage coverage() const;  ///< whole: all 35 settings are there

  std::vector<PolicyCell> of(std::string_view policy) const;
  /// The cell of another policy in the same setting.
  const PolicyCell& in_same_setting(const PolicyCell& cell, std::string_view policy) const;

  /// The cell with the largest gap; `gap` is a member such as &PolicyCell::true_gap.
  PolicyCell worst(std::string_view policy, double PolicyCell::*gap) const;
  double mean(std::string_view policy, double PolicyCell::*gap) const;
  PrintedGaps printed(std::string_view policy) const;

  Json cell_rows() const;
  Json summary_rows() const;
  Json exact_improvement_rows() const;

 private:
  void add(const Json& part);

  const PublishedTable& published_;
  std::vector<PolicyCell> cells_;
  std::vector<ExactImprovement> exact_;
  std::vector<RuleGap> rule_gaps_;
};

}  // namespace shortfall::studies
