import { fixed } from "../format.js";
import { panel_grid } from "../panels.js";
import { distinct } from "../sorting.js";
import { colour_channel, legend_columns, empty_chart, shape_channel, unpivot } from "./series.js";

const TICKS = [-10, -1, -0.1, 0, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/**
 * Gaps to the optimum by setting, in percent: one panel per policy, one row per setting, one mark
 * per series.
 * @param {Object} data
 * @param {Object[]} data.rows with tau, cost and the keys of the series
 * @param {string} data.panel_key
 * @param {string[]} data.panels values of `panel_key`, one panel each
 * @param {{key: string, label: string}[]} data.series two or three
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function gap_dots({ rows, panel_key, panels, series }, context) {
  // Different sizes keep coinciding marks visible.
  const sizes = series.length > 2 ? [95, 60, 22] : [70, 70];
  const dots = unpivot(
    rows.filter((row) => panels.includes(row[panel_key])),
    series,
  ).map((row) => ({
    ...row,
    setting: setting_of(row),
    shown: `${fixed(row.amount, 2)} %`,
    size: sizes[series.findIndex(({ label }) => label === row.series)],
  }));
  if (dots.length === 0) return empty_chart("No gaps to show", context.width);
  const settings = grouped_settings(dots);
  return panel_grid(panels, context, { columns: panels.length }, (panel, { is_left }) => {
    const values = dots.filter((dot) => dot[panel_key] === panel);
    return {
      title: panel,
      height: { step: 16 },
      data: { values },
      mark: { type: "point", strokeWidth: 1.7, opacity: 1 },
      encoding: encoding({ settings, series, context, is_left, domain: domain_of(values) }),
    };
  });
}

/** Each panel has its own axis: some policies have gaps hundreds of times larger than others. */
function domain_of(dots) {
  const amounts = dots.map((dot) => dot.amount);
  return [Math.min(0, ...amounts), Math.max(0.2, ...amounts)];
}

function encoding({ settings, series, context, is_left, domain }) {
  const labels = series.map(({ label }) => label);
  const { theme } = context;
  const colours = [theme.series[1], theme.series[0], theme.ink];
  const legend = { orient: "top", columns: legend_columns(labels, context.width) };
  const ticks = TICKS.filter((tick) => tick >= domain[0] && tick <= domain[1]);
  return {
    y: {
      field: "setting",
      type: "nominal",
      sort: null,
      scale: { domain: settings },
      axis: { title: null, labels: is_left, grid: false, ticks: false },
    },
    x: {
      field: "amount",
      type: "quantitative",
      scale: { type: "symlog", constant: 0.1, domain, nice: false },
      axis: { title: "gap, %", values: ticks, format: "~r", labelOverlap: "greedy" },
    },
    color: colour_channel("series", labels, colours, legend),
    shape: shape_channel("series", labels, ["circle", "cross", "diamond"], legend),
    size: { field: "size", type: "quantitative", scale: null },
    tooltip: [
      { field: "setting", title: "setting" },
      { field: "series", title: "source" },
      { field: "shown", title: "gap" },
    ],
  };
}

function setting_of({ tau, cost }) {
  return `τ ${tau} · ${cost}`;
}

/** The settings by risk level, then cost, with a blank row (a label of spaces) between levels. */
function grouped_settings(dots) {
  const costs = distinct(dots, "cost");
  return distinct(dots, "tau").flatMap((tau, i) => {
    const settings = costs.map((cost) => setting_of({ tau, cost }));
    return i === 0 ? settings : [" ".repeat(i), ...settings];
  });
}
