import { element, labelled_select } from "./dom.js";
import { count, NOTHING } from "./format.js";
import { save_button, save_csv } from "./save.js";
import { distinct, sorted } from "./sorting.js";
import { table_card } from "./table_card.js";

/**
 * @typedef {Object} Column
 * @property {string} key
 * @property {string} label
 * @property {(value: any, row: Object) => string} [format] text of a cell; without it, the value
 * @property {boolean} [text] aligned as text although the values are numbers, or the other way round
 * @property {(row: Object) => ?string} [mark] a word that marks the cell, "differs"
 */

/**
 * A table sorted by a click on, or Enter in, the head of a column, with filters above it.
 * @param {Object} options
 * @param {string} options.name of the CSV file and of the element
 * @param {string} options.caption
 * @param {Column[]} options.columns
 * @param {Object[]} options.rows
 * @param {{key: string, label: string}[]} [options.filters] one choice of each key's values
 * @param {{label: string, keep: (row: Object) => boolean}} [options.only] a box to tick
 * @param {boolean} [options.search] a field that looks in all columns
 * @returns {HTMLElement}
 */
export function sortable_table(options) {
  return new SortableTable(options).place;
}

class SortableTable {
  constructor({ name, caption, columns, rows, filters = [], only = null, search = false }) {
    Object.assign(this, { name, columns, rows, filters, only });
    this.sort = { key: null, descending: false };
    this.chosen = {};
    this.only_some = false;
    this.words = "";
    this.heads = new Map(columns.map((column) => [column.key, this.make_head(column)]));
    this.body = element("tbody");
    this.status = element("span", { class: "count", role: "status" });
    const head = element("thead", {}, element("tr", {}, [...this.heads.values()]));
    const save = save_button("CSV", caption, () => save_csv(name, this.visible()));
    this.place = table_card({
      name,
      caption,
      controls: this.make_controls(search),
      save,
      table: element("table", {}, head, this.body),
    });
    this.update();
  }

  make_head(column) {
    const button = element("button", { type: "button", onclick: () => this.sort_by(column.key) });
    button.append(column.label, element("span", { class: "arrow", "aria-hidden": "true" }));
    const kind = this.is_text(column) ? "text" : "number";
    return element("th", { scope: "col", class: kind, "aria-sort": "none" }, button);
  }

  make_controls(search) {
    const choices = this.filters.map(({ key, label }) => this.make_filter(key, label));
    const look = search ? this.make_search() : null;
    const box = this.only ? this.make_only() : null;
    const tools = [...choices, box, look].filter((tool) => tool !== null);
    return tools.length > 0 ? element("div", { class: "controls" }, tools, this.status) : null;
  }

  make_filter(key, label) {
    const column = this.columns.find((candidate) => candidate.key === key);
    const values = distinct(this.rows, key);
    const all = { value: "", text: "all" };
    const options = values.map((value, i) => ({
      value: String(i),
      text: cell_text(column ?? {}, value, {}),
    }));
    const on_change = (choice) => {
      this.chosen[key] = choice === "" ? undefined : { value: values[Number(choice)] };
      this.update();
    };
    return labelled_select({ label, options: [all, ...options], value: "", on_change });
  }

  make_search() {
    const input = element("input", {
      type: "search",
      oninput: () => {
        this.words = input.value.trim().toLowerCase();
        this.update();
      },
    });
    return element("label", { class: "field" }, element("span", {}, "Find"), input);
  }

  make_only() {
    const input = element("input", {
      type: "checkbox",
      onchange: () => {
        this.only_some = input.checked;
        this.update();
      },
    });
    return element("label", { class: "field tick" }, input, element("span", {}, this.only.label));
  }

  sort_by(key) {
    const again = this.sort.key === key;
    this.sort = { key, descending: again && !this.sort.descending };
    for (const [name, head] of this.heads) {
      const order = this.sort.descending ? "descending" : "ascending";
      head.setAttribute("aria-sort", name === key ? order : "none");
    }
    this.update();
  }

  visible() {
    const kept = this.rows.filter((row) => this.keeps(row));
    const { key, descending } = this.sort;
    return key === null ? kept : sorted(kept, (row) => row[key], descending);
  }

  keeps(row) {
    if (this.only_some && !this.only.keep(row)) return false;
    for (const [key, choice] of Object.entries(this.chosen)) {
      if (choice && row[key] !== choice.value) return false;
    }
    if (this.words === "") return true;
    const text = this.columns.map((column) => cell_text(column, row[column.key], row)).join(" ");
    return text.toLowerCase().includes(this.words);
  }

  update() {
    const rows = this.visible();
    this.body.replaceChildren(...rows.map((row) => this.make_row(row)));
    const all = this.rows.length;
    this.status.textContent =
      rows.length === all ? `${count(all)} rows` : `${count(rows.length)} of ${count(all)} rows`;
  }

  make_row(row) {
    return element(
      "tr",
      {},
      this.columns.map((column) => {
        const mark = column.mark?.(row) ?? null;
        const kind = this.is_text(column) ? "text" : "number";
        const text = cell_text(column, row[column.key], row);
        const note = mark ? element("span", { class: "mark" }, ` ${mark}`) : null;
        return element("td", { class: mark ? `${kind} marked` : kind }, text, note);
      }),
    );
  }

  is_text(column) {
    if (column.text !== undefined) return column.text;
    return this.rows.every((row) => typeof row[column.key] !== "number");
  }
}

function cell_text(column, value, row) {
  if (column.format) return column.format(value, row);
  if (value === null || value === undefined) return NOTHING;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}
