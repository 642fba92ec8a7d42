import { chart_view } from "../chart_view.js";
import { order_maps } from "../charts/order_maps.js";
import { order_range } from "../charts/order_range.js";
import { element } from "../dom.js";
import { section } from "../page_data.js";
import { PanelChoice } from "../panels.js";
import { each_stock } from "../stock_rank.js";
import { stock_table } from "./stock_table.js";
import { weekday } from "./labels.js";

/**
 * Orders by stock: a map if units have two ages, otherwise the range by total; and a full table.
 * @param {Object} data the whole plan
 * @param {ReturnType<import("../stock_rank.js").order_book>} book
 * @returns {?HTMLElement} null if there is only one stock
 */
export function orders_by_stock(data, book) {
  const { ages } = data.orders;
  if (ages === 0) return null;
  return section(
    "stock",
    "How much to order, by stock",
    element(
      "p",
      {},
      ages === 1
        ? "All units in stock have one day left, so only their number matters."
        : "Stocks with the same total can need different orders, because old units expire soon.",
    ),
    ages === 2 ? map_chart(data, book) : range_chart(data),
    stock_table(data.orders, book),
  );
}

function day_choice(rows) {
  return new PanelChoice(rows, [{ key: "day", label: "Day", first: 0, phone: 0, text: weekday }]);
}

function map_chart({ orders }, book) {
  const rows = [];
  each_stock(2, orders.capacity, ([x1, x2], total, number) => {
    for (let day = 0; day < orders.days; ++day)
      rows.push({ day, x1, x2, order: book.order(day, number) });
  });
  const choice = day_choice(rows);
  return chart_view({
    name: "orders",
    title: "Order by number of units with one and two days left",
    caption: "The number in a cell is the order. Outside the map, nothing is ordered.",
    rows,
    controls: choice.controls,
    build: (context) => {
      const days = choice.values_in("day", context);
      const panels = days.map((day) => ({
        title: orders.days > 1 ? weekday(day) : "",
        rows: rows.filter((row) => row.day === day),
      }));
      return order_maps({ panels, columns: Math.min(days.length, 3) }, context);
    },
  });
}

function range_chart({ recommendation, orders }) {
  const rows = recommendation.by_total;
  const choice = day_choice(rows);
  return chart_view({
    name: "orders",
    title: "Order by the number of units in stock",
    caption:
      "From the smallest to the largest order over all stocks with the same total: where the bar is " +
      "long, the ages of the units matter.",
    rows,
    controls: choice.controls,
    build: (context) => {
      const panels = choice.values_in("day", context).map((day) => ({
        title: orders.days > 1 ? weekday(day) : null,
        rows: rows.filter((row) => row.day === day),
      }));
      return order_range(panels, context);
    },
  });
}
