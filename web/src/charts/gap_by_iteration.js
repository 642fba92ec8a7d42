import { panel_grid } from "../panels.js";
import { distinct } from "../sorting.js";
import {
  colour_channel,
  dash_channel,
  decades,
  empty_chart,
  legend_columns,
  thinned,
} from "./series.js";

/** The smallest gap drawn, in percent: a logarithmic axis has no zero. */
export const SMALLEST_GAP = 0.001;

/**
 * The true gap of the policy after each iteration, in percent, on a logarithmic axis: one panel per
 * (cost, tau), one line per algorithm and training, and for training as published a band from the
 * minimum to the maximum over seeds.
 * @param {Object[]} gaps
 * @param {number} columns
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function gap_by_iteration(gaps, columns, context) {
  if (gaps.length === 0) return empty_chart("No gaps to show", context.width);
  const rows = gaps.map((row) => ({
    ...row,
    series: `${row.algorithm}, ${row.training}`,
    gap: Math.max(row.gap_percent, SMALLEST_GAP),
    least: Math.max(row.least_gap_percent, SMALLEST_GAP),
    most: Math.max(row.most_gap_percent, SMALLEST_GAP),
  }));
  const ticks = decades(
    Math.min(...rows.map((row) => row.least)),
    Math.max(...rows.map((row) => row.most)),
  );
  const settings = distinct(rows, "cost").flatMap((cost) =>
    distinct(rows, "tau").map((tau) => ({ cost, tau })),
  );
  const panels = settings
    .map(({ cost, tau }) => ({
      title: { text: `τ ${tau}`, subtitle: cost },
      rows: rows.filter((row) => row.cost === cost && row.tau === tau),
    }))
    .filter((panel) => panel.rows.length > 0);
  return panel_grid(panels, context, { columns }, (panel, place) =>
    panel_spec({ panel, ticks, context, place }),
  );
}

function panel_spec({ panel, ticks, context, place }) {
  const { theme } = context;
  const labels = ["TD, as published", "Newton, as published", "TD, ours", "Newton, ours"];
  const legend = {
    symbolSize: 500,
    symbolType: "stroke",
    columns: legend_columns(labels, context.width),
  };
  const colours = [theme.series[1], theme.series[0]];
  const y = {
    type: "quantitative",
    scale: { type: "log", domain: [ticks[0], ticks[ticks.length - 1]], nice: false },
    axis: {
      title: place.is_left ? "gap, %" : null,
      labels: place.is_left,
      values: thinned(ticks, 6),
      format: "~r",
    },
  };
  const x = {
    field: "iteration",
    type: "quantitative",
    axis: {
      title: place.is_bottom ? "iteration" : null,
      labels: place.is_bottom,
      grid: false,
      tickCount: 5,
    },
  };
  return {
    title: panel.title,
    height: place.width > 400 ? 260 : 150,
    data: {
      values: panel.rows.map((row) => ({ ...row, tint: colours[labels.indexOf(row.series) % 2] })),
    },
    layer: [
      {
        transform: [{ filter: "datum.training === 'as published'" }],
        mark: { type: "area", opacity: theme.name === "dark" ? 0.25 : 0.18 },
        encoding: {
          x,
          y: { ...y, field: "least" },
          y2: { field: "most" },
          fill: { field: "tint", type: "nominal", scale: null },
        },
      },
      {
        mark: { type: "line", strokeWidth: 2 },
        encoding: {
          x,
          y: { ...y, field: "gap" },
          color: colour_channel("series", labels, colours, legend),
          strokeDash: dash_channel("series", labels, legend),
        },
      },
    ],
  };
}
