import { chart_view } from "../chart_view.js";
import { drift_lines } from "../charts/drift_lines.js";
import { sample_paths } from "../charts/sample_paths.js";
import { count, significant } from "../format.js";
import { PanelChoice } from "../panels.js";
import { sortable_table } from "../sortable_table.js";

/**
 * The example in which learning does not converge.
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
    title: "Where the weight is driven",
    caption:
      "Expected change of the one weight, by its value. The right answer is 0: below the line the " +
      "weight is driven down, above it up, and on it it stays where it is. Weights below 0 are driven " +
      "up so much harder that their lines leave the picture.",
    rows,
    build: (around) => drift_lines(rows, around),
  });
}

function path_chart(study, paths, means) {
  const choice = new PanelChoice(means, [
    { key: "p", label: "p" },
    { key: "root", label: "Root" },
  ]);
  return chart_view({
    name: `${study}-paths`,
    title: "What the weight does",
    caption:
      "Simulated paths of the weight (thin) and their mean (thick), by iteration, both axes " +
      "logarithmic. Paths differ so little that they may cover their mean. The right answer is 0.",
    rows: paths,
    controls: choice.controls,
    build: (around) => {
      const shows = (row) => choice.shows(row);
      return sample_paths({ paths: paths.filter(shows), means: means.filter(shows) }, around);
    },
  });
}

function direction(sign) {
  if (sign === 0) return "nowhere";
  return sign > 0 ? "up, away from 0" : "down, to 0";
}

function end_table(study, means) {
  const last = new Map(means.map((row) => [`${row.p} ${row.root}`, row]));
  return sortable_table({
    name: `${study}-ends`,
    caption: "The mean at the last iteration",
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
      { key: "drift_sign", label: "Driven", format: direction, text: true },
    ],
  });
}
