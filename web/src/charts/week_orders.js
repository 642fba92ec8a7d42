import { panel_grid } from "../panels.js";
import { weekday } from "../plan/labels.js";
import { distinct } from "../sorting.js";
import { colour_channel } from "./series.js";

/**
 * Optimal orders by total stock: one panel per weekday, one band per attitude to risk, from the
 * smallest to the largest order over the ages of that stock.
 * @param {Object[]} rows with tau, day, total, least and most
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function week_orders(rows, context) {
  const days = distinct(rows, "day");
  const layout = { columns: Math.min(days.length, 4), spacing: 24 };
  return panel_grid(days, context, layout, (day, place) => ({
    title: weekday(day),
    height: context.phone ? 150 : 190,
    layer: layers(rows, day, place, context),
  }));
}

function layers(rows, day, place, { theme, phone }) {
  const taus = distinct(rows, "tau").map((tau) => `τ ${tau}`);
  const largest = (key, all) => Math.max(...all.map((row) => row[key]));
  const ordering = rows.filter(({ most }) => most > 0);
  const first_without = largest("total", ordering) + 1;
  const mine = rows
    .filter((row) => row.day === day && row.total <= first_without)
    .map((row) => ({
      ...row,
      series: `τ ${row.tau}`,
      shown: row.least === row.most ? `${row.most}` : `${row.least} to ${row.most}`,
    }));
  const x = {
    field: "total",
    type: "quantitative",
    scale: { domain: [0, first_without], nice: false },
    axis: { title: place.is_bottom || phone ? "units in stock" : null, grid: false, tickMinStep: 1 },
  };
  const vertical = {
    type: "quantitative",
    scale: { domain: [0, largest("most", rows)] },
    axis: { title: place.is_left || phone ? "units to order" : null, tickMinStep: 1 },
  };
  const color = colour_channel("series", taus, theme.series, { symbolSize: 80 });
  const data = { values: mine };
  return [
    {
      data,
      mark: { type: "area", opacity: 0.25 },
      encoding: { x, y: { field: "least", ...vertical }, y2: { field: "most" }, color },
    },
    {
      data,
      mark: { type: "line", strokeWidth: 1.8 },
      encoding: { x, y: { field: "most", ...vertical }, color },
    },
    {
      data,
      mark: { type: "point", size: 90, opacity: 0 },
      encoding: {
        x,
        y: { field: "most", ...vertical },
        color,
        tooltip: [
          { field: "series", title: "attitude" },
          { field: "total", title: "in stock" },
          { field: "shown", title: "order" },
        ],
      },
    },
  ];
}
