import { panel_grid } from "../panels.js";
import { compare, distinct } from "../sorting.js";
import {
  colour_channel,
  decades,
  empty_chart,
  legend_columns,
  thinned,
  WIDE_LABELS,
} from "./series.js";

/** Smaller weights are drawn at the place. */
const LEAST = 1e-6;

const ALGORITHMS = { td: "TD", "averager-td": "averager TD" };
const LABELS = Object.values(ALGORITHMS);

/**
 * The size of the weight of the counterexample by iteration, from several starts: one panel per
 * (root, p), one colour per algorithm. Both axes are logarithmic.
 * @param {Object[]} paths with p, root, algorithm, start, iteration and theta
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function averager_paths(paths, context) {
  const rows = paths
    .filter(({ theta }) => typeof theta === "number")
    .map((row) => ({
      ...row,
      series: ALGORITHMS[row.algorithm],
      size: Math.max(LEAST, Math.abs(row.theta)),
    }));
  if (rows.length === 0) return empty_chart("No paths to show", context.width);
  const pairs = new Map(rows.map(({ p, root }) => [`${root} ${p}`, { p, root }]));
  const panels = [...pairs.values()].sort((a, b) => compare(b.root, a.root) || compare(a.p, b.p));
  const times = rows.map((row) => row.iteration);
  const all = decades(Math.min(...times), Math.max(...times));
  const sizes = rows.map((row) => row.size);
  const tens = decades(Math.min(...sizes), Math.max(...sizes));
  const layout = { columns: Math.min(3, distinct(rows, "p").length) };
  return panel_grid(panels, context, layout, ({ p, root }, place) => ({
    title: `p = ${p}, ${root} root`,
    height: 170,
    data: { values: rows.filter((row) => row.p === p && row.root === root) },
    mark: { type: "line", strokeWidth: 1.6, opacity: 0.9 },
    encoding: {
      ...position({ place, all, tens }),
      color: colour_channel("series", LABELS, context.theme.series, {
        columns: legend_columns(LABELS, context.width),
        symbolType: "stroke",
        symbolSize: 500,
      }),
      detail: { field: "start", type: "nominal" },
      tooltip: [
        { field: "series" },
        { field: "start" },
        { field: "iteration" },
        { field: "theta", title: "weight θ", format: ".3~g" },
      ],
    },
  }));
}

function position({ place, all, tens }) {
  return {
    x: {
      field: "iteration",
      type: "quantitative",
      scale: { type: "log", domain: [all[0], all[all.length - 1]], nice: false },
      axis: {
        title: place.is_bottom ? "iteration" : null,
        values: thinned(all, place.width < 220 ? 3 : 6),
        format: "~s",
        grid: false,
      },
    },
    y: {
      field: "size",
      type: "quantitative",
      scale: { type: "log", domain: [tens[0], tens[tens.length - 1]], nice: false },
      axis: {
        title: place.is_left ? "|weight θ|" : null,
        values: thinned(tens, 6),
        labelExpr: WIDE_LABELS,
        minExtent: 44,
      },
    },
  };
}
