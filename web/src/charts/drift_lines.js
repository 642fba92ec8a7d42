import { edges, panel_grid } from "../panels.js";
import { distinct } from "../sorting.js";
import { colour_channel, dash_channel, legend_columns, WIDE_LABELS } from "./series.js";

/**
 * The expected drift of the one weight of the counterexample over that weight: one panel a root,
 * one line a probability p. The axis is made for weights above 0, on which everything depends: below
 * it the drift is many times as large, and the lines leave the panel.
 * @param {Object[]} drift with p, root, theta, drift
 * @param {import("../chart_view.js").Surroundings} around
 * @returns {Object} a Vega-Lite specification
 */
export function drift_lines(drift, around) {
  const roots = distinct(drift, "root").reverse();
  const labels = distinct(drift, "p").map((p) => `p = ${p}`);
  const rows = drift.map((row) => ({ ...row, label: `p = ${row.p}` }));
  const grid = panel_grid({ ...around, columns: roots.length, spacing: 28 });
  const { theme, width } = around;
  const legend = { columns: legend_columns(labels, width), symbolSize: 500, symbolType: "stroke" };
  const concat = roots.map((root, i) => ({
    title: `the ${root} root`,
    width: grid.width,
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
              title: edges(i, roots.length, grid.columns).is_left ? "expected drift" : null,
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
  return { concat, columns: grid.columns, spacing: 28, is_narrow: grid.is_narrow };
}

/** The range of the drift where the weight is not below 0, zero and a little more included. */
function drift_domain(rows) {
  const values = rows.filter((row) => row.theta >= 0).map((row) => row.drift);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const margin = 0.1 * (high - low || 1);
  return [low - margin, high + margin];
}
