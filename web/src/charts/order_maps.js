import { ink_on, mix } from "../colour.js";
import { panel_grid } from "../panels.js";

/** The smallest cell, in pixels, with room for a number in 12-pixel type. */
const ROOM_FOR_NUMBER = 19;

/**
 * Heat maps of orders by stock with two ages, with the order in each cell if there is room. Rows
 * and columns at the far end in which nothing is ordered are omitted.
 * @param {Object} data
 * @param {{title: string, rows: {x1: number, x2: number, order: number}[]}[]} data.panels
 * @param {number} data.columns
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function order_maps({ panels, columns }, context) {
  const all = panels.flatMap((panel) => panel.rows);
  const most = Math.max(1, ...all.map((row) => row.order));
  const ordering = all.filter((row) => row.order > 0).flatMap((row) => [row.x1, row.x2]);
  const last = Math.min(Math.max(2, ...ordering) + 1, Math.max(1, ...all.map((row) => row.x1)));
  const layout = { columns, widest: 38 * (last + 1) };
  const grid = panel_grid(panels, context, layout, ({ title, rows }, place) => {
    const shown = rows.filter((row) => row.x1 <= last && row.x2 <= last);
    const cell = Math.floor(place.width / (last + 1));
    return map_spec({ title, rows: shown, cell, most, last, place, context });
  });
  return { ...grid, is_narrow: true };
}

function map_spec({ title, rows, cell, most, last, place, context }) {
  const { theme } = context;
  const inked = rows.map((row) => ({ ...row, ink: ink_on(mix(theme.ramp, row.order / most)) }));
  const axis = (text, is_shown) => ({
    title: is_shown ? text : null,
    grid: false,
    ticks: false,
    labelAngle: 0,
    labelExpr: `datum.value % ${Math.ceil(24 / cell)} == 0 ? datum.label : ''`,
  });
  const domain = Array.from({ length: last + 1 }, (_, i) => i);
  const x = axis("units with 1 day left", place.is_bottom);
  const y = axis("units with 2 days left", place.is_left);
  const map = {
    mark: { type: "rect", stroke: theme.surface, strokeWidth: 1 },
    encoding: {
      fill: {
        condition: { test: "datum.order === 0", value: theme.empty },
        field: "order",
        type: "quantitative",
        scale: { domain: [0, most], range: theme.ramp, interpolate: "rgb" },
        legend: { title: "order", gradientLength: 140, gradientThickness: 12, tickCount: 4 },
      },
      tooltip: [
        { field: "x1", title: "1 day left" },
        { field: "x2", title: "2 days left" },
        { field: "order", title: "order" },
      ],
    },
  };
  const numbers = {
    transform: [{ filter: "datum.order > 0" }],
    mark: { type: "text", baseline: "middle" },
    encoding: { text: { field: "order" }, color: { field: "ink", type: "nominal", scale: null } },
  };
  return {
    title,
    width: cell * (last + 1),
    height: Math.min(cell, 30) * (last + 1),
    data: { values: inked },
    encoding: {
      x: { field: "x1", type: "ordinal", scale: { domain }, sort: null, axis: x },
      y: {
        field: "x2",
        type: "ordinal",
        scale: { domain: [...domain].reverse() },
        sort: null,
        axis: y,
      },
    },
    layer: cell >= ROOM_FOR_NUMBER ? [map, numbers] : [map],
  };
}
