import { mix } from "../colour.js";
import { day_layout, panel_grid } from "../panels.js";
import { distinct } from "../sorting.js";
import { legend_columns } from "./series.js";

/**
 * Days left on delivery: stacked shares, shortest-lived units at the bottom. One bar per order size,
 * in one panel per weekday; or, for shares that do not depend on the order, one bar per weekday.
 * @param {Object[]} arrival with periods_left, probability, and order or weekday or both
 * @param {import("../drawing.js").ChartContext} context
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
  const color = {
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
  };
  const has_order = rows[0].order !== undefined;
  const days = rows[0].weekday === undefined ? [] : [...new Set(rows.map((row) => row.weekday))];
  const x = has_order ? order_axis : weekday_axis;
  if (!has_order || days.length < 2) {
    return { width, height: 220, ...bars({ rows, x: x(rows, width), color, theme }) };
  }
  return panel_grid(days, context, day_layout(days.length, context), (day, place) => {
    const of_day = rows.filter((row) => row.weekday === day);
    const spec = bars({ rows: of_day, x: x(of_day, place.width), color, theme });
    if (!place.is_bottom) spec.encoding.x.axis.title = null;
    if (!place.is_left) spec.encoding.y.axis = { ...spec.encoding.y.axis, title: null, labels: false };
    return { title: day, height: 120, ...spec };
  });
}

function order_axis(rows, width) {
  const step = Math.max(1, Math.ceil((26 * distinct(rows, "order").length) / width));
  return {
    field: "order",
    type: "ordinal",
    scale: { paddingInner: 0.12 },
    axis: {
      title: "units ordered",
      labelAngle: 0,
      ticks: false,
      labelExpr: `datum.value % ${step} == 0 ? datum.label : ''`,
    },
  };
}

/** One bar per weekday in their order, shortened where there is little room; or a single bar. */
function weekday_axis(rows, width) {
  if (rows[0].weekday === undefined) {
    return { datum: "", type: "nominal", scale: { paddingInner: 0.4 }, axis: null };
  }
  const labelExpr = width < 560 ? "slice(datum.label, 0, 3)" : "datum.label";
  return {
    field: "weekday",
    type: "nominal",
    sort: null,
    scale: { paddingInner: 0.12 },
    axis: { title: "day of delivery", labelAngle: 0, ticks: false, labelExpr },
  };
}

function bars({ rows, x, color, theme }) {
  const first = x.field ? [{ field: x.field, title: x.axis.title }] : [];
  return {
    data: { values: rows },
    mark: { type: "bar", stroke: theme.surface, strokeWidth: 0.7 },
    encoding: {
      x,
      y: {
        field: "probability",
        type: "quantitative",
        stack: "zero",
        scale: { domain: [0, 1] },
        axis: { title: "share of units", format: ".0%", tickCount: 4 },
      },
      order: { field: "periods_left", type: "quantitative" },
      color,
      tooltip: [
        ...first,
        { field: "left", title: "left" },
        { field: "probability", type: "quantitative", title: "share", format: ".1%" },
      ],
    },
  };
}
