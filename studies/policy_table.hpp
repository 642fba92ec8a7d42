#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "published/tables.hpp"
#include "studies/stock_setting.hpp"
#include "studies/study.hpp"
#include "studies/training_choices.hpp"

/// A published policy table beside the values under its own stopping rule and the true ones.
namespace shortfall::studies {

/// The settings that are trained under all choices of what the paper leaves open. "Jointly" is in
/// the costs of the shorter published table at tau 0.1, 0.5 and 0.9, which are 9 of 35 settings.
enum class Sweep {
  none,
  main_text,  ///< only these 9; elsewhere the choice that came closest to the printed gaps
  all         ///< these 9 jointly, the others alone
};

/// How policies are trained; by default 20 iterations of 60 000 samples.
struct PolicyTraining {
  int iterations = 20;
  std::size_t scenarios = 0;           ///< per improvement; 0: exact
  bool also_improved_exactly = false;  ///< in addition to scenarios, ours and as published
  Sweep sweep = Sweep::none;
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

/// An exact policy in one setting.
struct PolicyValue {
  std::string policy = {};
  double ours = 0.0;  ///< under the published stopping rule
  CertifiedValue certified = {};
  SHORTFALL_RECORD(policy, ours, certified)
};

/// A policy trained in one way, after the last iteration.
struct TrainedValue {
  std::string algorithm = {};  ///< TD or Newton
  std::string choice = {};     ///< the name of a TrainingChoice
  double ours = 0.0;           ///< under the published stopping rule
  CertifiedValue certified = {};
  CertifiedValue best = {};              ///< of the best iteration
  CertifiedValue improved_exactly = {};  ///< instead of from scenarios, if requested
  std::size_t singular = 0;              ///< trajectories left out, over all iterations
  std::size_t diverged = 0;              ///< likewise
  SHORTFALL_RECORD(algorithm, choice, ours, certified, best, improved_exactly, singular, diverged)
};

/// The result of a part: all policies in one setting, the optimum first.
struct SettingValues {
  double tau = 0.0;
  std::string cost = {};
  double optimal_orders = 0.0;  ///< value of the optimal orders under the published rule
  std::vector<PolicyValue> policies = {};
  std::vector<TrainedValue> trained = {};
  SHORTFALL_RECORD(tau, cost, optimal_orders, policies, trained)

  /// Nullptr if there is none.
  const TrainedValue* trained_by(std::string_view algorithm, std::string_view choice) const;
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
  std::string training;  ///< as published, or ours
  double value;
  double true_gap_percent;
  double sampled_true_gap_percent;
  SHORTFALL_RECORD(tau, cost, algorithm, training, value, true_gap_percent,
                   sampled_true_gap_percent)
};

/// A trained policy in both columns: a row of `trained`. Gaps in percent; those `by_rule` under the
/// published stopping rule.
struct TrainedGaps {
  double tau;
  std::string cost;
  std::string algorithm;
  double paper;
  double published_by_rule;
  double ours_by_rule;
  double published;
  double ours;
  double least_published;  ///< over all choices of what the paper leaves open
  double most_published;
  std::size_t choices;
  std::size_t singular;  ///< trajectories left out by default, of 20 in each iteration
  std::size_t diverged;
  SHORTFALL_RECORD(tau, cost, algorithm, paper, published_by_rule, ours_by_rule, published, ours,
                   least_published, most_published, choices, singular, diverged)
};

/// One way to train over all settings: a row of `choices`.
struct ChoiceGaps {
  std::string algorithm;
  std::string choice;
  std::size_t settings;
  double mean_gap_percent;
  double worst_gap_percent;
  double worst_gap_by_rule_percent;
  std::size_t singular;
  std::size_t diverged;
  SHORTFALL_RECORD(algorithm, choice, settings, mean_gap_percent, worst_gap_percent,
                   worst_gap_by_rule_percent, singular, diverged)
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
  /// Refers to `published`. With policies trained by this choice; by `published_column` where an
  /// algorithm does not have it. Settings without the choice are left out.
  PolicyTable(const PublishedTable& published, const std::vector<SettingValues>& parts,
              std::string_view choice = published_column);

  const std::vector<PolicyCell>& cells() const { return cells_; }
  const std::vector<ExactImprovement>& exact_improvement() const { return exact_; }
  /// By setting, the gap that the optimal orders themselves have under the published rule.
  const std::vector<double>& rule_gaps() const { return rule_gaps_; }
  Coverage coverage() const;  ///< whole: all 35 settings are there
  std::size_t settings() const { return rule_gaps_.size(); }

  std::vector<PolicyCell> of(std::string_view policy) const;
  /// Nullptr if there is none.
  const PolicyCell* find(double tau, std::string_view cost, std::string_view policy) const;
  /// The cell of another policy in the same setting.
  const PolicyCell& in_same_setting(const PolicyCell& cell, std::string_view policy) const;

  /// The cell with the largest gap; `gap` is a member such as &PolicyCell::true_gap.
  PolicyCell worst(std::string_view policy, double PolicyCell::*gap) const;
  double mean(std::string_view policy, double PolicyCell::*gap) const;
  PrintedGaps printed(std::string_view policy) const;

  Json summary_rows() const;
  Json facts() const;  ///< on exact policies

 private:
  void add(const SettingValues& part, std::string_view choice);
  void add_cell(const SettingValues& part, const PolicyValue& value,
                const TrainedValue* trained = nullptr);
  const PublishedPolicy& published(std::string_view policy) const;

  const PublishedTable& published_;
  std::vector<PolicyCell> cells_;
  std::vector<ExactImprovement> exact_;
  std::vector<double> rule_gaps_;
};

/// The same settings under all ways to train.
struct TrainedTables {
  TrainedTables(const PublishedTable& published, const std::vector<SettingValues>& parts);

  struct Chosen {
    std::string choice;
    PolicyTable table;
  };
  PolicyTable ours;
  std::vector<Chosen> published;  ///< published_column first, those of both algorithms
  std::vector<TrainedGaps> gaps = {};
  std::vector<ChoiceGaps> choices = {};

  const PolicyTable& as_published() const { return published.front().table; }
  const PolicyTable& by(std::string_view choice) const;
  /// The published choices under which an algorithm was trained; of both if it is empty.
  std::vector<std::string> choices_of(std::string_view algorithm) const;
};

// Findings of both policy tables.

/// Gaps are the same within this many percentage points: printed values have only two decimals.
inline constexpr double same_gap = 0.02;

/// "12 of 35".
std::string out_of(std::size_t count, std::size_t all);

/// Where a cell is: "tau 0.1, costs (10,1,20,5)".
std::string place_of(const PolicyCell& cell);
std::string place_of(const PrintedGaps& gaps);  ///< the worst

/// Cells of a policy for which something holds.
std::size_t count(const PolicyTable& table, std::string_view policy,
                  const std::function<bool(const PolicyCell&)>& holds);

/// Every cell of these policies agrees to the last printed digit.
Finding exact_cells_match(const PolicyTable& table, const std::vector<std::string>& policies);

/// The largest gap of a policy is the printed one.
Finding worst_gap(const PolicyTable& table, const std::string& policy);

/// The published sweeps stopped before convergence, and by how much.
Finding stopped_early(const PolicyTable& table);

/// A statement about trained policies, tested on the table of one choice.
struct TrainedTest {
  bool holds;
  std::string found;
  double figure = 0.0;  ///< what varies over choices
};

/// Under all choices that act on the algorithm that the statement is about ("TD", "Newton", or both
/// if it is empty); `coverage` is that of the settings and iterations as published.
struct TrainedStatement : Statement {
  std::string_view algorithm = {};
};
JudgedFinding judged(const TrainedTables& tables, const TrainedStatement& statement,
                     const std::function<TrainedTest(const PolicyTable&)>& test, Coverage coverage);

/// Under the published rule even the optimal orders have a gap, because an optimum is printed one
/// sweep earlier than the value of a policy.
Finding optimum_has_a_gap(const PolicyTable& table);

}  // namespace shortfall::studies
