import { duration } from "../format.js";
import { compare } from "../sorting.js";
import { colour_channel, decades, legend_columns, shape_channel, unpivot } from "./series.js";

const SERIES = [
  { key: "paper_seconds", label: "paper" },
  { key: "seconds", label: "here" },
];
const AT_LEAST = "paper (lower bound)";

/** Round durations for the axis. */
const TICK_LABELS = {
  0.00001: "10 µs",
  0.0001: "0.1 ms",
  0.001: "1 ms",
  0.01: "10 ms",
  0.1: "0.1 s",
  1: "1 s",
  10: "10 s",
  60: "1 min",
  600: "10 min",
  3600: "1 h",
  36000: "10 h",
  360000: "100 h",
};

/**
 * Seconds by shelf life and method, on a logarithmic axis: ours and the paper's.
 * @param {Object[]} cells with m, tau, method, training, paper_seconds, paper_is_lower_bound, seconds
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function runtime_dots(cells, context) {
  const dots = unpivot(cells, SERIES)
    .filter((dot) => dot.amount > 0)
    .map((dot) => ({
      ...dot,
      series: dot.series === "paper" && dot.paper_is_lower_bound ? AT_LEAST : dot.series,
      row: `m = ${dot.m} · ${dot.method}${dot.method === "VI" ? "" : `, ${dot.training}`}`,
      shown: duration(dot.amount),
    }));
  const labels = ["paper", AT_LEAST, "here"].filter((one) =>
    dots.some((dot) => dot.series === one),
  );
  const shapes = { paper: "circle", [AT_LEAST]: "triangle-right", here: "diamond" };
  const { theme, width } = context;
  const colours = { paper: theme.series[1], [AT_LEAST]: theme.series[1], here: theme.series[0] };
  const rows = [...dots].sort((a, b) => compare(a.m, b.m)).map((dot) => dot.row);
  const amounts = dots.map((dot) => dot.amount);
  const all = decades(Math.min(...amounts), Math.max(...amounts));
  const domain = [all[0], all[all.length - 1]];
  const in_range = (tick) => tick >= domain[0] && tick <= domain[1];
  const ticks = Object.keys(TICK_LABELS)
    .map(Number)
    .filter(in_range)
    .sort((a, b) => a - b);
  const legend = { columns: legend_columns(labels, width) };
  return {
    width,
    height: { step: 26 },
    data: { values: dots },
    mark: { type: "point", size: 75, strokeWidth: 1.8, opacity: 0.9 },
    encoding: {
      x: {
        field: "amount",
        type: "quantitative",
        scale: { type: "log", domain, nice: false },
        axis: {
          title: "time (logarithmic)",
          values: ticks,
          labelExpr: `(${JSON.stringify(TICK_LABELS)})[toString(datum.value)]`,
          labelOverlap: "greedy",
        },
      },
      y: {
        field: "row",
        type: "nominal",
        sort: null,
        scale: { domain: [...new Set(rows)] },
        axis: { title: null, grid: true, ticks: false },
      },
      color: colour_channel(
        "series",
        labels,
        labels.map((label) => colours[label]),
        legend,
      ),
      shape: shape_channel(
        "series",
        labels,
        labels.map((label) => shapes[label]),
        legend,
      ),
      tooltip: [
        { field: "row", title: "method" },
        { field: "tau" },
        { field: "series", title: "source" },
        { field: "shown", title: "time" },
      ],
    },
  };
}
