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

/// A certified value at the empty stock; infinite: none.
struct CertifiedValue {
  double converged = infinity;
  double error_bound = infinity;
  SHORTFALL_RECORD(converged, error_bound)
};

/// One policy in one setting.
struct PolicyValue {
  std::string policy = {};
  double ours = 0.0;  ///< under the published stopping rule
  CertifiedValue certified = {};
  CertifiedValue best = {};              ///< of the best iteration of trained policies
  CertifiedValue improved_exactly = {};  ///< instead of from scenarios, if requested
  SHORTFALL_RECORD(policy, ours, certified, best, improved_exactly)
};

/// The result of a part: all policies in one setting, the optimum first.
struct SettingValues {
  double tau = 0.0;
  std::string cost = {};
  double optimal_orders = 0.0;  ///< value of the optimal orders under the published rule
  std::vector<PolicyValue> policies = {};
  SHORTFALL_RECORD(tau, cost, optimal_orders, policies)
};

/// One part per setting.
std::vector<Part> policy_table_parts(const PolicyTableOptions& table, const StudyOptions& options);

/// One cell of a table: a row of `cells`. Gaps are relative to the optimum of the same kind, in
/// percent; NaN for the optimum itself.
struct PolicyCell {
  double tau;
  std::string cost;
  std::string policy;
  double paper;
  double paper_gap_percent;
  double ours;  ///< under the published stopping rule
  double ours_gap_percent;
  std::optional<bool> matches;  ///< to the printed digit; none for trained policies
  double converged;
  double error_bound;            ///< certified, of `converged`
  double true_gap_percent;       ///< 0 if within the error bounds
  double best_true_gap_percent;  ///< of the best iteration of trained policies; else NaN
  SHORTFALL_RECORD(tau, cost, policy, paper, paper_gap_percent, ours, ours_gap_percent, matches,
                   converged, error_bound, true_gap_percent, best_true_gap_percent)
};

/// The result of exact instead of sampled improvement: a row of `exact_improvement`.
struct ExactImprovement {
  double tau;
  std::string cost;
  std::string algorithm;
  double value;
  double true_gap_percent;
  double sampled_true_gap_percent;
  SHORTFALL_RECORD(tau, cost, algorithm, value, true_gap_percent, sampled_true_gap_percent)
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
  PolicyTable(const PublishedTable& published, const std::vector<SettingValues>& parts);

  const std::vector<PolicyCell>& cells() const { return cells_; }
  const std::vector<ExactImprovement>& exact_improvement() const { return exact_; }
  /// By setting, the gap that the optimal orders themselves have under the published rule.
  const std::vector<double>& rule_gaps() const { return rule_gaps_; }
  Coverage coverage() const;  ///< whole: all 35 settings are there

  std::vector<PolicyCell> of(std::string_view policy) const;
  /// The cell of another policy in the same setting.
  const PolicyCell& in_same_setting(const PolicyCell& cell, std::string_view policy) const;

  /// The cell with the largest gap; `gap` is a member such as &PolicyCell::true_gap.
  PolicyCell worst(std::string_view policy, double PolicyCell::*gap) const;
  double mean(std::string_view policy, double PolicyCell::*gap) const;
  PrintedGaps printed(std::string_view policy) const;

  Json summary_rows() const;
  Json facts() const;  ///< on exact policies

 private:
  void add(const SettingValues& part);
  const PublishedPolicy& published(std::string_view policy) const;

  const PublishedTable& published_;
  std::vector<PolicyCell> cells_;
  std::vector<ExactImprovement> exact_;
  std::vector<double> rule_gaps_;
};

}  // namespace shortfall::studies
