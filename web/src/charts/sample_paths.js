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

const LINES = ["mean of all paths", "a path"];

/**
 * Sample paths of the weight of the counterexample (thin) and their mean (thick) by iteration: one
 * panel per (root, p), all with the same axes.
 * @param {{paths: Object[], means: Object[]}} data rows of `paths` and `paths_summary` shown
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function sample_paths({ paths, means }, context) {
  const panels = distinct_pairs(means);
  if (panels.length === 0) return empty_chart("No paths to show", context.width);
  const times = means.map((row) => row.iteration).filter((iteration) => iteration >= 1);
  const all = decades(Math.min(...times), Math.max(10, ...times));
  const range = [all[0], all[all.length - 1]];
  const values = [...paths.map((row) => row.theta), ...means.map((row) => row.mean_theta)];
  const axis = y_axis(values.filter((value) => value !== null));
  const layout = { columns: distinct(means, "root").length };
  return panel_grid(panels, context, layout, (panel, place) => {
    const is_here = (row) => row.p === panel.p && row.root === panel.root;
    const ticks = thinned(all, place.width < 220 ? 3 : 6);
    const usable = (row) => is_here(row) && row.iteration >= 1;
    return panel_spec({
      title: `p = ${panel.p}, ${panel.root} root`,
      paths: paths.filter((row) => usable(row) && row.theta !== null),
      means: means.filter((row) => usable(row) && row.mean_theta !== null),
      position: position({ ticks, range, place, y: axis }),
      width: place.width,
      theme: context.theme,
    });
  });
}

function panel_spec({ title, paths, means, position, width, theme }) {
  const legend = { columns: legend_columns(LINES, 2 * width), symbolType: "stroke" };
  const colours = [theme.series[1], theme.series[0]];
  const channels = (field) => ({
    ...position,
    y: { ...position.y, field },
    color: colour_channel("line", LINES, colours, legend),
  });
  const named = (rows, line) => rows.map((row) => ({ ...row, line }));
  return {
    title,
    width,
    height: 150,
    layer: [
      {
        data: { values: named(means, LINES[0]) },
        mark: { type: "line", strokeWidth: 5 },
        encoding: channels("mean_theta"),
      },
      {
        data: { values: named(paths, LINES[1]) },
        mark: { type: "line", strokeWidth: 1, opacity: 0.7 },
        encoding: { ...channels("theta"), detail: { field: "path", type: "nominal" } },
      },
    ],
  };
}

/** Logarithmic if all values are positive, otherwise symlog. */
function y_axis(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (!(low > 0)) return { scale: { type: "symlog", constant: 0.1 }, tickCount: 5 };
  const all = decades(low, high);
  if (high / low > 100) {
    const scale = { type: "log", domain: [all[0], all[all.length - 1]], nice: false };
    return { scale, values: thinned(all, 6) };
  }
  const domain = [0.9 * low, 1.1 * high];
  const steps = all.flatMap((ten) => [ten, 2 * ten, 5 * ten]);
  const values_in = steps.filter((step) => step >= domain[0] && step <= domain[1]);
  const scale = { type: "log", domain, nice: false };
  return { scale, values: values_in.length > 2 ? values_in : even_ticks(domain) };
}

/** Two to five ticks at equal distances. */
function even_ticks([low, high]) {
  const least = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= least);
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

function position({ ticks, range, place, y: { scale, ...axis } }) {
  return {
    x: {
      field: "iteration",
      type: "quantitative",
      scale: { type: "log", domain: range, nice: false },
      axis: {
        title: place.is_bottom ? "iteration" : null,
        values: ticks,
        format: "~s",
        grid: false,
      },
    },
    y: {
      type: "quantitative",
      scale,
      axis: {
        ...axis,
        title: place.is_left ? "weight θ" : null,
        labelExpr: WIDE_LABELS,
        minExtent: 44,
      },
    },
  };
}

function distinct_pairs(rows) {
  const pairs = new Map(rows.map(({ p, root }) => [`${root} ${p}`, { p, root }]));
  return [...pairs.values()].sort((a, b) => compare(a.p, b.p) || compare(b.root, a.root));
}
