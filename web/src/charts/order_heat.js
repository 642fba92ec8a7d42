import { ink_on, mix } from "../colour.js";

/** The smallest cell, in pixels, with room for a number in 12-pixel type. */
const ROOM_FOR_NUMBER = 19;

/**
 * The average order by units in stock and units with one day left, with one cell marked. Columns and
 * rows at the far end in which nothing is ordered are omitted, but for one.
 * @param {Object} data
 * @param {{total: number, oldest: number, least: number, most: number, average: number}[]} data.cells
 * @param {?{total: number, oldest: number}} data.marked
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function order_heat({ cells, marked }, context) {
  const { theme, width } = context;
  const most = Math.max(1, ...cells.map((cell) => cell.average));
  const ordering = cells.filter((cell) => cell.most > 0);
  const last = (key) =>
    Math.min(
      Math.max(2, marked?.[key] ?? 0, ...ordering.map((cell) => cell[key] + 1)),
      Math.max(...cells.map((cell) => cell[key])),
    );
  const columns = last("total") + 1;
  const rows = last("oldest") + 1;
  const side = Math.max(8, Math.min(38, Math.floor(width / columns)));
  const shown = cells
    .filter((cell) => cell.total < columns && cell.oldest < rows)
    .map((cell) => ({
      ...cell,
      text: String(Math.round(cell.average)),
      orders: cell.least === cell.most ? `${cell.least}` : `${cell.least} to ${cell.most}`,
      ink: ink_on(mix(theme.ramp, cell.average / most)),
    }));
  const axis = (title) => ({
    title,
    grid: false,
    ticks: false,
    labelAngle: 0,
    labelExpr: `datum.value % ${Math.ceil(24 / side)} == 0 ? datum.label : ''`,
  });
  const numbers = (length) => Array.from({ length }, (_, i) => i);
  const tooltip = [
    { field: "total", title: "in stock" },
    { field: "oldest", title: "with 1 day left" },
    { field: "orders", title: "order" },
  ];
  const map = {
    data: { values: shown },
    mark: { type: "rect", stroke: theme.surface, strokeWidth: 1 },
    encoding: {
      fill: {
        condition: { test: "datum.most === 0", value: theme.empty },
        field: "average",
        type: "quantitative",
        scale: { domain: [0, most], range: theme.ramp, interpolate: "rgb" },
        legend: null,
      },
      tooltip,
    },
  };
  const texts = {
    data: { values: shown.filter((cell) => cell.most > 0) },
    mark: { type: "text", baseline: "middle" },
    encoding: {
      text: { field: "text" },
      color: { field: "ink", type: "nominal", scale: null },
      tooltip,
    },
  };
  const mark = {
    data: { values: shown.filter((c) => c.total === marked?.total && c.oldest === marked?.oldest) },
    mark: { type: "rect", filled: false, stroke: theme.series[1], strokeWidth: 3 },
    encoding: { tooltip },
  };
  return {
    width: side * columns,
    height: Math.min(side, 30) * rows,
    is_narrow: true,
    encoding: {
      x: {
        field: "total",
        type: "ordinal",
        scale: { domain: numbers(columns) },
        sort: null,
        axis: axis("units in stock"),
      },
      y: {
        field: "oldest",
        type: "ordinal",
        scale: { domain: numbers(rows).reverse() },
        sort: null,
        axis: axis("of them with 1 day left"),
      },
    },
    layer: side >= ROOM_FOR_NUMBER ? [map, texts, mark] : [map, mark],
  };
}
