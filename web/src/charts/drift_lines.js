import { panel_grid } from "../panels.js";
import { distinct } from "../sorting.js";
import { colour_channel, dash_channel, legend_columns, WIDE_LABELS } from "./series.js";

/**
 * The expected drift of the single weight of the counterexample as a function of the weight: one
 * panel per root, one line per probability p. The axis fits weights above 0, which decide
 * convergence: for negative weights the drift is many times larger and the lines leave the panel.
 * @param {Object[]} drift with p, root, theta, drift
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function drift_lines(drift, context) {
  const roots = distinct(drift, "root").reverse();
  const labels = distinct(drift, "p").map((p) => `p = ${p}`);
  const rows = drift.map((row) => ({ ...row, label: `p = ${row.p}` }));
  const { theme, width } = context;
  const legend = { columns: legend_columns(labels, width), symbolSize: 500, symbolType: "stroke" };
  const layout = { columns: roots.length, spacing: 28 };
  return panel_grid(roots, context, layout, (root, { is_left }) => ({
    title: `${root} root`,
    height: 220,
    layer: [
      {
        data: { values: [{ drift: 0 }] },
        mark: { type: "rule", color: theme.muted },
        encoding: { y: { field: "drift", type: "quantitative" } },
      },
      {
        data: { values: rows.filter((row) => row.root === root) },
        mark: { type: "line", strokeWidth: 2, clip: true },
        encoding: {
          x: {
            field: "theta",
            type: "quantitative",
            axis: { title: "weight θ", grid: false, tickCount: 6 },
          },
          y: {
            field: "drift",
            type: "quantitative",
            scale: { domain: drift_domain(rows.filter((row) => row.root === root)), nice: false },
            axis: {
              title: is_left ? "expected drift" : null,
              tickCount: 5,
              labelExpr: WIDE_LABELS,
              minExtent: 30,
            },
          },
          color: colour_channel("label", labels, theme.series, legend),
          strokeDash: dash_channel("label", labels, legend),
        },
      },
    ],
  }));
}

/** The range of the drift for nonnegative weights, including zero, with a margin. */
function drift_domain(rows) {
  const values = rows.filter((row) => row.theta >= 0).map((row) => row.drift);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const margin = 0.1 * (high - low || 1);
  return [low - margin, high + margin];
}
