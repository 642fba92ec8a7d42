import { chart_view } from "../chart_view.js";
import { order_heat } from "../charts/order_heat.js";
import { order_maps } from "../charts/order_maps.js";
import { order_range } from "../charts/order_range.js";
import { element } from "../dom.js";
import { section } from "../page_data.js";
import { PanelChoice } from "../panels.js";
import { each_stock } from "../stock_rank.js";
import { stock_table } from "./stock_table.js";
import { weekday } from "./labels.js";

/**
 * Orders by stock: a map if units have two ages or more, otherwise by their number; and a table of
 * all stocks, which is folded.
 * @param {Object} data the whole plan
 * @param {ReturnType<import("../stock_rank.js").order_book>} book
 * @returns {?{root: HTMLElement, mark: (today: {stock: number[], day: number}) => void}} null if
 *   there is only one stock; `mark` shows where today's stock is
 */
export function orders_by_stock(data, book) {
  const { ages } = data.orders;
  if (ages === 0) return null;
  const heat = ages > 2 ? heat_chart(data, book) : null;
  const chart = heat?.figure ?? (ages === 2 ? map_chart(data, book) : range_chart(data));
  const root = section(
    "stock",
    "How much to order, by stock",
    element(
      "p",
      {},
      ages === 1
        ? "All units in stock have one day left, so only their number matters."
        : "Stocks with the same total can need different orders, because old units expire soon.",
    ),
    chart,
    element(
      "details",
      { class: "all-stocks" },
      element("summary", {}, "All stocks in a table"),
      stock_table(data.orders, book),
    ),
  );
  return { root, mark: (today) => heat?.mark(today) };
}

/** By the units in stock, and how many of them have one day left; for one day at a time. */
function heat_chart({ orders }, book) {
  const today = { stock: Array(orders.ages).fill(0), day: 0 };
  const rows = [];
  let redraw = () => {};
  const fill = () => rows.splice(0, rows.length, ...heat_cells(orders, book, today.day));
  fill();
  const meaning =
    "The number in a cell is the average order over all stocks with that many units; the framed cell is ";
  const figure = chart_view({
    name: "orders",
    title: "Order by units in stock and units with one day left",
    caption:
      `${meaning}today's stock` +
      (orders.days > 1 ? ", and the day is that of the form above." : "."),
    alone: () =>
      `${meaning}an empty shelf${orders.days > 1 ? `, and the day is ${weekday(today.day)}` : ""}.`,
    rows,
    controls: (_, draw) => {
      redraw = draw;
      return null;
    },
    build: (context) => {
      const total = today.stock.reduce((sum, units) => sum + units, 0);
      return order_heat({ cells: rows, marked: { total, oldest: today.stock[0] } }, context);
    },
  });
  const mark = ({ stock, day }) => {
    const is_other_day = day !== today.day;
    Object.assign(today, { stock, day });
    if (is_other_day) fill();
    redraw();
  };
  return { figure, mark };
}

/**
 * Exported for the tests.
 * @returns {{total: number, oldest: number, least: number, most: number, average: number}[]}
 */
export function heat_cells({ ages, capacity }, book, day) {
  const cells = new Map();
  each_stock(ages, capacity, ([oldest], total, number) => {
    const key = total * (capacity + 1) + oldest;
    const order = book.order(day, number);
    const cell = cells.get(key);
    if (!cell) {
      cells.set(key, { total, oldest, least: order, most: order, sum: order, stocks: 1 });
      return;
    }
    cell.least = Math.min(cell.least, order);
    cell.most = Math.max(cell.most, order);
    cell.sum += order;
    ++cell.stocks;
  });
  return [...cells.values()].map(({ sum, stocks, ...cell }) => ({
    ...cell,
    average: sum / stocks,
  }));
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
