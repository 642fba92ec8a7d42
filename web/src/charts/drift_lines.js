import { edges, panel_grid } from "../panels.js";
import { distinct } from "../sorting.js";
import { colour_channel, dash_channel, legend_columns, WIDE_LABELS } from "./series.js";

/**
 * The expected drift of the one weight of the counterexample over that weight: one panel a root,
 * one line a probability p.
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
        mark: { type: "line", strokeWidth: 2 },
        encoding: {
          x: { field: "theta", type: "quantitative", axis: { title: "weight θ", grid: false } },
          y: {
            field: "drift",
            type: "quantitative",
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
