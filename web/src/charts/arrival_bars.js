import { mix } from "../colour.js";
import { distinct } from "../sorting.js";
import { legend_columns } from "./series.js";

/**
 * Days left on delivery by order size: stacked shares, shortest-lived units at the bottom.
 * @param {Object[]} arrival with order, periods_left, probability
 * @param {import("../chart_view.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function arrival_bars(arrival, context) {
  const { theme, width } = context;
  const ages = distinct(arrival, "periods_left");
  const name = (age) => `${age} ${age === 1 ? "day" : "days"}`;
  const rows = arrival.map((row) => ({ ...row, left: name(row.periods_left) }));
  const range = ages.map((_, i) => {
    const [r, g, b] = mix(theme.ramp, 1 - i / Math.max(1, ages.length - 1));
    return `rgb(${r},${g},${b})`;
  });
  const step = Math.max(1, Math.ceil((26 * distinct(arrival, "order").length) / width));
  return {
    width,
    height: 220,
    data: { values: rows },
    mark: { type: "bar", stroke: theme.surface, strokeWidth: 0.7 },
    encoding: {
      x: {
        field: "order",
        type: "ordinal",
        scale: { paddingInner: 0.12 },
        axis: {
          title: "units ordered",
          labelAngle: 0,
          ticks: false,
          labelExpr: `datum.value % ${step} == 0 ? datum.label : ''`,
        },
      },
      y: {
        field: "probability",
        type: "quantitative",
        stack: "zero",
        scale: { domain: [0, 1] },
        axis: { title: "share of units", format: ".0%", tickCount: 4 },
      },
      order: { field: "periods_left", type: "quantitative" },
      color: {
        field: "left",
        type: "nominal",
        scale: { domain: ages.map(name), range },
        legend: {
          title: "left on delivery",
          columns: legend_columns(ages.map(name), width),
          symbolType: "square",
          symbolSize: 160,
          symbolStrokeColor: theme.muted,
          symbolStrokeWidth: 1,
        },
      },
      tooltip: [
        { field: "order", title: "ordered" },
        { field: "left", title: "left" },
        { field: "probability", type: "quantitative", title: "share", format: ".1%" },
      ],
    },
  };
}
