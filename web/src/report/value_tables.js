import { chart_view } from "../chart_view.js";
import { gap_dots } from "../charts/gap_dots.js";
import { printed_difference } from "../charts/printed_difference.js";
import { fixed, significant } from "../format.js";
import { PanelChoice } from "../panels.js";
import { sortable_table } from "../sortable_table.js";

const POLICIES = ["Optimal", "Static", "Myopic", "RN", "TD", "Newton"];
const GAPS = [
  { key: "paper_gap_percent", label: "printed in the paper" },
  { key: "ours_gap_percent", label: "here, stopped as in the paper" },
  { key: "true_gap_percent", label: "here, converged" },
];
const IMPROVEMENT = [
  { key: "sampled_true_gap_percent", label: "improved from 50 samples" },
  { key: "true_gap_percent", label: "improved exactly" },
];

const two = (value) => fixed(value, 2);
const small = (value) =>
  value !== 0 && Math.abs(value) < 0.01 ? significant(value, 2) : fixed(value, 2);
const matches = (value) => (value === null ? "random" : value ? "✓ same" : "≠ differs");

/**
 * Values and gaps of policies at one shelf life.
 * @param {Object} study table-m3 or table-m5
 * @returns {HTMLElement[]}
 */
export function value_tables({ study, tables }) {
  const { cells = [], summary = [], exact_improvement = [] } = tables;
  const parts = [];
  if (cells.length > 0) parts.push(gap_chart(study, cells), difference_chart(study, cells));
  if (summary.length > 0) parts.push(summary_table(study, summary));
  if (cells.length > 0) parts.push(cell_table(study, cells));
  if (exact_improvement.length > 0) parts.push(...improvement(study, exact_improvement));
  return parts;
}

function gap_chart(study, cells) {
  const rows = cells.filter((cell) => cell.policy !== "Optimal");
  const choice = new PanelChoice(rows, [{ key: "policy", label: "Policy", phone: "Myopic" }]);
  return chart_view({
    name: `${study}-gaps`,
    title: "How far policies are from the optimum",
    caption:
      "Gap of each policy at the empty stock, in percent, for every risk level and cost setting " +
      "(order, holding, shortage, wastage). Each panel has an axis of its own, stretched near zero.",
    rows,
    controls: choice.controls,
    build: (around) => {
      const shown = choice.values("policy");
      const panels = POLICIES.filter((policy) => shown.includes(policy));
      return gap_dots({ rows, panel_key: "policy", panels, series: GAPS }, around);
    },
  });
}

function difference_chart(study, cells) {
  const known = POLICIES.filter((policy) => cells.some((cell) => cell.policy === policy));
  const rows = known.flatMap((policy) => cells.filter((cell) => cell.policy === policy));
  return chart_view({
    name: `${study}-difference`,
    title: "Our values against the printed ones",
    caption:
      "Each mark is a setting; on the line, our value is the printed one. TD and Newton are learned " +
      "from random samples, so theirs need not be.",
    rows,
    build: (around) => printed_difference(rows, around),
  });
}

function summary_table(study, rows) {
  return sortable_table({
    name: `${study}-summary`,
    caption: "By policy: agreement and worst gaps, in percent",
    rows,
    columns: [
      { key: "policy", label: "Policy" },
      { key: "cells", label: "Cells" },
      { key: "matching", label: "Same digits", text: false },
      { key: "paper_worst_gap_percent", label: "Worst gap, paper", format: two, text: false },
      { key: "ours_worst_gap_percent", label: "Worst, same rule", format: two, text: false },
      { key: "true_worst_gap_percent", label: "Worst, converged", format: small, text: false },
      { key: "true_mean_gap_percent", label: "Mean, converged", format: small, text: false },
    ],
  });
}

function cell_table(study, rows) {
  const differs = (row) => row.matches === false;
  return sortable_table({
    name: `${study}-cells`,
    caption: "Every cell of the table",
    rows,
    filters: [
      { key: "cost", label: "Cost" },
      { key: "tau", label: "τ" },
      { key: "policy", label: "Policy" },
    ],
    only: { label: "only cells that differ", keep: differs },
    columns: [
      { key: "tau", label: "τ" },
      { key: "cost", label: "Cost" },
      { key: "policy", label: "Policy" },
      { key: "paper", label: "Paper", format: two },
      {
        key: "ours",
        label: "Here, same rule",
        format: two,
        mark: (row) => (differs(row) ? "≠" : null),
      },
      { key: "matches", label: "Digits", format: matches },
      { key: "paper_gap_percent", label: "Gap %, paper", format: two },
      { key: "ours_gap_percent", label: "Gap %, same rule", format: two },
      { key: "true_gap_percent", label: "Gap %, converged", format: two },
      { key: "converged", label: "Converged", format: (value) => fixed(value, 4) },
      { key: "error_bound", label: "Within", format: (value) => significant(value, 1) },
    ],
  });
}

function improvement(study, rows) {
  const choice = new PanelChoice(rows, [{ key: "algorithm", label: "Algorithm", phone: "Newton" }]);
  const chart = chart_view({
    name: `${study}-improvement`,
    title: "What exact improvement would give",
    caption:
      "True gap of the learned policies when the improvement step is exact, and when it is sampled.",
    rows,
    controls: choice.controls,
    build: (around) =>
      gap_dots(
        { rows, panel_key: "algorithm", panels: choice.values("algorithm"), series: IMPROVEMENT },
        around,
      ),
  });
  const table = sortable_table({
    name: `${study}-exact-improvement`,
    caption: "Exact against sampled improvement",
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
      { key: "value", label: "Value, exact step", format: (value) => fixed(value, 3) },
      { key: "true_gap_percent", label: "Gap %, exact step", format: (value) => fixed(value, 3) },
      {
        key: "sampled_true_gap_percent",
        label: "Gap %, sampled",
        format: (value) => fixed(value, 3),
      },
    ],
  });
  return [chart, table];
}
