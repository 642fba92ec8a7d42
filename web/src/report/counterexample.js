import { chart_view } from "../chart_view.js";
import { drift_lines } from "../charts/drift_lines.js";
import { sample_paths } from "../charts/sample_paths.js";
import { count, significant } from "../format.js";
import { PanelChoice } from "../panels.js";
import { sortable_table } from "../sortable_table.js";

/**
 * The counterexample, in which learning does not converge.
 * @param {Object} study counterexample
 * @returns {HTMLElement[]}
 */
export function counterexample({ study, tables }) {
  const { drift = [], paths = [], paths_summary: means = [] } = tables;
  const parts = [];
  if (drift.length > 0) parts.push(drift_chart(study, drift));
  if (means.length > 0) parts.push(path_chart(study, paths, means), end_table(study, means));
  return parts;
}

function drift_chart(study, rows) {
  return chart_view({
    name: `${study}-drift`,
    title: "Expected drift of the weight",
    caption:
      "Expected change of the single weight as a function of its value. The correct weight is 0. " +
      "Where the drift is positive the weight increases, where it is negative the weight decreases. " +
      "For negative weights the drift is so large that the lines leave the plot.",
    rows,
    build: (context) => drift_lines(rows, context),
  });
}

function path_chart(study, paths, means) {
  const choice = new PanelChoice(means, [
    { key: "p", label: "p" },
    { key: "root", label: "Root" },
  ]);
  return chart_view({
    name: `${study}-paths`,
    title: "Sample paths of the weight",
    caption:
      "Simulated paths of the weight (thin) and their mean (thick) by iteration; both axes are " +
      "logarithmic. Paths that differ little may hide their mean. The correct weight is 0.",
    rows: paths,
    controls: choice.controls,
    build: (context) => {
      const shows = (row) => choice.shows(row);
      return sample_paths({ paths: paths.filter(shows), means: means.filter(shows) }, context);
    },
  });
}

function direction(sign) {
  if (sign === 0) return "none";
  return sign > 0 ? "up, away from 0" : "down, toward 0";
}

function end_table(study, means) {
  const last = new Map(means.map((row) => [`${row.p} ${row.root}`, row]));
  return sortable_table({
    name: `${study}-ends`,
    caption: "Mean weight at the last iteration",
    rows: [...last.values()],
    columns: [
      { key: "p", label: "p" },
      { key: "root", label: "Root" },
      { key: "iteration", label: "Iteration", format: count },
      {
        key: "mean_theta",
        label: "Mean weight",
        format: (value) => significant(value, 4),
        text: false,
      },
      {
        key: "standard_error",
        label: "± s.e.",
        format: (value) => significant(value, 2),
        text: false,
      },
      { key: "drift_sign", label: "Drift", format: direction, text: true },
    ],
  });
}
