import { element, labelled_select } from "./dom.js";
import { distinct } from "./sorting.js";

/**
 * @typedef {Object} Dimension a parameter that differs between the panels of a figure
 * @property {string} key
 * @property {string} label
 * @property {any} [phone] initial value on a phone; default: the last
 * @property {any} [first] initial value on a large screen; default: all
 * @property {(value: any) => string} [text]
 */

/** Selects which panels of a figure are shown: one value per dimension, or all. */
export class PanelChoice {
  /**
   * @param {Object[]} rows
   * @param {Dimension[]} dimensions
   */
  constructor(rows, dimensions) {
    this.dimensions = dimensions.map((dimension) => ({
      ...dimension,
      values: distinct(rows, dimension.key),
    }));
    this.chosen = {};
  }

  /** The select fields above the chart, for `chart_view`. */
  controls = (phone, redraw) => {
    const many = this.dimensions.filter(({ values }) => values.length > 1);
    if (many.length === 0) return null;
    return element(
      "div",
      { class: "controls" },
      many.map((dimension) => this.make_select(dimension, phone, redraw)),
    );
  };

  make_select({ key, label, values, phone: on_phone, first, text = String }, phone, redraw) {
    const initial = phone ? (on_phone ?? values[values.length - 1]) : first;
    const at = values.indexOf(initial);
    this.chosen[key] = at < 0 ? undefined : { value: values[at] };
    const on_change = (choice) => {
      this.chosen[key] = choice === "" ? undefined : { value: values[Number(choice)] };
      redraw();
    };
    const options = values.map((value, i) => ({ value: String(i), text: text(value) }));
    const all = { value: "", text: "all" };
    return labelled_select({
      label,
      options: [all, ...options],
      value: at < 0 ? "" : String(at),
      on_change,
    });
  }

  /**
   * @param {Object} row
   * @returns {boolean} whether its panel is shown
   */
  shows(row) {
    return this.dimensions.every(({ key }) => {
      const choice = this.chosen[key];
      return choice === undefined || row[key] === choice.value;
    });
  }

  /**
   * @param {string} key
   * @returns {any[]} the selected values of a dimension
   */
  values(key) {
    const { values } = this.dimensions.find((dimension) => dimension.key === key);
    const choice = this.chosen[key];
    return choice === undefined ? values : [choice.value];
  }

  /**
   * @param {string} key
   * @param {import("./drawing.js").ChartContext} context
   * @returns {any[]} the selected values; when printed, all
   */
  values_in(key, { print }) {
    if (!print) return this.values(key);
    return this.dimensions.find((dimension) => dimension.key === key).values;
  }
}

/**
 * Panels in a grid, on a phone in one column.
 * @param {any[]} items one per panel
 * @param {import("./drawing.js").ChartContext} context
 * @param {{columns: number, spacing?: number, widest?: number}} layout `widest`: of a panel
 * @param {(item: any, place: {width: number, is_left: boolean, is_bottom: boolean}) => Object} build
 *   returns the Vega-Lite specification of a panel, whose axes are labelled at the left and the
 *   bottom of the grid
 * @returns {Object} a Vega-Lite specification
 */
export function panel_grid(items, context, { columns, spacing = 16, widest = 640 }, build) {
  const across = context.phone ? 1 : Math.max(1, columns);
  const share = Math.floor((context.width - (across - 1) * spacing) / across);
  const width = Math.min(share, widest);
  const concat = items.map((item, i) => {
    const place = { width, is_left: i % across === 0, is_bottom: i + across >= items.length };
    return { width, ...build(item, place) };
  });
  return { concat, columns: across, spacing, is_narrow: share > widest };
}

/**
 * The layout of panels by weekday, or of a single one, which may be wide.
 * @param {number} count
 * @param {import("./drawing.js").ChartContext} context
 * @returns {{columns: number, widest: number}}
 */
export function day_layout(count, { full_width }) {
  return { columns: Math.min(count, full_width > 900 ? 4 : 2), widest: 980 };
}
