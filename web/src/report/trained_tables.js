import { chart_view } from "../chart_view.js";
import { gap_dots } from "../charts/gap_dots.js";
import { count, fixed, significant } from "../format.js";
import { PanelChoice } from "../panels.js";
import { sortable_table } from "../sortable_table.js";

const COLUMNS = [
  { key: "paper", label: "paper" },
  { key: "published_by_rule", label: "here, trained as published" },
  { key: "ours_by_rule", label: "here, our training" },
];

const small = (value) =>
  value !== 0 && Math.abs(value) < 0.01 ? significant(value, 2) : fixed(value, 2);

/**
 * Trained policies in two columns, as published and ours.
 * @param {string} study
 * @param {Object[]} rows the table `trained`
 * @returns {HTMLElement[]}
 */
export function trained_gaps(study, rows) {
  const choice = new PanelChoice(rows, [{ key: "algorithm", label: "Algorithm", phone: "Newton" }]);
  const chart = chart_view({
    name: `${study}-trained`,
    title: "Trained policies, as published and ours",
    caption:
      "Gap at the empty stock after the last iteration, in percent, under the paper's stopping rule.",
    rows,
    controls: choice.controls,
    build: (context) =>
      gap_dots(
        { rows, panel_key: "algorithm", panels: choice.values("algorithm"), series: COLUMNS },
        context,
      ),
  });
  const table = sortable_table({
    name: `${study}-trained`,
    caption: "Gaps of trained policies, in percent",
    rows,
    filters: [
      { key: "cost", label: "Cost" },
      { key: "tau", label: "τ" },
      { key: "algorithm", label: "Algorithm" },
    ],
    columns: [
      { key: "tau", label: "τ" },
      { key: "cost", label: "Cost" },
      { key: "algorithm", label: "Algorithm" },
      { key: "paper", label: "Paper", format: small },
      { key: "published_by_rule", label: "As published, same rule", format: small },
      { key: "ours_by_rule", label: "Ours, same rule", format: small },
      { key: "published", label: "As published, converged", format: small },
      { key: "ours", label: "Ours, converged", format: small },
      { key: "least_published", label: "Smallest over open choices", format: small },
      { key: "most_published", label: "Largest over open choices", format: small },
      { key: "singular", label: "Singular trajectories", format: count },
      { key: "diverged", label: "Diverged", format: count },
    ],
  });
  return [chart, table];
}

/**
 * What the paper leaves open, and what depends on it.
 * @param {string} study
 * @param {Object[]} rows the table `choices`
 * @returns {HTMLElement}
 */
export function open_choices(study, rows) {
  const by_rule = rows.some((row) => "worst_gap_by_rule_percent" in row);
  return sortable_table({
    name: `${study}-choices`,
    caption: "What the paper leaves open: gaps of the last iteration by choice, in percent",
    rows,
    filters: [{ key: "algorithm", label: "Algorithm" }],
    columns: [
      { key: "algorithm", label: "Algorithm" },
      { key: "choice", label: "Training" },
      "settings" in rows[0]
        ? { key: "settings", label: "Settings", format: count }
        : { key: "trainings", label: "Trainings", format: count },
      { key: "mean_gap_percent", label: "Mean gap", format: small },
      { key: "worst_gap_percent", label: "Worst gap", format: small },
      ...(by_rule
        ? [{ key: "worst_gap_by_rule_percent", label: "Worst gap, paper's rule", format: small }]
        : []),
      { key: "singular", label: "Singular trajectories", format: count },
      { key: "diverged", label: "Diverged", format: count },
    ],
  });
}
