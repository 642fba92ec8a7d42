import { chart_view } from "../chart_view.js";
import { week_orders } from "../charts/week_orders.js";
import { bound, count, fixed, percent, significant } from "../format.js";
import { PanelChoice } from "../panels.js";
import { weekday } from "../plan/labels.js";
import { sortable_table } from "../sortable_table.js";

/**
 * Optima and orders of a week.
 * @param {Object} study platelet-week
 * @returns {HTMLElement[]}
 */
export function platelet_week({ study, tables }) {
  const { optima = [], orders = [] } = tables;
  const parts = [];
  if (orders.length > 0) parts.push(order_chart(study, orders));
  if (optima.length > 0) parts.push(optimum_table(study, optima));
  return parts;
}

function order_chart(study, orders) {
  const choice = new PanelChoice(orders, [
    { key: "day", label: "Weekday", phone: 0, text: weekday },
  ]);
  return chart_view({
    name: `${study}-orders`,
    title: "Optimal order by weekday and stock",
    caption:
      "Units to order for a total in stock. A band goes from the smallest to the largest order over " +
      "the ages that a stock of this total can have; its upper end is drawn as a line.",
    rows: orders,
    controls: choice.controls,
    build: (context) =>
      week_orders(
        orders.filter((row) => choice.shows(row)),
        context,
      ),
  });
}

function optimum_table(study, optima) {
  return sortable_table({
    name: `${study}-optima`,
    caption: "Optima from an empty shelf on a Monday",
    rows: optima,
    columns: [
      { key: "tau", label: "τ" },
      { key: "shelf_life", label: "Shelf life" },
      { key: "states", label: "States", format: count },
      { key: "value", label: "Optimum", format: (value) => fixed(value, 6) },
      { key: "error_bound", label: "Certified to", format: bound },
      { key: "order_at_empty", label: "Order" },
      {
        key: "static_gap_percent",
        label: "As if nothing perished",
        format: (value) => `+${percent(value / 100, 2)}`,
      },
      { key: "seconds", label: "Seconds", format: (value) => significant(value, 3) },
    ],
  });
}
