#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "published_tables.hpp"
#include "stock_setting.hpp"
#include "study.hpp"
#include "verdict_rules.hpp"

/// A published table of policies beside what its own rule gives, and what is true.
namespace shortfall::studies {

/// How policies are trained: as published, 20 iterations of 60 000 samples.
struct PolicyTraining {
  int iterations = 20;
  std::size_t scenarios = 0;           ///< of an improvement; 0: exact
  bool also_improved_exactly = false;  ///< beside scenarios
};

struct PolicyTableOptions {
  const PublishedTable& published;
  PolicyTraining training = {};
  std::vector<StockSetting> settings = {};
};

/// One part a setting: for each policy the value under the published stopping rule (`ours`) and the
/// certified one (`converged`, `error_bound`); what the optimal orders come to under that rule
/// (`optimal_orders`), where their gap should be 0; and values by exact improvement, if asked for.
std::vector<Part> policy_table_parts(const PolicyTableOptions& table, const StudyOptions& options);

/// One value of a table. Gaps are to the optimum of the same kind, in percent.
struct PolicyCell {
  double tau;
  std::string cost;
  std::string policy;
  double paper;
  double paper_gap;
  double ours;  ///< under the published stopping rule
  double ours_gap;
  std::optional<bool> matches;  ///< to the printed digit; not asked of trained policies
  double converged;
  double error_bound;  ///< certified, of `converged`
  double true_gap;     ///< 0 where the bounds cannot tell it from 0
  double best_gap;     ///< of trained policies, the true one of the best iteration; else NaN
};

/// What exact improvement gives in place of sampled.
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

/// Of a policy in the whole table as printed, whatever was computed.
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
  /// That of the same setting.
  const PolicyCell& beside(const PolicyCell& cell, std::string_view policy) const;

  /// The cell of the largest gap; a gap is a member such as &PolicyCell::true_gap.
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
