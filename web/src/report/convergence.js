import { chart_view } from "../chart_view.js";
import { convergence_panels } from "../charts/convergence_panels.js";
import { count, fixed, NO_VALUE, significant } from "../format.js";
import { PanelChoice } from "../panels.js";
import { sortable_table } from "../sortable_table.js";

/**
 * Convergence of the learning algorithms, for one family of losses.
 * @param {Object} study figure-expectile or figure-soft-quantile
 * @returns {HTMLElement[]}
 */
export function convergence({ study, tables }) {
  const level = study === "figure-soft-quantile" ? "mu" : "tau";
  const name = level === "mu" ? "μ" : "τ";
  const { curves = [], settings = [], ends = [] } = tables;
  const parts = [];
  if (curves.length > 0) parts.push(curve_chart({ study, level, name, curves, settings }));
  if (settings.length > 0) parts.push(setting_table({ study, level, name, rows: settings }));
  if (ends.length > 0) parts.push(end_table({ study, level, name, rows: ends }));
  return parts;
}

function curve_chart({ study, level, name, curves, settings }) {
  const choice = new PanelChoice(settings, [
    { key: level, label: name },
    { key: "gamma", label: "γ" },
    { key: "d", label: "d", phone: 10 },
  ]);
  // Ten features represent every value function, five do not: show the easier case first.
  const ordered = [...settings].sort(
    (a, b) => b.d - a.d || a.gamma - b.gamma || a[level] - b[level],
  );
  return chart_view({
    name: `${study}-curves`,
    title: "Distance to the projected values by iteration",
    caption:
      "Mean over runs with a band of one standard error; both axes are logarithmic. The horizontal " +
      "dashed line marks the exact fixed point of the method, if its distance is not 0. Each subtitle " +
      "says whether the condition on γ holds. A cross marks a curve for which at least one run " +
      "diverged.",
    rows: curves,
    controls: choice.controls,
    build: (context) => {
      const shown = ordered.filter((setting) => choice.shows(setting));
      const levels = choice.values(level);
      return convergence_panels({ level, curves, settings: shown, levels }, context);
    },
  });
}

function setting_table({ study, level, name, rows }) {
  return sortable_table({
    name: `${study}-settings`,
    caption: "Settings: the condition on γ and the fixed point",
    rows,
    columns: [
      { key: level, label: name },
      { key: "gamma", label: "γ" },
      { key: "d", label: "d" },
      { key: "gamma_limit", label: "γ must be below", format: (value) => fixed(value, 3) },
      {
        key: "condition_holds",
        label: "Condition",
        format: (value) => (value ? "✓ holds" : "✕ fails"),
      },
      { key: "value_norm", label: "Norm of values", format: (value) => significant(value, 4) },
      {
        key: "fixed_point_distance",
        label: "Fixed-point distance",
        // Anything smaller is rounding error.
        format: (value) => (value !== null && Math.abs(value) < 1e-8 ? "0" : significant(value, 3)),
        text: false,
      },
      { key: "fixed_point_status", label: "Fixed-point status" },
    ],
  });
}

function end_table({ study, level, name, rows }) {
  const diverged = (value) => (value > 0 ? `✕ ${count(value)}` : "0");
  return sortable_table({
    name: `${study}-ends`,
    caption: "Final distances",
    rows,
    filters: [
      { key: level, label: name },
      { key: "gamma", label: "γ" },
      { key: "d", label: "d" },
      { key: "algorithm", label: "Algorithm" },
    ],
    columns: [
      { key: level, label: name },
      { key: "gamma", label: "γ" },
      { key: "d", label: "d" },
      { key: "algorithm", label: "Algorithm" },
      { key: "distance", label: "Distance", format: (value) => significant(value, 3), text: false },
      {
        key: "standard_error",
        label: "± s.e.",
        format: (value) => significant(value, 2),
        text: false,
      },
      { key: "diverged", label: "Runs diverged", format: diverged },
      {
        key: "iterations_to_threshold",
        label: "Iterations to threshold",
        format: (value) => (value === null ? "never" : count(value)),
        text: false,
      },
      {
        key: "threshold",
        label: "Threshold",
        format: (value) => (value === null ? NO_VALUE : significant(value, 3)),
      },
    ],
  });
}
