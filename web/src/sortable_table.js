import { element, labelled_select } from "./dom.js";
import { count, NO_VALUE } from "./format.js";
import { save_button, save_csv } from "./save.js";
import { distinct, sorted } from "./sorting.js";
import { table_card } from "./table_card.js";

/**
 * @typedef {Object} Column
 * @property {string} key
 * @property {string} label
 * @property {(value: any, row: Object) => string} [format] text of a cell; default: the value
 * @property {boolean} [text] whether to align as text; default: if no value is a number
 * @property {boolean} [prose] whether it has sentences, which wrap
 * @property {(row: Object) => ?string} [mark] a mark after the value, "≠"
 */

/**
 * A table with filters, sorted by a click or Enter on a column header.
 * @param {Object} options
 * @param {string} options.name used for the CSV file name and the element id
 * @param {string} options.caption
 * @param {Column[]} options.columns
 * @param {Object[]} options.rows
 * @param {{key: string, label: string}[]} [options.filters] a select field for each key
 * @param {{label: string, keep: (row: Object) => boolean}} [options.only] a checkbox
 * @returns {HTMLElement}
 */
export function sortable_table(options) {
  return new SortableTable(options).root;
}

class SortableTable {
  constructor({ name, caption, columns, rows, filters = [], only = null }) {
    Object.assign(this, { name, columns, rows, filters, only });
    this.sort = { key: null, descending: false };
    this.chosen = {};
    this.only_some = false;
    this.heads = new Map(columns.map((column) => [column.key, this.make_head(column)]));
    this.body = element("tbody");
    this.status = element("span", { class: "count", role: "status" });
    const head = element("thead", {}, element("tr", {}, [...this.heads.values()]));
    const save = save_button("CSV", caption, () => save_csv(name, this.visible()));
    this.root = table_card({
      name,
      caption,
      controls: this.make_controls(),
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

  make_controls() {
    const choices = this.filters.map(({ key, label }) => this.make_filter(key, label));
    const fields = this.only ? [...choices, this.make_only()] : choices;
    return fields.length > 0 ? element("div", { class: "controls" }, fields, this.status) : null;
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
    return Object.entries(this.chosen).every(
      ([key, choice]) => !choice || row[key] === choice.value,
    );
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
        const classes = [kind, mark ? "marked" : null, column.prose ? "prose" : null];
        return element("td", { class: classes.filter(Boolean).join(" ") }, text, note);
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
  if (value === null || value === undefined) return NO_VALUE;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}
