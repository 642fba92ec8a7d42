import { edges, panel_grid } from "../panels.js";
import { compare, distinct } from "../sorting.js";
import { decades, empty_chart, thinned, WIDE_LABELS } from "./series.js";

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
  const columns = distinct(means, "root").length;
  const grid = panel_grid({ ...context, columns });
  const times = means.map((row) => row.iteration).filter((iteration) => iteration >= 1);
  const all = decades(Math.min(...times), Math.max(10, ...times));
  const range = [all[0], all[all.length - 1]];
  const ticks = thinned(all, grid.width < 220 ? 3 : 6);
  const values = [...paths.map((row) => row.theta), ...means.map((row) => row.mean_theta)];
  const axis = y_axis(values.filter((value) => value !== null));
  const concat = panels.map((panel, i) => {
    const is_here = (row) => row.p === panel.p && row.root === panel.root;
    const edge = edges(i, panels.length, grid.columns);
    const usable = (row) => is_here(row) && row.iteration >= 1;
    return panel_spec({
      title: `p = ${panel.p}, ${panel.root} root`,
      paths: paths.filter((row) => usable(row) && row.theta !== null),
      means: means.filter((row) => usable(row) && row.mean_theta !== null),
      position: position({ ticks, range, edge, y: axis }),
      width: grid.width,
      theme: context.theme,
    });
  });
  return { concat, columns: grid.columns, is_narrow: grid.is_narrow };
}

function panel_spec({ title, paths, means, position, width, theme }) {
  const y = (field) => ({ ...position, y: { ...position.y, field } });
  return {
    title,
    width,
    height: 150,
    layer: [
      {
        data: { values: means },
        mark: { type: "line", strokeWidth: 5, color: theme.series[1] },
        encoding: y("mean_theta"),
      },
      {
        data: { values: paths },
        mark: { type: "line", strokeWidth: 1, opacity: 0.7, color: theme.series[0] },
        encoding: { ...y("theta"), detail: { field: "path", type: "nominal" } },
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
  return { scale: { type: "log", domain, nice: false }, values: values_in };
}

function position({ ticks, range, edge, y: { scale, ...axis } }) {
  return {
    x: {
      field: "iteration",
      type: "quantitative",
      scale: { type: "log", domain: range, nice: false },
      axis: {
        title: edge.is_bottom ? "iteration" : null,
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
        title: edge.is_left ? "weight θ" : null,
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
