#include "apps/shortfall/study_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "apps/shortfall/text_table.hpp"

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
    for (double* v : {&value.value, &value.projection, &value.fixed_point}) {
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
  return end.intervals == 0.0 ? "not yet" : "-";
}

std::string setting_table(const std::vector<StudySetting>& settings) {
  TextTable table;
  table.add({"features", "d", "loss", "gamma", "norm of V", "V within", "best fit", "fixed point",
             "guaranteed"});
  for (const StudySetting& row : settings) {
    table.add(
        {row.features,
         row.rank < row.d ? fmt::format("{} (rank {})", row.d, row.rank) : fmt::format("{}", row.d),
         row.loss, fmt::format("{}", row.gamma), number_text(row.value_norm),
         fmt::format("{:.1e}", row.value_error_bound), number_text(row.projection_error),
         std::isfinite(row.fixed_point_distance) ? number_text(row.fixed_point_distance)
                                                 : row.fixed_point_status,
         row.guaranteed ? "yes" : "no"});
  }
  return table.text();
}

std::string end_table(const std::vector<StudyEnd>& ends) {
  TextTable table;
  table.add({"features", "loss", "gamma", "algorithm", "to V", "+- s.e.", "to its limit",
             "limit to V", "diverged", "coverage"});
  for (const StudyEnd& row : ends) {
    table.add({row.features, row.loss, fmt::format("{}", row.gamma), row.algorithm,
               number_text(row.to_value, row.diverged), number_text(row.to_value_standard_error),
               number_text(row.to_limit, row.diverged), number_text(row.limit_distance),
               fmt::format("{} of {}", row.diverged, row.runs), coverage_text(row)});
  }
  return table.text();
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
  std::string text = fmt::format(
      "{}: {} states, {} state-action pairs, {} outcomes; policy: {}\n"
      "{} runs of {} updates each, from {}; distances are weighted by how often states are "
      "visited\n\nComputed exactly:\n\n{}\nLearned, at the end (mean over runs):\n\n{}",
      model.name, mdp.states(), mdp.outcomes().rows(), mdp.outcomes().size(), model.policy,
      options.replications, options.samples,
      model.start ? "state " + start_text(model) : "a random state", setting_table(tables.settings),
      end_table(tables.ends));
  for (const studies::StudyCondition& row : tables.conditions) {
    if (row.holds) continue;
    const std::string line = fmt::format("\nnot met, {}: {}", row.assumption, row.reason);
    if (text.find(line) == std::string::npos) text += line;
  }
  if (!text.ends_with('\n')) text += '\n';
  return text + fmt::format("\nHTML report: {}/study.html\n", options.out);
}

}  // namespace shortfall::app
