import { element, labelled_select } from "../dom.js";
import { count } from "../format.js";
import { table_card } from "../table_card.js";
import { search_stocks } from "./stock_search.js";
import { days_left, weekday } from "./labels.js";

const MAX_ROWS = 200;

/**
 * A table of all stocks and their orders, with filters and sorting; shows the first rows.
 * @param {Object} orders as in the data
 * @param {ReturnType<import("../stock_rank.js").order_book>} book
 * @returns {HTMLElement}
 */
export function stock_table(orders, book) {
  return new StockTable(orders, book).root;
}

class StockTable {
  constructor(orders, book) {
    Object.assign(this, { orders, book });
    this.query = {
      day: 0,
      units: Array(orders.ages).fill(null),
      total: null,
      order: null,
      sort: "total",
      descending: false,
      limit: MAX_ROWS,
    };
    this.status = element("span", { class: "count", role: "status" });
    this.body = element("tbody");
    this.heads = new Map(
      this.columns().map(([sort, label]) => [sort, this.make_head(sort, label)]),
    );
    const head = element("thead", {}, element("tr", {}, [...this.heads.values()]));
    this.root = table_card({
      name: "stocks",
      caption: "Orders for all stocks",
      controls: this.make_controls(),
      table: element("table", {}, head, this.body),
    });
    this.update();
  }

  columns() {
    const ages = this.query.units.map((_, i) => [i, days_left(i + 1)]);
    return [["order", "Order"], ["total", "Total"], ...ages];
  }

  make_head(sort, label) {
    const on_click = () => {
      const again = this.query.sort === sort;
      this.query.descending = again && !this.query.descending;
      this.query.sort = sort;
      this.update();
    };
    const arrow = element("span", { class: "arrow", "aria-hidden": "true" });
    const button = element("button", { type: "button", onclick: on_click }, label, arrow);
    return element("th", { scope: "col", class: "number", "aria-sort": "none" }, button);
  }

  make_controls() {
    const fields = this.columns().map(([sort, label]) => this.make_field(sort, label));
    const day = this.orders.days > 1 ? this.make_day() : null;
    return element("div", { class: "controls" }, day, fields, this.status);
  }

  make_field(sort, label) {
    const input = element("input", {
      type: "number",
      min: 0,
      step: 1,
      placeholder: "any",
      inputmode: "numeric",
      "data-filter": sort,
      oninput: () => {
        const wanted = input.value === "" ? null : Number(input.value);
        if (typeof sort === "number") this.query.units[sort] = wanted;
        else this.query[sort] = wanted;
        this.update();
      },
    });
    return element("label", { class: "field small" }, element("span", {}, label), input);
  }

  make_day() {
    const options = Array.from({ length: this.orders.days }, (_, day) => ({
      value: String(day),
      text: weekday(day),
    }));
    const on_change = (choice) => {
      this.query.day = Number(choice);
      this.update();
    };
    return labelled_select({ label: "Day", options, value: "0", on_change });
  }

  update() {
    const { matches, found } = search_stocks(this.orders, this.book, this.query);
    this.body.replaceChildren(
      ...found.map(({ stock, total, order }) =>
        element(
          "tr",
          {},
          [order, total, ...stock].map((units) => element("td", { class: "number" }, units)),
        ),
      ),
    );
    const found_text = `${count(matches)} of ${count(this.book.stocks)} stocks match`;
    this.status.textContent =
      matches > MAX_ROWS ? `${found_text}, showing the first ${MAX_ROWS}` : found_text;
    const direction = this.query.descending ? "descending" : "ascending";
    for (const [sort, head] of this.heads) {
      head.setAttribute("aria-sort", sort === this.query.sort ? direction : "none");
    }
  }
}
