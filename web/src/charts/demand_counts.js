import { edges, panel_grid } from "../panels.js";
import { unit_axis } from "./unit_axis.js";

/**
 * Recorded days by demand as bars, lighter where the stock ran out, and as many as the plan expects
 * as dots: one panel per title.
 * @param {{title: ?string, rows: {units: number, known: number, at_least: number,
 *   expected: number}[]}[]} panels
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function demand_counts(panels, context) {
  const columns = Math.min(panels.length, context.full_width > 900 ? 4 : 2);
  const grid = panel_grid({ ...context, columns, widest: 980 });
  const { theme } = context;
  const concat = panels.map(({ title, rows }, i) => {
    const edge = edges(i, panels.length, grid.columns);
    // Demand that neither occurred nor is expected takes no room.
    const last = rows.reduce(
      (most, row) =>
        row.known + row.at_least > 0 || row.expected >= 0.05 ? Math.max(most, row.units) : most,
      1,
    );
    const shown = rows
      .filter((row) => row.units <= last)
      .map((row) => ({ ...row, all: row.known + row.at_least }));
    const x = unit_axis(shown.length, { width: grid.width, is_bottom: edge.is_bottom });
    const y = (field) => ({
      field,
      type: "quantitative",
      axis: { title: edge.is_left ? "days" : null, tickCount: 4 },
    });
    const tooltip = [
      { field: "units", title: "units" },
      { field: "known", title: "recorded days" },
      { field: "at_least", title: "days with a stock-out" },
      { field: "expected", type: "quantitative", title: "expected days", format: ".1f" },
    ];
    return {
      ...(title ? { title } : {}),
      width: grid.width,
      height: panels.length === 1 ? 200 : 120,
      data: { values: shown },
      layer: [
        {
          mark: { type: "bar", color: theme.series[0], opacity: 0.3, cornerRadiusEnd: 1 },
          encoding: { x, y: y("all"), tooltip },
        },
        {
          mark: { type: "bar", color: theme.series[0] },
          encoding: { x, y: y("known"), tooltip },
        },
        {
          mark: { type: "point", filled: true, size: 36, opacity: 1, color: theme.series[1] },
          encoding: { x, y: y("expected"), tooltip },
        },
      ],
    };
  });
  return { concat, columns: grid.columns, is_narrow: grid.is_narrow };
}
