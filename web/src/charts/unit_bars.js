import { edges, panel_grid } from "../panels.js";
import { unit_axis } from "./unit_axis.js";

/**
 * Probabilities by number of units: one panel per title.
 * @param {{title: ?string, rows: {units: number, probability: number}[]}[]} panels
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function unit_bars(panels, context) {
  const columns = Math.min(panels.length, context.full_width > 900 ? 4 : 2);
  const grid = panel_grid({ ...context, columns, widest: 980 });
  const most = Math.max(...panels.flatMap(({ rows }) => rows.map((row) => row.probability)));
  const concat = panels.map(({ title, rows }, i) => {
    const edge = edges(i, panels.length, grid.columns);
    return {
      ...(title ? { title } : {}),
      width: grid.width,
      height: panels.length === 1 ? 200 : 120,
      data: { values: rows },
      mark: { type: "bar", color: context.theme.series[0], cornerRadiusEnd: 1 },
      encoding: {
        x: unit_axis(rows.length, { width: grid.width, is_bottom: edge.is_bottom }),
        y: {
          field: "probability",
          type: "quantitative",
          scale: { domain: [0, most] },
          axis: {
            title: edge.is_left ? "probability" : null,
            labels: edge.is_left,
            format: ".0%",
            tickCount: 4,
          },
        },
        tooltip: [
          { field: "units", title: "units" },
          { field: "probability", type: "quantitative", title: "probability", format: ".1%" },
        ],
      },
    };
  });
  return { concat, columns: grid.columns, is_narrow: grid.is_narrow };
}
