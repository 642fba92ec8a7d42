import { panel_grid } from "../panels.js";
import { colour_channel, dash_channel, legend_columns, empty_chart } from "./series.js";

/** The costliest runs are not shown: a few of them would compress the rest of the axis. */
const SHOWN = 0.995;

/**
 * Cumulative distributions of cost: one panel per group, one line per series. The costliest 0.5 %
 * are not shown.
 * @param {Object} data
 * @param {{title: ?string, rows: {series: string, discounted_cost: number, probability: number}[]}[]}
 *   data.panels
 * @param {number} [data.columns] of panels; default: all in one row
 * @param {string[]} data.labels the series, in legend order
 * @param {string} data.x_title
 * @param {string} data.y_title
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function cost_distribution(
  { panels, columns = panels.length, labels, x_title, y_title },
  context,
) {
  if (panels.length === 0) return empty_chart("Nothing to show", context.width);
  const { theme } = context;
  const legend = {
    columns: legend_columns(labels, context.width),
    symbolSize: 500,
    symbolType: "stroke",
  };
  const layout = { columns, widest: 980 };
  return panel_grid(panels, context, layout, ({ title, rows }, { is_left }) => {
    const in_range = rows.filter((row) => row.discounted_cost !== null && row.probability <= SHOWN);
    return {
      ...(title ? { title } : {}),
      height: panels.length === 1 ? 280 : 220,
      data: { values: in_range },
      mark: { type: "line", strokeWidth: 2, interpolate: "linear" },
      encoding: {
        x: {
          field: "discounted_cost",
          type: "quantitative",
          scale: { zero: false },
          axis: { title: x_title, grid: false, tickCount: 5 },
        },
        y: {
          field: "probability",
          type: "quantitative",
          scale: { domain: [0, 1] },
          axis: { title: is_left ? y_title : null, labels: is_left, format: ".0%", tickCount: 5 },
        },
        order: { field: "probability", type: "quantitative" },
        color: colour_channel("series", labels, theme.series, legend),
        strokeDash: dash_channel("series", labels, legend),
      },
    };
  });
}
