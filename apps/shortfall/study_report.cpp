#include "apps/shortfall/study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "apps/shortfall/output.hpp"
#include "numbers/certain_digits.hpp"
#include "text/text.hpp"

namespace shortfall::app {
namespace {

using report::Json;
using studies::StudyEnd;
using studies::StudySetting;

std::string start_text(const StudyModel& model) {
  return model.start ? fmt::format("{}", *model.start + model.loaded.model.state_base())
                     : std::string("uniform");
}

std::size_t terminal_states(const Mdp& model) {
  std::size_t count = 0;
  for (std::size_t x = 0; x < model.states(); ++x) count += model.is_terminal(x) ? 1u : 0u;
  return count;
}

/// Values in the sense of the file, with the ids and names of states.
Json value_rows(const StudyModel& model, const ModelNames& names,
                const studies::ModelStudyTables& tables) {
  Json rows = Json::array();
  for (studies::StudyValue value : tables.values) {
    const std::size_t x = value.state;
    value.state += model.loaded.model.state_base();
    for (double* v :
         {&value.value, &value.projection, &value.fixed_point, &value.averager_fixed_point}) {
      if (std::isfinite(*v)) *v = io::in_sense(*v, model.loaded.sense);
    }
    Json row = value;
    if (names.has_states()) row["name"] = names.state(x);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// "0.0123", "-" where there is no number, "diverged" where a mean is infinite because of that.
/// What is left of 0 by rounding is 0.
std::string number_text(double value, std::size_t diverged = 0) {
  if (std::isfinite(value)) return std::abs(value) < 1e-9 ? "0" : fmt::format("{:.4g}", value);
  return diverged > 0 ? "diverged" : "-";
}

std::string coverage_text(const StudyEnd& end) {
  if (std::isfinite(end.coverage)) return fmt::format("{:.1f} %", 100.0 * end.coverage);
  return end.intervals == 0.0 ? "no intervals" : "-";
}

std::string setting_table(const std::vector<StudySetting>& settings) {
  TextTable table;
  table.add({"features", "d", "loss", "gamma", "norm of V", "V within", "best fit", "fixed point",
             "gamma below"});
  for (const StudySetting& row : settings) {
    table.add(
        {row.features,
         row.rank < row.d ? fmt::format("{} (rank {})", row.d, row.rank) : fmt::format("{}", row.d),
         row.loss, fmt::format("{}", row.gamma), number_text(row.value_norm),
         shortfall::bound_text(row.value_error_bound), number_text(row.projection_error),
         std::isfinite(row.fixed_point_distance) ? number_text(row.fixed_point_distance)
                                                 : row.fixed_point_status,
         fmt::format("{:.4g}", row.gamma_limit)});
  }
  return table.text();
}

/// A mean over runs. Where Newton's matrix was singular at the end of all of them, their weights
/// are no result.
std::string mean_text(double value, const StudyEnd& end) {
  return end.singular == end.runs ? "singular" : number_text(value, end.diverged);
}

std::string end_table(const std::vector<StudyEnd>& ends) {
  const bool has_singular = std::ranges::any_of(ends, [](auto& end) { return end.singular > 0; });
  TextTable table;
  std::vector<std::string> header = {"features",   "loss",     "gamma",   "algorithm",
                                     "guaranteed", "to V",     "+- s.e.", "to its limit",
                                     "limit to V", "coverage", "diverged"};
  if (has_singular) header.emplace_back("singular");
  table.add(header);
  for (const StudyEnd& row : ends) {
    std::vector<std::string> cells = {row.features,
                                      row.loss,
                                      fmt::format("{}", row.gamma),
                                      row.algorithm,
                                      row.guaranteed ? "yes" : "no",
                                      mean_text(row.to_value, row),
                                      mean_text(row.to_value_standard_error, row),
                                      mean_text(row.to_limit, row),
                                      number_text(row.limit_distance),
                                      coverage_text(row),
                                      fmt::format("{} of {}", row.diverged, row.runs)};
    if (has_singular) cells.push_back(fmt::format("{} of {}", row.singular, row.runs));
    table.add(cells);
  }
  return table.text();
}

/// A line for each reason why a learner is not guaranteed to converge, with all learners that it
/// concerns.
std::string not_met_text(const std::vector<studies::StudyCondition>& conditions) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const studies::StudyCondition& row : conditions) {
    if (row.holds) continue;
    const std::string reason = fmt::format("{}: {}", row.assumption, row.reason);
    auto found = std::ranges::find(reasons, reason, [](auto& each) { return each.first; });
    if (found == reasons.end()) found = reasons.insert(reasons.end(), {reason, {}});
    if (std::ranges::count(found->second, row.algorithm) == 0) {
      found->second.push_back(row.algorithm);
    }
  }
  std::string text = reasons.empty() ? "" : "\nWhy convergence is not guaranteed:\n\n";
  for (const auto& [reason, algorithms] : reasons) {
    text += fmt::format("  {}, {}\n", fmt::join(algorithms, ", "), reason);
  }
  return text;
}

std::string divergence_text(const std::vector<StudyEnd>& ends) {
  std::string text;
  for (const StudyEnd& end : ends) {
    if (end.diverged < end.runs) continue;
    text += fmt::format("  {} with {}, gamma {}, features {}\n", end.algorithm, end.loss, end.gamma,
                        end.features);
  }
  return text.empty() ? text : "\nAll runs diverged, which is a result here:\n\n" + text;
}

}  // namespace

Json study_document(const StudyArguments& options, const StudyModel& model, const ModelNames& names,
                    const studies::ModelStudyTables& tables) {
  const Mdp& mdp = model.loaded.model;
  Json rows = tables;
  rows["values"] = value_rows(model, names, tables);
  Json document = {{"kind", "study"},
                   {"version", SHORTFALL_VERSION},
                   {"model", model.name},
                   {"about", model.about},
                   {"states", mdp.states()},
                   {"terminal_states", terminal_states(mdp)},
                   {"state_action_pairs", mdp.outcomes().rows()},
                   {"outcomes", mdp.outcomes().size()},
                   {"sense", model.loaded.sense == io::Sense::reward ? "reward" : "cost"},
                   {"policy", model.policy},
                   {"start", start_text(model)},
                   {"restart", options.restart},
                   {"samples", options.samples},
                   {"replications", options.replications},
                   {"confidence", options.confidence},
                   {"seed", options.seed},
                   {"step", options.step.to_string()},
                   {"initial", options.initial},
                   {"tables", std::move(rows)}};
  if (names.has_states()) document["state_names"] = names.states();
  return document;
}

std::string study_text(const StudyArguments& options, const StudyModel& model,
                       const studies::ModelStudyTables& tables) {
  const Mdp& mdp = model.loaded.model;
  return fmt::format(
      "{}: {}, {}, {}; policy: {}\n"
      "{} of {} each, from {}; distances are weighted by how often states are visited\n\n"
      "Computed exactly (gamma below: where the paper guarantees td):\n\n{}\n"
      "Learned, at the end (mean over runs):\n\n{}{}{}",
      model.name, io::counted(mdp.states(), "state"),
      io::counted(mdp.outcomes().rows(), "state-action pair"),
      io::counted(mdp.outcomes().size(), "outcome"), model.policy,
      io::counted(options.replications, "run"), io::counted(options.samples, "update"),
      model.start ? "state " + start_text(model) : "a random state", setting_table(tables.settings),
      end_table(tables.ends), divergence_text(tables.ends), not_met_text(tables.conditions));
}

}  // namespace shortfall::app
