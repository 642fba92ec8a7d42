import { chart_view } from "../chart_view.js";
import { gap_dots } from "../charts/gap_dots.js";
import { printed_difference } from "../charts/printed_difference.js";
import { bound, fixed, significant } from "../format.js";
import { PanelChoice } from "../panels.js";
import { sortable_table } from "../sortable_table.js";
import { open_choices, trained_gaps } from "./trained_tables.js";

const POLICIES = ["Optimal", "Static", "Myopic", "RN", "TD", "Newton"];
const GAPS = [
  { key: "paper_gap_percent", label: "paper" },
  { key: "ours_gap_percent", label: "here, paper's stopping rule" },
  { key: "true_gap_percent", label: "here, converged" },
];
const IMPROVEMENT = [
  { key: "sampled_true_gap_percent", label: "sampled improvement" },
  { key: "true_gap_percent", label: "exact improvement" },
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
  const { cells = [], summary = [], trained = [], choices = [], exact_improvement = [] } = tables;
  const parts = [];
  if (cells.length > 0) parts.push(gap_chart(study, cells), difference_chart(study, cells));
  if (summary.length > 0) parts.push(summary_table(study, summary));
  if (cells.length > 0) parts.push(cell_table(study, cells));
  if (trained.length > 0) parts.push(...trained_gaps(study, trained));
  if (choices.length > 0) parts.push(open_choices(study, choices));
  if (exact_improvement.length > 0) parts.push(...improvement(study, exact_improvement));
  return parts;
}

function gap_chart(study, cells) {
  const rows = cells.filter((cell) => cell.policy !== "Optimal");
  const choice = new PanelChoice(rows, [{ key: "policy", label: "Policy", phone: "Myopic" }]);
  return chart_view({
    name: `${study}-gaps`,
    title: "Gap to the optimum by policy",
    caption:
      "Gap at the empty stock, in percent, for every risk level and cost setting (order, holding, " +
      "shortage, wastage). Each panel has its own axis, stretched near zero. TD and Newton are " +
      "trained as published.",
    rows,
    controls: choice.controls,
    build: (context) => {
      const shown = choice.values("policy");
      const panels = POLICIES.filter((policy) => shown.includes(policy));
      return gap_dots({ rows, panel_key: "policy", panels, series: GAPS }, context);
    },
  });
}

function difference_chart(study, cells) {
  const known = POLICIES.filter((policy) => cells.some((cell) => cell.policy === policy));
  const rows = known.flatMap((policy) => cells.filter((cell) => cell.policy === policy));
  return chart_view({
    name: `${study}-difference`,
    title: "Difference from the printed values",
    caption:
      "Each mark is one setting; on the line, our value equals the printed one. TD and Newton learn " +
      "from random samples, so their values may differ.",
    rows,
    build: (context) => printed_difference(rows, context),
  });
}

function summary_table(study, rows) {
  return sortable_table({
    name: `${study}-summary`,
    caption: "Agreement and worst gaps by policy, in percent",
    rows,
    columns: [
      { key: "policy", label: "Policy" },
      { key: "cells", label: "Cells" },
      { key: "matching", label: "Equal to the printed digit", text: false },
      { key: "paper_worst_gap_percent", label: "Worst gap, paper", format: two, text: false },
      { key: "ours_worst_gap_percent", label: "Worst gap, same rule", format: two, text: false },
      { key: "true_worst_gap_percent", label: "Worst gap, converged", format: small, text: false },
      { key: "true_mean_gap_percent", label: "Mean gap, converged", format: small, text: false },
    ],
  });
}

function cell_table(study, rows) {
  const differs = (row) => row.matches === false;
  return sortable_table({
    name: `${study}-cells`,
    caption: "All cells of the table",
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
      { key: "matches", label: "Printed digits", format: matches },
      { key: "paper_gap_percent", label: "Gap %, paper", format: two },
      { key: "ours_gap_percent", label: "Gap %, same rule", format: two },
      { key: "true_gap_percent", label: "Gap %, converged", format: two },
      { key: "converged", label: "Converged", format: (value) => fixed(value, 4) },
      { key: "error_bound", label: "Error bound", format: bound },
    ],
  });
}

function improvement(study, all) {
  const rows = all.map((row) => ({ ...row, panel: `${row.algorithm}, ${row.training}` }));
  const choice = new PanelChoice(rows, [
    { key: "panel", label: "Training", phone: "Newton, as published" },
  ]);
  const chart = chart_view({
    name: `${study}-improvement`,
    title: "Exact and sampled policy improvement",
    caption:
      "True gap of the learned policies with an exact improvement step and with one from 50 samples, " +
      "trained as published and by our training.",
    rows,
    controls: choice.controls,
    build: (context) =>
      gap_dots(
        { rows, panel_key: "panel", panels: choice.values("panel"), series: IMPROVEMENT },
        context,
      ),
  });
  const table = sortable_table({
    name: `${study}-exact-improvement`,
    caption: "Exact and sampled improvement",
    rows,
    filters: [
      { key: "cost", label: "Cost" },
      { key: "tau", label: "τ" },
      { key: "algorithm", label: "Algorithm" },
      { key: "training", label: "Training" },
    ],
    columns: [
      { key: "tau", label: "τ" },
      { key: "cost", label: "Cost" },
      { key: "algorithm", label: "Algorithm" },
      { key: "training", label: "Training" },
      { key: "value", label: "Value, exact step", format: (value) => fixed(value, 3) },
      { key: "true_gap_percent", label: "Gap %, exact step", format: (value) => fixed(value, 3) },
      {
        key: "sampled_true_gap_percent",
        label: "Gap %, sampled step",
        format: (value) => fixed(value, 3),
      },
    ],
  });
  return [chart, table];
}
