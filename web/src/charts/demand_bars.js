import { day_layout, panel_grid } from "../panels.js";

/**
 * Probabilities by number of units: one panel per title.
 * @param {{title: ?string, rows: {units: number, probability: number}[]}[]} panels
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function unit_bars(panels, context) {
  const most = Math.max(...panels.flatMap(({ rows }) => rows.map((row) => row.probability)));
  const layout = day_layout(panels.length, context);
  return panel_grid(panels, context, layout, ({ title, rows }, place) => ({
    ...(title ? { title } : {}),
    height: panels.length === 1 ? 200 : 120,
    data: { values: rows },
    mark: { type: "bar", color: context.theme.series[0], cornerRadiusEnd: 1 },
    encoding: {
      x: unit_axis(rows.length, place),
      y: {
        field: "probability",
        type: "quantitative",
        scale: { domain: [0, most] },
        axis: {
          title: place.is_left ? "probability" : null,
          labels: place.is_left,
          format: ".0%",
          tickCount: 4,
        },
      },
      tooltip: [
        { field: "units", title: "units" },
        { field: "probability", type: "quantitative", title: "probability", format: ".1%" },
      ],
    },
  }));
}

/**
 * Recorded days by demand as bars, lighter where the stock ran out, and as many as the plan expects
 * as dots: one panel per title.
 * @param {{title: ?string, rows: {units: number, known: number, at_least: number,
 *   expected: number}[]}[]} panels
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function demand_counts(panels, context) {
  const { theme } = context;
  const layout = day_layout(panels.length, context);
  return panel_grid(panels, context, layout, ({ title, rows }, place) => {
    // Demand that neither occurred nor is expected takes no room.
    const last = rows.reduce(
      (most, row) =>
        row.known + row.at_least > 0 || row.expected >= 0.05 ? Math.max(most, row.units) : most,
      1,
    );
    const shown = rows
      .filter((row) => row.units <= last)
      .map((row) => ({ ...row, all: row.known + row.at_least }));
    const x = unit_axis(shown.length, place);
    const y = (field) => ({
      field,
      type: "quantitative",
      axis: { title: place.is_left ? "days" : null, tickCount: 4 },
    });
    const tooltip = [
      { field: "units", title: "units" },
      { field: "known", title: "recorded days" },
      { field: "at_least", title: "days with a stock-out" },
      { field: "expected", type: "quantitative", title: "expected days", format: ".1f" },
    ];
    return {
      ...(title ? { title } : {}),
      height: panels.length === 1 ? 200 : 120,
      data: { values: shown },
      layer: [
        {
          mark: { type: "bar", color: theme.series[0], opacity: 0.3, cornerRadiusEnd: 1 },
          encoding: { x, y: y("all"), tooltip },
        },
        {
          mark: { type: "bar", color: theme.series[0] },
          encoding: { x, y: y("known"), tooltip },
        },
        {
          mark: { type: "point", filled: true, size: 36, opacity: 1, color: theme.series[1] },
          encoding: { x, y: y("expected"), tooltip },
        },
      ],
    };
  });
}

/**
 * Days by demand, in units: the axis of bars, labelled as densely as there is room.
 * @param {number} count of bars
 * @param {{width: number, is_bottom: boolean}} panel
 * @returns {Object} an encoding of Vega-Lite
 */
function unit_axis(count, { width, is_bottom }) {
  const step = Math.max(1, Math.ceil((26 * count) / width));
  return {
    field: "units",
    type: "ordinal",
    scale: { paddingInner: 0.2 },
    axis: {
      title: is_bottom ? "demand, units per day" : null,
      labelAngle: 0,
      ticks: false,
      labelExpr: `datum.value % ${step} == 0 ? datum.label : ''`,
    },
  };
}
