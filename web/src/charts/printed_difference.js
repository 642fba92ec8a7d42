import { fixed, signed } from "../format.js";
import { colour_channel, legend_columns, empty_chart, shape_channel, unpivot } from "./series.js";

const KINDS = [
  { key: "ours", label: "here, paper's stopping rule" },
  { key: "converged", label: "here, converged" },
];

/**
 * The difference of our values from the printed ones, in percent, by policy.
 * @param {Object[]} cells with policy, paper, ours, converged
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function printed_difference(cells, context) {
  const dots = unpivot(
    cells.filter((cell) => cell.paper !== null),
    KINDS,
  ).map((cell) => {
    const difference = 100 * (cell.amount / cell.paper - 1);
    return {
      ...cell,
      difference,
      shown: `${signed(difference, 3)} %`,
      value: fixed(cell.amount, 3),
    };
  });
  if (dots.length === 0) return empty_chart("No printed values to compare with", context.width);
  const labels = KINDS.map(({ label }) => label);
  const legend = { columns: legend_columns(labels, context.width) };
  const { theme } = context;
  const policies = [...new Set(cells.map((cell) => cell.policy))];
  return {
    width: context.width,
    height: { step: 22, for: "offset" },
    data: { values: dots },
    layer: [
      {
        mark: { type: "rule", color: theme.muted, strokeWidth: 1 },
        encoding: { x: { datum: 0, type: "quantitative" } },
      },
      {
        mark: { type: "point", size: 60, strokeWidth: 1.6, opacity: 0.75 },
        encoding: {
          x: {
            field: "difference",
            type: "quantitative",
            axis: { title: "difference from the printed value, %", tickCount: 6 },
          },
          y: {
            field: "policy",
            type: "nominal",
            scale: { domain: policies },
            axis: { title: null, ticks: false },
          },
          yOffset: { field: "series", type: "nominal", scale: { domain: labels } },
          color: colour_channel("series", labels, [theme.series[0], theme.series[1]], legend),
          shape: shape_channel("series", labels, ["cross", "diamond"], legend),
          tooltip: [
            { field: "policy" },
            { field: "tau" },
            { field: "cost" },
            { field: "series", title: "source" },
            { field: "value", title: "value" },
            { field: "paper", title: "printed" },
            { field: "shown", title: "difference" },
          ],
        },
      },
    ],
  };
}
